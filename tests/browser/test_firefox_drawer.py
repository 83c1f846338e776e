"""The drawer beside a page, in Debian's Firefox."""

from __future__ import annotations

import pytest

from tests.browser.helpers.accessibility import serious_in_firefox
from tests.browser.helpers.drawer import Site
from tests.browser.helpers.firefox import Firefox
from tests.worlds.world import eventually

INPUT = "paliadin-widget >>> .composer textarea"
SHADOW = "document.querySelector('paliadin-widget').shadowRoot"
DIALOG = f"{SHADOW}.querySelector('dialog.drawer')"
BUTTON = f"{SHADOW}.querySelector('.drawer-button')"
WIDTH = "document.documentElement.getBoundingClientRect().width"


@pytest.fixture(scope="module")
def tab(started: Firefox) -> Firefox:
    started.do("resize", 1280, 800)
    return started


def wait(tab: Firefox, code: str) -> None:
    eventually(lambda: tab.evaluate(code), 30, code)


def test_it_stands_beside_the_page_and_changes_with_the_window(tab: Firefox, site: Site) -> None:
    tab.go(f"{site.url}/projects/mill-street", "paliadin-widget")
    wait(tab, f"{BUTTON}?.checkVisibility()")
    whole = tab.evaluate(WIDTH)
    tab.press("Control+k")
    wait(tab, f"{SHADOW}.activeElement?.localName === 'textarea'")
    assert tab.evaluate(WIDTH) == whole - 420
    tab.type("A draft")
    tab.click("main h1")
    tab.press("Escape")
    tab.evaluate("getSelection().selectAllChildren(document.querySelector('#state'))")
    wait(tab, f"{SHADOW}.querySelector('.here-brief').textContent.includes('Selected text')")
    tab.click(INPUT)
    assert tab.evaluate(f"{SHADOW}.querySelector('.here-brief').textContent.includes('Selected text')")
    assert tab.evaluate(f"{DIALOG}.matches('[open]:not(:modal)')")
    assert serious_in_firefox(tab) == []
    for width, modal in ((899, "true"), (1280, "false")):
        tab.do("resize", width, 800)
        wait(tab, f"{DIALOG}.matches(':modal') === {modal}")
        assert tab.evaluate(f"{SHADOW}.activeElement.value") == "A draft"
    tab.press("Escape")
    wait(tab, f"!{DIALOG}.open && {BUTTON}.matches(':focus')")
    assert tab.evaluate(WIDTH) == whole
    assert tab.do("reports") == []
