"""Pictures of the demo in its main states: `python -m tests.tools.screenshots [FOLDER]`.

Into the folder go the README's pictures, as FOLDER/*.png; with `--all` every state in every theme, language and size
too, for looking at: FOLDER/all/STATE-SIZE-THEME-LANG.png. All pages follow one demo at the same time.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urljoin

from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.helpers.chromium import launch_options

ROOT = Path(__file__).parents[2]
Look = tuple[str, str, str]  # size, theme, language
README = {
    "page": ("evidence", "tall", "light", "en"),
    "page-dark-phone": ("answer", "phone", "dark", "en"),
    "drawer": ("drawer", "desktop", "light", "en"),
}
SIZES = {"desktop": (1280, 800), "phone": (390, 844), "tall": (1120, 1000)}
DEMO = """from paliadin.demo.run import run
run(0, announce=lambda addresses: print(addresses.page, addresses.example, addresses.member, sep="\\n", flush=True))"""


@dataclass(frozen=True)
class View:
    size: str
    theme: str
    lang: str
    page: Page

    def shoot(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self.page.screenshot(path=path, animations="disabled", caret="hide")


@dataclass(frozen=True)
class Album:
    """The views of one demo. `driver` is the one in which questions are asked; the others see the same conversation."""

    folder: Path
    views: list[View]
    every: bool

    @property
    def driver(self) -> Page:
        return self.views[0].page

    def keep(self, state: str) -> None:
        for view in self.views:
            taken = (state, view.size, view.theme, view.lang)
            for name in (name for name, wanted in README.items() if wanted == taken):
                view.shoot(self.folder / f"{name}.png")
            if self.every:
                view.shoot(self.folder / "all" / f"{'-'.join(taken)}.png")

    def ask(self, question: str, until: str) -> None:
        """Ask, and wait until every view shows something that matches the selector."""
        self.driver.locator(".composer textarea").fill(question)
        self.driver.locator(".composer textarea").press("Enter")
        expect(self.driver.locator(".status")).to_be_visible()
        for view in self.views[1:]:
            view.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")  # they look at once
        self.wait(until)

    def wait(self, until: str) -> None:
        for view in self.views:
            expect(view.page.locator(until).last).to_be_visible(timeout=20_000)

    def done(self) -> None:
        for view in self.views:
            expect(view.page.locator(".turn:last-child .turn-foot")).to_be_visible(timeout=20_000)


@contextlib.contextmanager
def demo() -> Iterator[list[str]]:
    """The addresses of the page and of the example application that holds the drawer, and a member's name."""
    process = subprocess.Popen([sys.executable, "-c", DEMO], stdout=subprocess.PIPE, text=True, cwd=ROOT)
    assert process.stdout is not None
    try:
        yield [process.stdout.readline().strip() for _ in range(3)]
    finally:
        process.terminate()
        process.wait(20)


def open_views(browser: Browser, url: str, wanted: Iterable[Look], until: str) -> Iterator[View]:
    """The first one opens the address, which signs it in; the others have its cookie."""
    signed_in = None
    for size, theme, lang in wanted:
        width, height = SIZES[size]
        context = browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if theme == "dark" else "light",
            locale={"en": "en-GB", "de": "de-DE"}[lang],
            has_touch=size == "phone",
            is_mobile=size == "phone",
            storage_state=signed_in,
        )
        page = context.new_page()
        page.goto(url)
        expect(page.locator(until).first).to_be_visible()
        signed_in, url = context.storage_state(), page.url
        yield View(size, theme, lang, page)


MAKE = """async () => {
  const options = { method: "POST", headers: { "Content-Type": "application/json" }, body: "{}" };
  return (await (await fetch("api/paliadin/conversations", options)).json()).id;
}"""


def fill_list(page: Page) -> None:
    """Ask in a few conversations, and come back to the first one."""
    first = page.url
    for question in ("What does case law say on urgency?", "Explain statement of defence"):
        page.goto(f"{first}?session={page.evaluate(MAKE)}")
        page.locator(".composer textarea").fill(question)
        page.locator(".composer textarea").press("Enter")
        expect(page.locator(".turn-foot").last).to_be_visible(timeout=20_000)
        page.goto(first)


def take(album: Album) -> None:
    album.keep("empty")
    fill_list(album.driver)
    album.ask("Which deadlines are open?", ".turn:last-child .turn-foot")
    album.keep("answer")
    for view in album.views:
        view.page.locator(".evidence > summary").last.click()
    album.keep("evidence")
    if not album.every:
        return
    album.ask("Ask me something first, then answer.", ".ask")
    album.keep("question")
    album.driver.locator(".choice").nth(1).click()
    album.driver.locator(".ask [type=submit]").click()
    album.done()
    album.keep("answered")
    album.ask("Write a note that the expert was called.", ".ask")
    album.keep("permission")
    album.driver.locator(".ask button").last.click()
    album.done()
    album.keep("denied")
    album.ask("Explain how this demo works, at length.", ".turn:last-child .code")
    album.keep("streaming")
    album.done()
    album.keep("long")
    for view in album.views:
        view.page.route("**/api/**", lambda route: route.abort())
    album.wait(".banner.warn")
    album.keep("lost")
    for view in album.views:
        view.page.unroute_all()
        view.page.context.clear_cookies()
    album.wait(".empty .primary")
    album.keep("signed-out")


def take_drawer(album: Album, member: str) -> None:
    """In the example application, on the page of a project, as a member of the practice."""
    pages = [view.page for view in album.views]
    for view in album.views:
        if view.page.locator(".people").is_visible():  # the others have its cookie
            view.page.get_by_role("button", name=member).click()
        view.page.goto(urljoin(view.page.url, "/projects/demo-project-7"))
        expect(view.page.locator(".drawer-button")).to_be_visible()
    album.keep("drawer-closed")
    for page in pages:
        page.evaluate("getSelection().selectAllChildren(document.querySelector('#state'))")
        page.locator(".drawer-button").click()
        page.locator(".here > summary").click()
    album.wait(".starters .starter")
    album.keep("drawer-starters")
    for page in pages:
        page.locator(".here > summary").click()
        page.mouse.move(0, 0)
    album.ask("What is the state of this project?", ".turn:last-child .turn-foot")
    album.keep("drawer")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "docs" / "images")
    parser.add_argument("--all", action="store_true", help="every state in every theme, language and size")
    options = parser.parse_args()
    places = ("page", "drawer")
    looks = {place: [taken[1:] for name, taken in README.items() if name.startswith(place)] for place in places}
    if options.all:
        shutil.rmtree(options.folder / "all", ignore_errors=True)
        every = list(itertools.product(("desktop", "phone"), ("light", "dark"), ("en", "de")))
        looks = {place: [*some, *every] for place, some in looks.items()}
    with demo() as (url, example, member), sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launch_options())
        views = open_views(browser, url, looks["page"], ".starters .starter")
        take(Album(options.folder, list(views), options.all))
        views = open_views(browser, example, looks["drawer"], ".people")
        take_drawer(Album(options.folder, list(views), options.all), member)
        browser.close()


if __name__ == "__main__":
    main()
