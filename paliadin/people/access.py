"""Access control: one-time tickets, the browsers that are signed in, and the keys of programs.

A ticket is in the address that `paliadin up`, `open` and `people token` print; it exists in memory only. A browser
exchanges it for a cookie. A program has a key, which is shown once. `$PALIADIN_HOME/access.json` holds nothing that
lets anybody in: the hashes of cookies and keys, and the label of the address at which a browser's cookie is valid.
"""

from __future__ import annotations

import base64
import hmac
import json
import re
import secrets
import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import asdict, dataclass, replace
from enum import StrEnum
from pathlib import Path
from typing import Any

from paliadin.base.errors import ConfigError, InvalidField, NotFound
from paliadin.base.files import read_private, write_json
from paliadin.people.directory import People
from paliadin.people.embed_tokens import EmbedTokens
from paliadin.people.secret_digest import digest_of
from paliadin.people.tickets import Tickets

SIGN_IN_LIFETIME = 30 * 24 * 3600.0  # seconds until a browser has to sign in again
MAX_BROWSERS = 50  # of one person that are signed in; a further one signs out the one that was used least recently
LONGEST_AGENT = 300  # characters of a browser's own description that are kept
_SAVE_USE_AFTER = 600.0  # seconds between two times at which the use of a browser or a key is saved
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")
SHORTEST_TOKEN = 16  # characters
LABEL = re.compile(r"[a-z2-7]{26}")  # of the page's own address, in the lower case that a host name has
OWNERS = ""  # in place of a person's id: the owner's, whether or not they have an entry among the people


class Purpose(StrEnum):
    """The purpose of a key, which decides what it opens. A part's routes may have one of their own beside these."""

    EMBED = "embed"  # the server of an application: it requests tokens for its drawer
    METRICS = "metrics"  # Prometheus
    PEER = "peer"  # another daemon of the same owner, which forwards requests
    OWNER = "owner"  # a program that stands for the owner: all but sign-ins and keys


@dataclass(frozen=True, slots=True)
class Browser:
    """A browser that is signed in. Times are seconds since 1970."""

    id: str
    digest: str  # of its cookie
    agent: str  # how it describes itself (the header User-Agent)
    signed_in: float
    last_used: float
    person: str = OWNERS  # whose it is


@dataclass(frozen=True, slots=True)
class Key:
    """A program's key. Times are seconds since 1970; `last_used` is None before the first use."""

    name: str
    purposes: tuple[str, ...]
    digest: str
    made: float
    last_used: float | None = None


