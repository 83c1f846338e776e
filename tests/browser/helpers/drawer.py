"""The drawer as a person sees and uses it, in the application of examples/host, with a daemon behind it."""

from __future__ import annotations

import contextlib
import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from playwright.sync_api import Locator, Page, expect

from examples.host.app import Host
from paliadin.people.access import Purpose
from tests.browser.helpers.chat import ask
from tests.browser.helpers.conversations import Made
from tests.browser.helpers.emptying import empty
from tests.worlds.world import World, give_key

EMBED_KEY = "an-applications-key-0123456789"


@dataclass(frozen=True)
class Site:
    host: Host
    world: World

    @property
    def url(self) -> str:
        return self.host.origin

    @property
    def session(self) -> str:
        """The first conversation of the person in the application's drawer; "" before the first question there."""
        items = self.world.get("conversations")["conversations"]
        own = [item["id"] for item in items if item["origin"] == self.host.origin]
        return next((str(name) for name in own if re.search("-[0-9a-f]{32}$", name)), "")

    def history(self) -> list[dict[str, Any]]:
        """Its turns, as the daemon has them."""
        return list(self.world.get(f"history?session_id={self.session}")["turns"])

    def empty(self) -> None:
        """Let the next test begin with nothing asked there, and no other conversation."""
        Made(self.world).clear(besides=self.session)
        if self.session:
            empty(self.world, self.session)


@contextlib.contextmanager
def serving(world: World) -> Iterator[Site]:
    """The application, on a port of its own; starts the world's daemon, which must not run yet, for its origin."""
    host = Host(0, "", EMBED_KEY)
    world.options["OWNER"] = "demo"  # whom the application names
    world.options |= dict.fromkeys(("ALLOWED_ORIGINS", "PEOPLE_ORIGINS", "PERMISSION_ORIGINS"), host.origin)
    give_key(world.settings.home, EMBED_KEY, Purpose.EMBED)
    world.start()
    host.paliadin = host.widget = f"http://127.0.0.1:{world.options['PORT']}"
    (world.workdir / "data.csv").write_text("id,what\nc47bd2,defence\n")
    threading.Thread(target=host.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield Site(host, world)
    finally:
        host.shutdown()
        host.server_close()


@dataclass(frozen=True)
class Drawer:
    page: Page
    site: Site
    reports: list[str]
    allowed: list[str]  # parts of reports that the test itself provokes

    @property
    def button(self) -> Locator:
        return self.page.get_by_role("button", name=re.compile("^(Open the assistant|Den Assistenten öffnen)"))

    @property
    def dialog(self) -> Locator:
        return self.page.locator("dialog.drawer")

    @property
    def input(self) -> Locator:
        return self.dialog.locator("textarea")

    def go(self, path: str) -> None:
        self.page.goto(f"{self.site.url}{path}")

    def open(self) -> None:
        self.button.click()
        expect(self.dialog).to_be_visible()
        expect(self.dialog.locator(".empty h2:visible, .turn:visible").first).to_be_visible()

    def asked(self, question: str) -> None:
        ask(self.dialog, question)
        expect(self.dialog.locator(".turn").last.locator(".turn-foot, .problem").first).to_be_visible()
        expect(self.dialog.locator(".composer .icon-send")).to_be_visible()

    def context(self) -> dict[str, str]:
        """That of the last turn, as the daemon has it."""
        return dict(self.site.history()[-1]["context"])
