"""The page as a person sees and uses it."""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator
from dataclasses import dataclass

from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.helpers.page_stream import look
from tests.worlds.world import World, eventually

WITHOUT_CHIPS = """(texts) => texts.map((text) => {
  const copy = text.cloneNode(true);
  copy.querySelectorAll(".chip-place").forEach((chip) => chip.remove());
  copy.querySelectorAll("p, li, div").forEach((block) => block.append(" "));
  return copy.textContent;
}).join(" ")"""


def ask(view: Page | Locator, question: str) -> None:
    """Send a question and see its turn drawn: before the next frame, the last turn is still the one before."""
    turns = view.locator(".turn")
    before = turns.count()
    input_ = view.locator(".composer textarea")
    input_.fill(question)
    input_.press("Enter")
    expect(input_).to_have_value("")
    expect(turns.nth(before)).to_be_attached()


def hold(page: Page, pattern: str) -> list[Route]:
    """The requests to these addresses as they come, and wait."""
    held: list[Route] = []

    def keep(route: Route) -> None:
        held.append(route)

    page.route(pattern, keep)
    return held


@contextlib.contextmanager
def asked_later(chat: Chat, question: str) -> Iterator[None]:
    """Send a question, which reaches the daemon only at the end of the block: its answer cannot come before."""
    pattern = "**/api/paliadin/turn"
    held = hold(chat.page, pattern)
    chat.ask(question)
    yield
    eventually(lambda: chat.page.evaluate("true") and held, what="the question is sent")
    held[0].continue_()
    chat.page.unroute(pattern)


@dataclass(frozen=True)
class Chat:
    page: Page
    world: World

    @property
    def input(self) -> Locator:
        return self.page.locator(".composer textarea")

    @property
    def stop(self) -> Locator:
        return self.button(re.compile("^(Stop|Anhalten)"))

    @property
    def turns(self) -> Locator:
        return self.page.locator(".turn:visible")

    @property
    def turn(self) -> Locator:
        return self.turns.last

    @property
    def text(self) -> Locator:
        """The answer's prose, one for each message."""
        return self.turn.locator(".prose")

    @property
    def words(self) -> list[str]:
        """Those of the answer, without its chips."""
        return str(self.text.evaluate_all(WITHOUT_CHIPS)).split()

    @property
    def card(self) -> Locator:
        return self.page.locator(".ask")

    def button(self, name: str | re.Pattern[str]) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def ask(self, question: str) -> None:
        """Ask; the scenes that work on files find the folder in the question."""
        ask(self.page, f"{question} in:{self.world.workdir}" if "scene:" in question else question)

    def ends(self) -> None:
        """Wait for the turn's end."""
        expect(self.turn.locator(".turn-foot, .problem").first).to_be_visible()
        expect(self.page.locator(".composer button .icon-send")).to_be_visible()

    def asked(self, question: str) -> None:
        self.ask(question)
        self.ends()

    def look(self) -> None:
        """Let the page look anew what happened elsewhere."""
        look(self.page)

    def shown(self) -> list[str]:
        """Every text that the conversation ever had since the page was loaded (watch.js)."""
        return [str(text) for text in self.page.evaluate("shown")]
