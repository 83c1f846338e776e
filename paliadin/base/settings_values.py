"""Parsers of the settings' texts. Pure; each raises ValueError with a message that says which text is accepted."""

from __future__ import annotations

import ipaddress
import os
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from paliadin.base.session_names import NAME

LONGEST_PERSON = 200  # characters of a person's name
RELAYS = (TERMINAL, MESSAGES) = ("terminal", "messages")
ROLES = (BOTH, WEB, WORKER) = ("both", "web", "worker")
AUDITS = (FULL, REDACTED) = ("full", "redacted")
PERMISSION_MODES = ("default", "acceptEdits", "plan", "dontAsk", "auto", "bypassPermissions")


def boolean(text: str) -> bool:
    lowered = text.strip().lower()
    if lowered in {"true", "1", "yes", "on"}:
        return True
    if lowered in {"false", "0", "no", "off"}:
        return False
    raise ValueError("give true or false")


def setting(parser: Callable[[str], object], default: object, *, secret: bool = False) -> Any:
    """Declare a field of a part's settings: `PALIADIN_<NAME>` is read by the parser. A secret is never shown."""
    return field(default=default, repr=not secret, metadata={"parser": parser, "secret": secret})


def whole_number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise ValueError("give a whole number") from None


def _port(text: str) -> int | None:
    if text == "none":
        return None
    port = whole_number(text)
    if not 0 <= port <= 65535:
        raise ValueError("give a port between 0 and 65535, or none")
    return port


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        raise ValueError("give a number of seconds, such as 600") from None
    if not 0 < seconds < 1e9:
        raise ValueError("give a positive number of seconds, such as 600")
    return seconds


def _interrupt_timeout(text: str) -> float:
    seconds = _seconds(text)
    if seconds > 7000:
        raise ValueError("give at most 7000 seconds: Claude Code ends the waiting hook after 7200")
    return seconds


def _places(text: str) -> int:
    places = whole_number(text)
    if places < 1:
        raise ValueError("give at least one")
    return places


def _days(text: str) -> int:
    days = whole_number(text)
    if days < 1:
        raise ValueError("give at least one day")
    return days


def _time_zone(text: str) -> str:
    try:
        return ZoneInfo(text).key
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError("give the name of a time zone such as Europe/Berlin") from None


def _path(text: str) -> Path:
    try:
        return _expanded(text).resolve()
    except RuntimeError as error:  # links that lead to each other
        raise ValueError(str(error)) from error


def _unresolved_path(text: str) -> Path:
    """A path whose last part may be a link: it is refused where it is used."""
    return Path(os.path.normpath(_expanded(text).absolute()))


def _expanded(text: str) -> Path:
    try:
        return Path(text).expanduser()
    except RuntimeError as error:  # nobody has this name
        raise ValueError(str(error)) from error


def _items(text: str) -> tuple[str, ...]:
    """The parts between commas, without spaces around them and without empty ones."""
    return tuple(item.strip() for item in text.split(",") if item.strip())


def _origins(text: str) -> tuple[str, ...]:
    for origin in _items(text):
        if not re.fullmatch(r"https?://[^/\s*]+", origin):
            raise ValueError(f"{origin!r} is not an origin such as https://app.example")
    return _items(text)


def _origin(text: str) -> str:
    origins = _origins(text)
    if len(origins) != 1:
        raise ValueError("give one origin such as https://app.example")
    return origins[0]


def _address(text: str) -> str:
    """Parse an address into the form that browsers send: host in lower case, without its scheme's default port."""
    if not re.fullmatch(r"https?://[^/\s?#@*]+(/[^\s?#]*)?", text) or urlsplit(text).port == 0:
        raise ValueError("give an address such as https://claude.example or https://app.example/claude")
    scheme, _, rest = text.partition("://")
    netloc, slash, path = rest.partition("/")
    netloc = netloc.lower().removesuffix({"http": ":80", "https": ":443"}[scheme])
    return f"{scheme}://{netloc}{slash}{path}".rstrip("/")


