"""The settings of toys."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from paliadin.base.settings_values import boolean, setting

if TYPE_CHECKING:
    from paliadin.base.settings import Settings


def _key(text: str) -> str:
    if len(text) < 8:
        raise ValueError("give at least 8 letters")
    return text


@dataclass(frozen=True, slots=True)
class ToySettings:
    toy: bool = setting(boolean, default=False)
    toy_key: str | None = setting(_key, default=None, secret=True)


SETTINGS = ToySettings


def is_on(settings: Settings) -> bool:
    return settings.part(ToySettings).toy
