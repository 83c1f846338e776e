"""A patent practice's own data, which Claude reads for the person who asks (docs/practice.md)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from paliadin.base.settings_values import boolean, setting
from paliadin.parts import Extra

if TYPE_CHECKING:
    from paliadin.base.settings import Settings


@dataclass(frozen=True, slots=True)
class PracticeSettings:
    """The settings of this part."""

    paliad: bool = setting(boolean, default=False)
    second_pair: bool | None = setting(boolean, default=None)  # nobody approves their own suggestions; None: as it was


SETTINGS = PracticeSettings
EXTRA = Extra("practice", "PALIAD", ("holidays", "mcp", "pydantic"))
COMMANDS = {"paliad": "Fill a patent practice's tables: seed them to try things out, import judgments."}


def is_on(settings: Settings) -> bool:
    """Tell whether the daemon has a practice."""
    return settings.part(PracticeSettings).paliad