def _chip_templates(text: str) -> dict[str, str]:
    pairs = [item.partition("=") for item in _items(text)]
    for kind, _, template in pairs:
        if not kind or "{id}" not in template or not re.match(r"\s*/(?![/\\])", template):
            raise ValueError(f"{kind!r} needs a path such as /deadlines/{{id}}")
    return {kind.strip(): template.strip() for kind, _, template in pairs}


def _routes(text: str) -> tuple[str, ...]:
    for route in _items(text):
        segments = route.split("/")[1:]
        plain = all(segment == "{id}" or re.fullmatch(r"[^\s?#%\\{}]+", segment) for segment in segments)
        if not route.startswith("/") or not (plain or route == "/") or {".", ".."} & set(segments):
            raise ValueError(f"{route!r} is not a path such as /deadlines or /projects/{{id}}, without a query")
    return _items(text)


def _peers(text: str) -> dict[str, str]:
    pairs = [item.partition("=") for item in _items(text)]
    for name, _, address in pairs:
        if not re.fullmatch(r"https?://[^/\s?#@]+/?", address.strip()):
            raise ValueError(f"{name!r} needs an address such as http://127.0.0.1:8725")
    return {_plain_name(name.strip()): address.strip().rstrip("/") for name, _, address in pairs}


def is_person(text: str) -> bool:
    """Tell whether a text can be a person's name: printable, neither empty nor long, no blank at its ends."""
    return 0 < len(text) <= LONGEST_PERSON and text.isprintable() and text == text.strip()


def person_name(text: str) -> str:
    if not is_person(text):
        raise ValueError(f"use 1 to {LONGEST_PERSON} printable characters")
    return text


def _count(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 0 <= int(text) <= 100:
        raise ValueError("give a number from 0 to 100")
    return int(text)


def _peer_keys(text: str) -> dict[str, str]:
    pairs = [item.partition("=") for item in _items(text)]
    return {_plain_name(name.strip()): _token(key.strip()) for name, _, key in pairs}


def _loopback_host(text: str) -> str:
    if text != "localhost" and not is_loopback(text):
        raise ValueError("give a loopback address (127.0.0.1, ::1), and put a proxy or `ssh -L` in front of it")
    return text


def is_loopback(text: str) -> bool:
    """True for an IP address of this machine's own network."""
    try:
        return ipaddress.ip_address(text).is_loopback
    except ValueError:
        return False


def _plain_name(text: str) -> str:
    # ":" and "." have a meaning in tmux's targets; "/" would lead out of its socket folder.
    if not NAME.fullmatch(text):
        raise ValueError("use 1 to 64 letters, digits, - and _")
    return text


def _token(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9._~-]{16,256}", text):
        raise ValueError("use 16 to 256 letters, digits, and . _ ~ -")
    return text


def _one_of(names: Collection[str]) -> Callable[[str], str]:
    def parse(text: str) -> str:
        if text not in names:
            raise ValueError(f"give one of {', '.join(names)}")
        return text

    return parse


PARSERS: Mapping[str, Callable[[str], object]] = {
    "enabled": boolean,
    "host": _loopback_host,
    "port": _port,
    "socket": _unresolved_path,
    "address": _address,
    "home": _path,
    "token": _token,
    "tmux_socket": _plain_name,
    "tmux_session": _plain_name,
    "response_dir": _path,
    "attachments_dir": _path,
    "workdir": _path,
    "permission_mode": _one_of(PERMISSION_MODES),
    "sandbox": boolean,
    "live": boolean,
    "status_line": boolean,
    "capture": boolean,
    "relay": _one_of(RELAYS),
    "role": _one_of(ROLES),
    "audit": _one_of(AUDITS),
    "allowed_origins": _origins,
    "owner": person_name,
    "max_embedded": _count,
    "people_origins": _origins,
    "permission_origins": _origins,
    "allowed_hosts": _items,
    "chips": _chip_templates,
    "routes": _routes,
    "name": _plain_name,
    "peers": _peers,
    "peer_keys": _peer_keys,
    "application": _origin,
    "max_running": _places,
    "park_after": _seconds,
    "keep_days": _days,
    "timezone": _time_zone,
    "monitoring": _path,
    "turn_timeout": _seconds,
    "interrupt_timeout": _interrupt_timeout,
}
"""Field name of a setting → its parser; a setting that is not here takes any text."""
