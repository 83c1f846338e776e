"""The offers of a session's Claude: its models, its permission modes, its commands and skills. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from typing import TypeVar

from paliadin.base.settings_values import PERMISSION_MODES
from paliadin.base.visible_text import escape_invisible

T = TypeVar("T")

MODEL = re.compile(r"(?![-/])[A-Za-z0-9._:/\[\]-]{1,100}")
"""The id of a model that Claude may be started with; it becomes an argument of `claude`."""
COMMAND = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,99}")
"""The name of a command, without its slash; it is typed."""

MOST_MODELS, MOST_COMMANDS, MOST_ALIASES = 50, 1000, 10
LONGEST_TEXT = 500  # characters of a description
_READ = 4 * LONGEST_TEXT  # characters that are looked at, of a text that may be of any length
_OWN_SKILL = "(paliadin) "  # how the description of a skill of Paliadin's own begins: nobody calls it by hand


@dataclass(frozen=True, slots=True)
class Model:
    """A model, by the id that `claude --model` takes, such as `sonnet` or `default`."""

    id: str
    name: str
    description: str = ""


@dataclass(frozen=True, slots=True)
class Command:
    """A command or a skill, by its name without the slash. `argument_hint` is what may follow it, such as `<file>`."""

    name: str
    description: str = ""
    argument_hint: str = ""
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Offers:
    """The offers of one Claude. Texts are one line each, with nothing invisible in them; names match the patterns."""

    models: tuple[Model, ...] = ()
    commands: tuple[Command, ...] = ()
    modes: tuple[str, ...] = ()

    def as_json(self) -> dict[str, object]:
        """Return the offers as a route and the shim give them."""
        return asdict(self)

    @classmethod
    def parse(cls, value: object) -> Offers:
        """Parse the result of `as_json`, also of another version's; entries that do not fit are left out."""
        if not isinstance(value, Mapping):
            return cls()
        modes = value.get("modes")
        known = tuple(mode for mode in PERMISSION_MODES if isinstance(modes, list) and mode in modes)
        return cls(
            _each(value.get("models"), _model, MOST_MODELS),
            _each(value.get("commands"), _command, MOST_COMMANDS),
            known,
        )


def _each(value: object, read: Callable[[Mapping[str, object]], T | None], most: int) -> tuple[T, ...]:
    """Parse the objects in a list with `read`, at most `most` of them; of those with the same id the first is kept.

    Claude Code runs that one, ignores case (`Init`, `init`), and may list behind it the command that it replaces.
    Of too many, both ends are kept: Claude Code's own commands stand behind those of a folder with thousands of skills.
    """

    def values() -> Iterator[T]:
        items = value if isinstance(value, list) else []
        for item in items if len(items) <= most else (*items[: most // 2], *items[-(most - most // 2) :]):
            if isinstance(item, Mapping) and (parsed := read(item)) is not None:
                yield parsed

    by_id: dict[str, T] = {}
    for each in values():
        by_id.setdefault(str(getattr(each, "id", None) or getattr(each, "name", "")).casefold(), each)
    return tuple(by_id.values())


def _model(item: Mapping[str, object]) -> Model | None:
    """Parse a model, with our own field names or with Claude Code's."""
    identity = item.get("id", item.get("value"))
    if not isinstance(identity, str) or not MODEL.fullmatch(identity):
        return None
    name = one_line(item.get("name", item.get("displayName")))
    return Model(identity, name or identity, one_line(item.get("description")))


def _command(item: Mapping[str, object]) -> Command | None:
    name, description = item.get("name"), one_line(item.get("description"))
    if not isinstance(name, str) or not COMMAND.fullmatch(name) or description.startswith(_OWN_SKILL):
        return None
    aliases = item.get("aliases")
    names = tuple(
        alias
        for alias in (aliases[:MOST_ALIASES] if isinstance(aliases, list | tuple) else ())
        if isinstance(alias, str) and COMMAND.fullmatch(alias)
    )
    return Command(name, description, one_line(item.get("argument_hint", item.get("argumentHint"))), names)


def one_line(value: object) -> str:
    """Put a foreign text into one line of at most LONGEST_TEXT characters, with nothing invisible in it."""
    text = escape_invisible(" ".join(value[:_READ].split())) if isinstance(value, str) else ""
    return text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 1] + "…"
