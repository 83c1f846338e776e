"""The settings of the practice."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from paliadin.base.settings_values import boolean, setting

if TYPE_CHECKING:
    from paliadin.base.settings import Settings


@dataclass(frozen=True, slots=True)
class PracticeSettings:
    """The settings of this part."""

    paliad: bool = setting(boolean, default=False)
    second_pair: bool | None = setting(boolean, default=None)  # nobody approves their own suggestions; None: as it was


SETTINGS = PracticeSettings


def is_on(settings: Settings) -> bool:
    """Tell whether the daemon has a practice."""
    return settings.part(PracticeSettings).paliad