class Access:
    """The tickets, browsers and keys of one state folder, and the people that it knows; the daemon alone changes them.

    `token` is the setting PALIADIN_TOKEN: a key for applications and Prometheus, never stored.
    """

    def __init__(self, home: Path, token: str | None = None) -> None:
        self._path = home / "access.json"
        self.revocations = 0  # how often somebody was signed out or a key became invalid
        self.label = ""  # of the page's own address; nobody can guess it
        self._browsers: dict[str, Browser] = {}
        self._keys: dict[str, Key] = {}
        self.tickets = Tickets()
        self.people = People(home)
        self.embed_tokens = EmbedTokens()
        self._configured = _configured_key(token) if token else None
        self._load()

    def new_ticket(self, person: str = OWNERS) -> str:
        """Make a ticket: whoever opens an address with it within TICKET_LIFETIME is signed in as the person, once."""
        return self.tickets.new(self._whose(person))

    def sign_in(self, ticket: str, agent: str) -> str | None:
        """Exchange a ticket for a browser's cookie; None if the ticket was used before, has expired or never was."""
        person = self.tickets.use_up(ticket)
        if person is None:
            return None
        cookie, now = secrets.token_urlsafe(32), time.time()
        browser = Browser(secrets.token_hex(4), digest_of(cookie), agent[:LONGEST_AGENT], now, now, person)
        own = [other for other in self.list_browsers() if other.person == person][: MAX_BROWSERS - 1]
        others = [other for other in self._browsers.values() if other.person != person]
        self._browsers = {other.id: other for other in [*others, *own, browser]}
        self._save()
        return cookie

    def browser(self, cookie: str) -> Browser | None:
        """Return the browser that has this cookie; None if it is not signed in, or no longer."""
        digest, now = digest_of(cookie), time.time()
        browser = next((each for each in self._browsers.values() if hmac.compare_digest(each.digest, digest)), None)
        if browser is None or not self._is_current(browser):
            return None
        if now > browser.last_used + _SAVE_USE_AFTER:
            self._browsers[browser.id] = replace(browser, last_used=now)
            self._save()
        return browser

    def list_browsers(self) -> list[Browser]:
        """Return the browsers that are signed in, the one that was used last first."""
        return sorted(filter(self._is_current, self._browsers.values()), key=lambda each: -each.last_used)

    def _is_current(self, browser: Browser) -> bool:
        """Tell whether a browser's sign-in still holds: it is not too old, and its person is still let in."""
        is_known = browser.person == OWNERS or self.people.get(browser.person) is not None
        return is_known and time.time() < browser.signed_in + SIGN_IN_LIFETIME

    def _whose(self, person: str) -> str:
        """Return the person as tickets and browsers name them: OWNERS for the owner, whatever the owner is called."""
        owner = self.people.owner
        return OWNERS if owner and owner.id == person else person

    def sign_out(self, browser_id: str) -> None:
        """Sign out a browser; raises NotFound."""
        if browser_id not in self._browsers:
            raise NotFound("no browser with this id is signed in", code="unknown_browser", hint="List them again.")
        self._keep_browsers(lambda each: each.id != browser_id)

    def sign_out_person(self, person: str) -> bool:
        """Sign out all browsers of a person (OWNERS: the owner), and make the tickets for them invalid.

        Return whether there were any.
        """
        whose, before = self._whose(person), len(self._browsers)
        had_tickets = self.tickets.withdraw(whose)
        self._keep_browsers(lambda each: each.person != whose)
        return had_tickets or len(self._browsers) < before

    def _keep_browsers(self, stays: Callable[[Browser], bool]) -> None:
        self._browsers = {key: each for key, each in self._browsers.items() if stays(each)}
        self.revocations += 1
        self._save()

    def rotate(self) -> None:
        """Sign out every browser, and make all tickets, drawers' tokens and the address of the page invalid."""
        self.tickets = Tickets()
        self.embed_tokens = EmbedTokens()
        self._browsers, self.label = {}, _new_label()
        self.revocations += 1
        self._save()

    def add_key(self, name: str, purpose: str, of_parts: Collection[str] = ()) -> str:
        """Make a key and return it: it is not stored and cannot be shown again. Raises InvalidField.

        `of_parts` are the purposes that there are beside those of the core.
        """
        if not _NAME.fullmatch(name):
            raise InvalidField("name must be 1 to 64 letters, digits, dots, - or _")
        if name in self._keys:
            raise InvalidField(
                f"there is a key {name} already", hint=f"Give it a new secret with `paliadin token rotate {name}`."
            )
        if purpose not in (purposes := [*map(str, Purpose), *of_parts]):
            raise InvalidField(f"purpose must be one of {', '.join(purposes)}")
        return self._store_key(name, (purpose,))

    def rotate_key(self, name: str) -> str:
        """Make a new key in place of the one with this name, and return it; raises NotFound."""
        self.revocations += 1
        return self._store_key(name, self._known_key(name).purposes)

    def remove_key(self, name: str) -> None:
        """Make the key with this name invalid; raises NotFound."""
        self._known_key(name)
        del self._keys[name]
        self.revocations += 1
        self._save()

    def key(self, secret: str) -> Key | None:
        """Return the key with this secret; None if there is none."""
        digest = digest_of(secret)
        key = next((each for each in self.list_keys() if hmac.compare_digest(each.digest, digest)), None)
        if key and key.name in self._keys and time.time() > (key.last_used or 0) + _SAVE_USE_AFTER:
            self._keys[key.name] = replace(key, last_used=time.time())
            self._save()
        return key

    def list_keys(self) -> list[Key]:
        """Return all keys, by name."""
        return sorted([*self._keys.values(), *([self._configured] if self._configured else [])], key=lambda k: k.name)

    def _known_key(self, name: str) -> Key:
        if name not in self._keys:
            raise NotFound("there is no key of this name", code="unknown_key", hint="`paliadin token list` shows all.")
        return self._keys[name]

    def _store_key(self, name: str, purposes: tuple[str, ...]) -> str:
        secret = f"pal-{secrets.token_urlsafe(32)}"
        self._keys[name] = Key(name, purposes, digest_of(secret), time.time())
        self._save()
        return secret

    def _load(self) -> None:
        try:
            stored = json.loads(read_private(self._path))
            self.label = str(stored["label"])
            self._browsers = {each["id"]: Browser(**each) for each in stored["browsers"]}
            self._keys = {each["name"]: _read_key(each) for each in stored["keys"]}
        except FileNotFoundError:
            self.label = _new_label()
            self._save()
        except (ValueError, KeyError, TypeError) as error:
            raise ConfigError(
                f"{self._path} is damaged",
                hint=f"Delete {self._path}: browsers then sign in again, and programs need new keys.",
            ) from error

    def _save(self) -> None:
        browsers, keys = map(asdict, self.list_browsers()), map(asdict, self._keys.values())
        write_json(self._path, {"label": self.label, "browsers": list(browsers), "keys": list(keys)})


def stored_keys(home: Path) -> list[Key]:
    """Read the keys of a state folder, for a process that is not its daemon; raises FileNotFoundError, ConfigError."""
    try:
        return [_read_key(each) for each in json.loads(read_private(home / "access.json"))["keys"]]
    except (ValueError, KeyError, TypeError) as error:
        raise ConfigError(f"{home / 'access.json'} is damaged", hint="The daemon says what to do.") from error


def _read_key(stored: Mapping[str, Any]) -> Key:
    return Key(**{**stored, "purposes": tuple(map(str, stored["purposes"]))})


def _configured_key(token: str) -> Key:
    return Key("PALIADIN_TOKEN", (Purpose.EMBED, Purpose.METRICS), digest_of(token), time.time())


def _new_label() -> str:
    """Make a LABEL that nobody can guess."""
    return base64.b32encode(secrets.token_bytes(16)).decode().rstrip("=").lower()
