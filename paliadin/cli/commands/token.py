"""The command group `paliadin token`: the keys of programs, and the browsers that are signed in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from paliadin.cli.client import send
from paliadin.cli.console import local_time, print_table
from paliadin.cli.echo import echo, echo_json

BROWSERS = ("browser", "whose", "signed in", "last used", "until", "description")
KEYS = ("name", "for", "made", "last used")


@click.group()
def token() -> None:
    """Manage the keys of programs and the browsers that are signed in.

    Each application that embeds the drawer, each peer daemon and each program has a key of its own. A key is shown
    once, when it is made; Paliadin keeps only its hash.

    \b
    paliadin token add intranet --for embed
    paliadin token list
    paliadin token rotate
    """


@token.command()
@click.argument("name")
@click.option("--for", "purpose", required=True, help="What the key opens.")
def add(name: str, purpose: str) -> None:
    """Make a key, and print it.

    \b
    embed    the server of an application: requests tokens for its drawer
    metrics  Prometheus: reads /metrics
    peer     another daemon of yours that shares the database
    owner    a program that stands for you: everything but keys and sign-ins

    Features that are switched on may know further ones; their pages of the documentation name them.
    """
    echo(send("POST", "access/keys", {"name": name, "purpose": purpose})["key"])


@token.command(name="list")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object, as `GET /api/paliadin/access` does.")
def list_(as_json: bool) -> None:
    """List the browsers that are signed in, and the keys."""
    access = send("GET", "access")
    if as_json:
        echo_json(access)
        return
    echo("Browsers")
    print_table(BROWSERS, [_browser(each) for each in access["browsers"]], spare=("description", "last used"))
    echo("\nKeys")
    keys = [(each["name"], ", ".join(each["purposes"]), *_times(each, "made", "last_used")) for each in access["keys"]]
    print_table(KEYS, keys)


def _browser(each: Mapping[str, Any]) -> tuple[str, ...]:
    times = _times(each, "signed_in", "last_used", "expires")
    return (each["id"], each["person"] or "yours", *times, str(each["agent"]))


def _times(each: Mapping[str, Any], *names: str) -> list[str]:
    return [local_time(1000 * (each[name] or 0)) or "never" for name in names]


@token.command()
@click.argument("name")
def remove(name: str) -> None:
    """Make the key NAME invalid, or sign out the browser with this id, whosever it is."""
    browsers = {each["id"] for each in send("GET", "access")["browsers"]}
    send("DELETE", f"access/browsers/{name}" if name in browsers else f"access/keys/{name}")
    echo(f"{name} no longer lets anybody in.", err=True)


@token.command()
@click.argument("name", required=False)
def rotate(name: str | None) -> None:
    """Sign out every browser and give the page a new address; with NAME, make a new key in place of that one.

    Keys of programs stay valid when NAME is not given.
    """
    if name is not None:
        echo(send("POST", f"access/keys/{name}/rotate", {})["key"])
        return
    send("POST", "access/rotate", {})
    echo("Every browser is signed out, and the page has another address: `paliadin open`.", err=True)
