"""The command line of `paliadin-shim`, as a line of authorized_keys gives it."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from paliadin import __version__
from paliadin.base.session_names import HOST_NAME
from paliadin.relays.ssh.rights import ALL, Rights, parse_rights

GREETING = f"paliadin-shim {__version__}: this key lets a remote Paliadin ask the Claude Code here, and nothing else."


def parse_arguments(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Parse the options; exits with a message when one is not valid."""
    parser = argparse.ArgumentParser(prog="paliadin-shim", description=GREETING)
    parser.add_argument("--version", action="version", version=f"%(prog)s {__version__}")
    parser.add_argument(
        "--name", type=_parse_name, required=True, help="the name under which this key's turns are recorded here"
    )
    parser.add_argument(
        "--sessions",
        type=_parse_names,
        default=("main",),
        help="the sessions that the key may use, separated by commas",
    )
    parser.add_argument(
        "--may",
        type=_parse_rights,
        default=ALL,
        metavar="RIGHTS",
        help="what the key may do: read, ask, allow (reply to permissions), or ask,allow; default: ask,allow",
    )
    parser.add_argument("--workdir", type=Path, help="the folder that Claude works in; the home folder by default")
    parser.add_argument(
        "--attach",
        type=_parse_name,
        metavar="SESSION",
        help="open this session's terminal; for a person with a login of their own",
    )
    parser.add_argument("--read-only", action="store_true", help="with --attach: watch only; no keys reach Claude")
    return parser.parse_args(arguments)


def _parse_name(text: str) -> str:
    if not HOST_NAME.fullmatch(text):
        raise argparse.ArgumentTypeError("use up to 32 letters, digits, - and _")
    return text


def _parse_names(text: str) -> tuple[str, ...]:
    return tuple(_parse_name(item) for item in text.split(","))


def _parse_rights(text: str) -> Rights:
    try:
        return parse_rights(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
