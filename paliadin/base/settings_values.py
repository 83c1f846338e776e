"""What a setting's text means. Pure; each raises ValueError with what to say instead."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

PERMISSION_MODES = ("default", "acceptEdits", "plan", "dontAsk", "auto", "bypassPermissions")


def _boolean(text: str) -> bool:
    lowered = text.strip().lower()
    if lowered in {"true", "1", "yes", "on"}:
        return True
    if lowered in {"false", "0", "no", "off"}:
        return False
    raise ValueError("say true or false")


def _whole(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise ValueError("give a whole number") from None


def _port(text: str) -> int:
    port = _whole(text)
    if not 0 <= port <= 65535:
        raise ValueError("a port lies between 0 and 65535")
    return port


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds < 1e9:
        raise ValueError("give a positive number of seconds")
    return seconds


def _patience(text: str) -> float:
    seconds = _seconds(text)
    if seconds > 7000:
        raise ValueError("7000 seconds at most: Claude Code ends the waiting hook after 7200")
    return seconds


def _days(text: str) -> int:
    days = _whole(text)
    if days < 1:
        raise ValueError("give at least one day")
    return days


def _zone(text: str) -> str:
    try:
        return ZoneInfo(text).key
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise ValueError("name a time zone such as Europe/Berlin") from None


def _path(text: str) -> Path:
    return Path(text).expanduser().resolve()


def _names(text: str) -> tuple[str, ...]:
    return tuple(item.strip() for item in text.split(",") if item.strip())


def _origins(text: str) -> tuple[str, ...]:
    for origin in _names(text):
        if not re.fullmatch(r"https?://[^/\s*]+", origin):
            raise ValueError(f"{origin!r} is not an origin such as https://app.example")
    return _names(text)


def _origin(text: str) -> str:
    origins = _origins(text)
    if len(origins) != 1:
        raise ValueError("name one origin such as https://app.example")
    return origins[0]


def _templates(text: str) -> dict[str, str]:
    pairs = [item.partition("=") for item in _names(text)]
    for kind, _, template in pairs:
        if not kind or "{id}" not in template or not template.startswith("/"):
            raise ValueError(f"{kind!r} needs a path such as /deadlines/{{id}}")
    return {kind.strip(): template.strip() for kind, _, template in pairs}


def _peers(text: str) -> dict[str, str]:
    pairs = [item.partition("=") for item in _names(text)]
    for name, _, address in pairs:
        if not re.fullmatch(r"https?://[^/\s?#@]+/?", address.strip()):
            raise ValueError(f"{name!r} needs an address such as http://127.0.0.1:8725")
    return {_plain_name(name.strip()): address.strip().rstrip("/") for name, _, address in pairs}


def _loopback(text: str) -> str:
    if text != "localhost" and not _is_loopback(text):
        raise ValueError("use an address of this machine only (127.0.0.1, ::1), and a proxy or `ssh -L` in front of it")
    return text


def _is_loopback(text: str) -> bool:
    try:
        return ipaddress.ip_address(text).is_loopback
    except ValueError:
        return False


def _plain_name(text: str) -> str:
    # tmux reads ":" and "." in targets; "/" would leave its socket folder.
    if not re.fullmatch(r"[A-Za-z0-9_-]{1,64}", text):
        raise ValueError("use letters, digits, - and _ only")
    return text


def _token(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9._~-]{16,256}", text):
        raise ValueError("use 16 to 256 letters, digits, and . _ ~ -")
    return text


def _permission_mode(text: str) -> str:
    if text not in PERMISSION_MODES:
        raise ValueError(f"it is one of {', '.join(PERMISSION_MODES)}")
    return text


PARSERS: Mapping[str, Callable[[str], object]] = {
    "enabled": _boolean,
    "host": _loopback,
    "port": _port,
    "home": _path,
    "token": _token,
    "tmux_socket": _plain_name,
    "tmux_session": _plain_name,
    "response_dir": _path,
    "workdir": _path,
    "permission_mode": _permission_mode,
    "allowed_origins": _origins,
    "allowed_hosts": _names,
    "chips": _templates,
    "name": _plain_name,
    "peers": _peers,
    "application": _origin,
    "keep_days": _days,
    "timezone": _zone,
    "monitoring": _path,
    "turn_timeout": _seconds,
    "interrupt_timeout": _patience,
}
"""Of the settings that are more than a text: the field's name → its reader."""
