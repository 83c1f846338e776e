"""The weak points of `paliadin doctor`: settings and files that work, and let somebody do more than they need to.

Each check yields one Part for each finding; no message holds a secret. None changes anything.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from urllib.parse import urlsplit

from paliadin.base.errors import ConfigError, PaliadinError
from paliadin.base.settings import Settings
from paliadin.base.settings_values import is_loopback
from paliadin.cli.exposed_files import check_files
from paliadin.cli.far_keys import check_far_keys
from paliadin.people.access import Key, stored_keys
from paliadin.relays.terminal.requirements import Part, fine, warning

DAY = 24 * 3600.0
OLD = 365 * DAY  # seconds since a key was made
UNUSED = 182 * DAY  # seconds since a key was last used
_MODES = {
    "acceptEdits": "Claude changes files in its working folder without asking",
    "auto": "a model decides in your place which commands run unasked",
    "bypassPermissions": "every command runs unasked, also one that a text which Claude reads asks for",
}


def check_weak_points(settings: Settings) -> list[Part]:
    """Return a warning for each weak point; without any, one part that says so."""
    parts: list[Part] = []
    for name, check in CHECKS.items():
        try:
            parts += check(settings)
        except PaliadinError as error:
            parts.append(warning(name, error.message, error.hint))
        except OSError as error:
            parts.append(warning(name, f"cannot be checked: {error}", "Make it readable for this account."))
    return parts or [fine("weak points", "none are known")]


def check_mode(settings: Settings) -> Iterator[Part]:
    """Check that Claude asks before it does anything."""
    if risk := _MODES.get(settings.permission_mode):
        message = f"PALIADIN_PERMISSION_MODE is {settings.permission_mode}: {risk}"
        yield warning("permission mode", message, "Set it to default, unless this machine holds nothing of value.")


def check_addresses(settings: Settings) -> Iterator[Part]:
    """Check that traffic with other machines is encrypted, and that the page's host is its own."""
    own = settings.address or ""
    if urlsplit(own).path.strip("/"):
        message = f"PALIADIN_ADDRESS is {own}: scripts of other applications at that host can get in as you"
        yield warning("addresses", message, "Give Paliadin a host name of its own, with nothing else below it.")
    addresses = {
        "ADDRESS": (own,),
        "ALLOWED_ORIGINS": tuple(
            origin for origin in settings.allowed_origins if not f"{own}/".startswith(f"{origin}/")
        ),
        "PEOPLE_ORIGINS": settings.people_origins,
        "PERMISSION_ORIGINS": settings.permission_origins,
        "APPLICATION": (settings.application or "",),
        "PEERS": tuple(settings.peers.values()),
    }
    for name, values in addresses.items():
        for value in values:
            address = urlsplit(value)
            if address.scheme == "http" and not _stays_here(address.hostname or ""):
                message = f"PALIADIN_{name} has {value}: whoever is on the way can read and change what is sent"
                yield warning("addresses", message, "Serve it over https, and name it so.")


def check_keys(settings: Settings) -> Iterator[Part]:
    """Check that every key is still needed."""
    try:
        keys = stored_keys(settings.home)
    except (FileNotFoundError, ConfigError):  # the part `access` says so
        return
    now = time.time()
    for key in keys:
        if weakness := _weakness(key, now):
            name = key.name
            hint = f"Run `paliadin token remove {name}`, or `paliadin token rotate {name}` if it is needed."
            yield warning("keys", f"the key {name} {weakness}", hint)


def _weakness(key: Key, now: float) -> str:
    if now - (key.last_used or key.made) > UNUSED:
        return f"opens {_opened(key.purposes)}, and was not used for half a year"
    if now - key.made > OLD:
        return f"opens {_opened(key.purposes)}, and is older than a year"
    return ""


def _opened(purposes: Sequence[str]) -> str:
    return " and ".join(purposes)


def _stays_here(host: str) -> bool:
    return host == "localhost" or host.endswith(".localhost") or is_loopback(host)


Check = Callable[[Settings], Iterator[Part]]

CHECKS: dict[str, Check] = {
    "permission mode": check_mode,
    "addresses": check_addresses,
    "keys": check_keys,
    "far keys": check_far_keys,
    "files": check_files,
}
