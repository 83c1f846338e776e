"""Files, commands, cards and the status row in Debian's Firefox, over the real Claude Code on a scripted model."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from paliadin.demo.scripted_api import ScriptedApi
from tests.browser.conftest import running_turn
from tests.browser.helpers.accessibility import serious_in_firefox
from tests.browser.helpers.cards import GROWN, call
from tests.browser.helpers.emptying import empty
from tests.browser.helpers.firefox import INPUT, Firefox, ask
from tests.browser.helpers.giving import GIVE, files_of
from tests.integration.conftest import make_world
from tests.worlds.sample_files import pdf, png
from tests.worlds.world import World, eventually

PICKER, TRAY, REMOVE = ".composer input[type=file]", ".tray-file", ".tray-file button"
OPTION, CHOSEN = "[role=option]", "[role=option][aria-selected=true]"
LAST = ".turn:last-child"
ATTACHED, PROSE, FOOT = f"{LAST} .attached-file", f"{LAST} .prose", f"{LAST} .turn-foot"
MODE = "button.figure[aria-label^='Permission mode']"
DIALOG = "dialog[open]"


@pytest.fixture(scope="module")
def world(
    tmp_path_factory: pytest.TempPathFactory, one_claude: Path, page_api: tuple[ScriptedApi, str]
) -> Iterator[World]:
    for world in make_world(tmp_path_factory.mktemp("firefox-files"), one_claude, page_api):
        world.start()
        yield world


@pytest.fixture(scope="module")
def signed_in(started: Firefox, world: World) -> Firefox:
    started.go(world.url, INPUT)
    return started


@pytest.fixture
def tab(signed_in: Firefox, world: World) -> Iterator[Firefox]:
    """The page, where nothing was asked yet."""
    if running := running_turn(world):
        world.post(f"stream/{running}/abort")
        list(world.follow(running))
    empty(world)
    signed_in.evaluate("localStorage.clear()")
    signed_in.go(f"{world.origin}/paliadin", INPUT)
    yield signed_in
    assert signed_in.do("reports") == []


def ends(tab: Firefox) -> None:
    eventually(lambda: tab.texts(FOOT), 30, "the end")


def give(tab: Firefox, selector: str, kind: str, name: str, data: bytes) -> None:
    given = json.dumps([kind, files_of((name, "image/png", data)), ""])
    tab.evaluate(f"({GIVE})(document.querySelector({json.dumps(selector)}), {given})")


def is_drawn(tab: Firefox, selector: str, width: int) -> None:
    """Wait until the picture is there, scrolled to as a reader would: what is far below is not loaded."""
    code = f"(image => (image?.scrollIntoView(), image?.naturalWidth))(document.querySelector({json.dumps(selector)}))"
    eventually(lambda: tab.evaluate(code) == width, 30, selector)


@pytest.mark.long
def test_files_are_chosen_pasted_and_dropped_and_go_with_their_question(tab: Firefox, tmp_path: Path) -> None:
    plan, contract, nothing = tmp_path / "Plan für Ann.png", tmp_path / "Vertrag.pdf", tmp_path / "empty.txt"
    plan.write_bytes(png(300, 200))
    contract.write_bytes(pdf(3))
    nothing.touch()
    tab.attach(PICKER, plan, contract, nothing)
    tab.shows(TRAY, "Plan für Ann.png", "Vertrag.pdf", "The file is empty.")
    give(tab, INPUT, "paste", "image.png", png(40, 40))
    tab.shows(TRAY, "Plan für Ann.png", "Vertrag.pdf", "The file is empty.", "pasted-")
    give(tab, ".scroller", "dragover", "dropped.png", png(40, 40))
    tab.shows(".drop-sign", "Drop files to attach them")
    give(tab, ".scroller", "drop", "dropped.png", png(40, 40))
    tab.shows(".drop-sign")
    tab.shows(TRAY, "kB", "kB", "The file is empty.", "kB", "dropped.png")
    assert serious_in_firefox(tab, ".dock") == []
    for name in ("empty.txt", "pasted-", "dropped.png"):
        tab.click(f"button[aria-label^='Remove {name}']")
    tab.focuses("button[aria-label^='Remove Vertrag.pdf']")
    tab.click(INPUT)
    tab.evaluate("navigator.clipboard.writeText('What do these say?')")
    tab.press("Control+v")
    tab.shows(INPUT, "What do these say?")
    tab.shows(TRAY, "Plan für Ann.png", "Vertrag.pdf")
    tab.press("Enter")
    tab.shows(INPUT, "")
    ends(tab)
    tab.shows(TRAY)
    tab.shows(ATTACHED, "Plan für Ann.png", "Claude did not open this file")
    is_drawn(tab, f"{ATTACHED} img", 300)
    assert serious_in_firefox(tab, ".turn") == []


@pytest.mark.matrix
def test_files_and_commands_are_completed_by_keyboard(tab: Firefox, world: World) -> None:
    (world.workdir / "alpha one.md").write_text("x")
    tab.click(INPUT)
    tab.type("Read @alph")
    tab.shows(CHOSEN, "alpha one.md")
    assert serious_in_firefox(tab, ".dock") == []
    tab.focuses(f"{INPUT}[role=combobox][aria-expanded=true]")
    tab.press("Tab")
    tab.shows(INPUT, 'Read @"alpha one.md"')
    tab.shows(OPTION)
    tab.press("Control+a")
    tab.type("/ren")
    tab.shows(CHOSEN, "/rename")
    tab.press("Enter")
    tab.shows(INPUT, "/rename")
    tab.type("Ferries")
    tab.press("Enter")
    tab.shows(".composer-note", "The title is “Ferries” now.")
    ask(tab, "/config theme")
    tab.shows(".banner .small", "Send it as text")


@pytest.mark.matrix
def test_pictures_and_files_that_an_answer_or_a_tool_names_are_shown(tab: Firefox, world: World) -> None:
    (world.workdir / "lines.py").write_text("".join(f"line {number}\n" for number in range(1, 2001)))
    chart = world.workdir / "chart.png"
    chart.write_bytes(png(300, 200))
    ask(tab, "scene:named")
    ends(tab)
    is_drawn(tab, f"{LAST} .thumbnails img", 300)
    tab.evaluate(f"document.querySelector('{LAST} .file-link').focus()")
    tab.press("Enter")
    tab.shows(f"{DIALOG} .file-line-wanted", "line 1234")
    seen = "document.querySelector('.file-line-wanted').getBoundingClientRect().top"
    assert 0 < tab.evaluate(seen) < 800
    assert serious_in_firefox(tab, DIALOG) == []
    tab.press("Escape")
    tab.shows(DIALOG)
    tab.focuses(".file-link")
    ask(tab, f"{call('Read', file_path=str(chart))} in:{world.workdir}")
    ends(tab)
    is_drawn(tab, f"{LAST} .steps + .thumbnails img", 300)
    tab.click(f"{LAST} .picture-button")
    is_drawn(tab, f"{DIALOG} .file-content img", 300)
    tab.press("Escape")
    tab.focuses(".picture-button")


@pytest.mark.matrix
def test_the_mode_is_changed_by_keyboard(tab: Firefox) -> None:
    ask(tab, "Hello")
    ends(tab)
    tab.shows(MODE, "Ask first")
    for name in ("Plan only", "Ask first"):
        tab.evaluate(f'document.querySelector("{MODE}").focus()')
        tab.press("Enter")
        tab.focuses(f"{DIALOG} [aria-current=true]")
        assert serious_in_firefox(tab, DIALOG) == []
        rows = tab.texts(f"{DIALOG} .choice-row strong")
        [current], [wanted] = [[i for i, row in enumerate(rows) if part in row] for part in (" in use", name)]
        tab.press(*["Tab" if wanted > current else "Shift+Tab"] * abs(wanted - current), "Enter")
        tab.shows(DIALOG)
        tab.shows(MODE, name)
    assert serious_in_firefox(tab, ".dock") == []


@pytest.mark.matrix
def test_cards_take_the_numbers_and_lead_to_the_questions_below(tab: Firefox, world: World) -> None:
    note = world.workdir / "note.md"
    ask(tab, f"{call('Write', file_path=str(note), content='# Note' + chr(10))} in:{world.workdir}")
    tab.focuses(".ask")
    tab.shows(".ask .card-title", "Create note.md (1 line)")
    assert serious_in_firefox(tab, ".ask") == []
    tab.evaluate(f"({GROWN})()")
    tab.press("1")
    ends(tab)
    assert note.read_text() == "# Note\n"
    ask(tab, "scene:many_questions")
    tab.shows(".ask .card-more", "2 more questions below")
    assert serious_in_firefox(tab, ".ask") == []
    for left in ("1 more question below", "There is more below."):
        tab.click(".ask .card-more button")
        tab.shows(".ask .card-more", left)
    tab.focuses(".ask .field:last-child input, .ask .field:nth-of-type(3) input")
    for number in (1, 2, 3):
        tab.evaluate(f"document.querySelectorAll('.ask .field')[{number - 1}].querySelector('input').click()")
    tab.click(".ask button.primary")
    ends(tab)
    tab.shows(PROSE, '"What about the first?"="Choice A"')
