"""The list of conversations as a person sees and uses it, and conversations made for a test."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.browser.helpers.chat import Chat
from tests.worlds.world import World


@dataclass
class Made:
    """Conversations that are gone when the test is over."""

    world: World
    sessions: list[str] = field(default_factory=list)

    def __call__(self, *questions: str, **fields: Any) -> str:
        """Make one in which these were asked; returns its id."""
        response = self.world.post("conversations", fields)
        assert response.status_code == 201, response.text
        session = str(response.json()["id"])
        self.sessions.append(session)
        for question in questions:
            self.world.turn(question, session_id=session)
        return session

    def item(self, session: str) -> dict[str, Any]:
        [item] = [each for each in self.world.get("conversations")["conversations"] if each["id"] == session]
        return dict(item)

    def clear(self, besides: str = "") -> None:
        """Remove all but `main` and one more: also those that were made on the page."""
        listed = [self.world.get(f"conversations{query}")["conversations"] for query in ("", "?archived=1")]
        with self.world.client() as client:
            for item in [each for items in listed for each in items if each["id"] not in {"main", besides}]:
                if running := item["running_turn"]:
                    self.world.post(f"stream/{running}/abort")
                    list(self.world.follow(running))
                client.delete(f"/api/paliadin/conversations/{item['id']}")


@dataclass(frozen=True)
class Listing:
    """The list in a page, or in a drawer."""

    within: Page | Locator

    @property
    def items(self) -> Locator:
        return self.within.locator(".item:visible")

    @property
    def titles(self) -> Locator:
        return self.within.locator(".item-title:visible")

    @property
    def search(self) -> Locator:
        return self.within.get_by_role("searchbox", name="Search all conversations")

    @property
    def toast(self) -> Locator:
        return self.within.locator(".toast")

    @property
    def current(self) -> Locator:
        return self.within.locator(".item:visible:has([aria-current])")

    def item(self, title: str | re.Pattern[str]) -> Locator:
        return self.items.filter(has_text=title)

    def open(self, title: str) -> None:
        self.item(title).locator(".item-link").click()
        expect(self.current).to_contain_text(title)

    def choose(self, title: str, entry: str) -> None:
        """Choose an entry of the item's menu."""
        self.item(title).hover()
        self.item(title).locator(".item-more").click()
        self.within.get_by_role("menuitem", name=entry, exact=True).click()


def listing(chat: Chat) -> Listing:
    return Listing(chat.page)
