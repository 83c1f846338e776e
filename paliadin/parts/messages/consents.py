"""Records who has agreed that their questions go to a model elsewhere. Everybody is asked anew when that changes."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from paliadin.base.errors import ConfigError, PaliadinError
from paliadin.base.files import read_private, write_json
from paliadin.people.person_key import PersonKey

TEXT = 1
"""The version of the text that people agree to (`consent.text` in the page's texts): a new one is asked for anew."""


class Consents:
    """The agreements of one state folder, in `consents.json`: `PersonKey.as_text` → version and time.

    `host` and `model` say where questions go: whoever has agreed to one has not agreed to another.
    """

    def __init__(self, home: Path, host: str, model: str) -> None:
        self.host, self.model, self.version = host, model, f"{TEXT} {host} {model}"
        self._path = home / "consents.json"
        self._agreed = self._load()

    def has_agreed(self, person: PersonKey) -> bool:
        """Tell whether the person has agreed to the present text, host and model."""
        return self._agreed.get(person.as_text, {}).get("version") == self.version

    def agree(self, person: PersonKey, version: object) -> bool:
        """Record that the person has agreed to this version; return False if that was recorded before.

        Raises PaliadinError if it is an earlier version, and StorageFull.
        """
        if version != self.version:
            raise PaliadinError(
                "what is sent where has changed",
                code="consent_changed",
                status=409,
                hint="Reload the page, and read it.",
            )
        if self.has_agreed(person):
            return False
        agreed = {**self._agreed, person.as_text: {"version": self.version, "at": int(time.time())}}
        write_json(self._path, agreed)
        self._agreed = agreed
        return True

    def forget(self, person: PersonKey) -> None:
        """Remove what the person has agreed to; raises StorageFull."""
        if person.as_text in self._agreed:
            agreed = {name: each for name, each in self._agreed.items() if name != person.as_text}
            write_json(self._path, agreed)
            self._agreed = agreed

    def _load(self) -> Mapping[str, Mapping[str, Any]]:
        try:
            stored = json.loads(read_private(self._path))
            return {name: {"version": str(each["version"]), "at": int(each["at"])} for name, each in stored.items()}
        except FileNotFoundError:
            return {}
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise ConfigError(
                f"{self._path} is damaged", hint=f"Delete {self._path}: everybody is asked again."
            ) from error
