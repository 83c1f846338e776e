"""Finds the parts: the folders of `paliadin/parts`. Nobody lists them, and only their small modules are imported.

The command line imports their packages alone; who reads settings, their modules `settings` as well.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import Field, fields
from types import ModuleType
from typing import Any

PARTS = "paliadin.parts"


def part_modules() -> list[ModuleType]:
    """Return the package of each part, by name: its commands, and what has to be installed for it."""
    folders = pkgutil.iter_modules(importlib.import_module(PARTS).__path__)
    return [importlib.import_module(f"{PARTS}.{each.name}") for each in folders if each.ispkg]


def settings_of(part: ModuleType) -> ModuleType:
    """Return the part's module `settings`: its SETTINGS, and whether one of them switches it on."""
    return importlib.import_module(f"{part.__name__}.settings")


def setting_parsers() -> dict[str, Callable[[str], object]]:
    """Return the parser of each setting that parts declare in their SETTINGS, a dataclass, by field name."""
    return {each.name: each.metadata["parser"] for each in _fields()}


def secret_settings() -> set[str]:
    """Return the names of those settings of parts that are secrets."""
    return {each.name for each in _fields() if each.metadata["secret"]}


def make_part_settings(parsed: Mapping[str, object]) -> tuple[object, ...]:
    """Make each part's SETTINGS of the values that were read."""
    return tuple(
        kind(**{each.name: parsed[each.name] for each in fields(kind) if each.name in parsed}) for kind in _kinds()
    )


def switched_on(parts: tuple[Any, ...]) -> dict[str, bool | str]:
    """Return the settings of parts, by field name, that are set to a text or to true: one of them switches a part on.

    Secrets are left out.
    """
    values = {each.name: getattr(part, each.name) for part in parts for each in fields(part) if _is_set(part, each)}
    return {name: value for name, value in values.items() if value is True or isinstance(value, str)}


def _is_set(part: object, setting: Field[Any]) -> bool:
    return not setting.metadata["secret"] and getattr(part, setting.name) != setting.default


def _fields() -> Iterator[Field[Any]]:
    return (each for kind in _kinds() for each in fields(kind))


def _kinds() -> list[Any]:
    return [module.SETTINGS for module in map(settings_of, part_modules()) if hasattr(module, "SETTINGS")]
