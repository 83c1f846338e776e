"""The settings of the Messages API, and their parsers. Pure."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from paliadin.base.settings_values import MESSAGES, WORKER, boolean, is_loopback, person_name, setting, whole_number

if TYPE_CHECKING:
    from paliadin.base.settings import Settings


def is_api_key(text: str) -> bool:
    """Tell whether a text may be a key of the Messages API: a header's value, without blanks."""
    return re.fullmatch(r"[!-~]{8,400}", text) is not None


def _api_key(text: str) -> str:
    if not is_api_key(text):
        raise ValueError("give the key as the console shows it: 8 to 400 letters, digits and signs, without blanks")
    return text


def _api_url(text: str) -> str:
    address = urlsplit(text)
    if not re.fullmatch(r"https?://[^/\s?#@*]+(/[^\s?#]*)?", text) or (
        address.scheme == "http" and not (address.hostname == "localhost" or is_loopback(address.hostname or ""))
    ):
        raise ValueError("give an https address such as https://api.anthropic.com; http only for this machine")
    return text.rstrip("/")


def _model(text: str) -> str:
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._:@/-]{0,99}", text):
        raise ValueError("give the id of a model such as claude-sonnet-5-5")
    return text


def _amount(text: str) -> int:
    number = whole_number(text)
    if not 1 <= number <= 1_000_000:
        raise ValueError("give a number from 1 to 1,000,000")
    return number


def _dollars(text: str) -> float:
    try:
        dollars = float(text)
    except ValueError:
        raise ValueError("give US dollars, such as 50 or 12.50") from None
    if not 0 < dollars < 1e9:
        raise ValueError("give a positive number of US dollars, such as 50")
    return dollars


@dataclass(frozen=True, slots=True)
class MessagesSettings:
    """The settings of this part."""

    api_key: str | None = setting(_api_key, None, secret=True)
    api_url: str = setting(_api_url, "https://api.anthropic.com")
    api_model: str = setting(_model, "claude-sonnet-5-5")
    firm: str | None = setting(person_name, None)  # whose people ask; the model is told
    turns_per_hour: int = setting(_amount, 30)  # of one person
    all_turns_per_hour: int = setting(_amount, 1000)  # of everybody
    owner_unlimited: bool = setting(boolean, default=False)  # the owner may ask more than `turns_per_hour`
    budget_warns: float | None = setting(_dollars, None)  # US dollars of a month: the owner is told
    budget_stops: float | None = setting(_dollars, None)  # from so many on nothing is asked
    worker_turns: int = setting(_amount, 100)  # of a worker at once
    # Tokens of a turn: of what was said before, with the question; of a question alone; of system prompt, tools and
    # their results; of each message of the model.
    history_tokens: int = setting(_amount, 4000)
    question_tokens: int = setting(_amount, 6000)
    context_tokens: int = setting(_amount, 40_000)
    output_tokens: int = setting(_amount, 2000)

    @property
    def api_host(self) -> str:
        """The name of the API's host."""
        return urlsplit(self.api_url).hostname or ""


SETTINGS = MessagesSettings


def is_on(settings: Settings) -> bool:
    """Tell whether some conversations are carried over the Messages API; a worker serves none."""
    return settings.role != WORKER and (
        settings.relay == MESSAGES or settings.part(MessagesSettings).api_key is not None
    )
