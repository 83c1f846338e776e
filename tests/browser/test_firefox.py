"""The page in Debian's Firefox: what a person does with conversations, their questions and replies.

The public fake relay plays the turns: what is tried here is the page, and a browser other than Chromium.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from paliadin.demo.scripted_api import ScriptedApi
from tests.browser.conftest import running_turn
from tests.browser.helpers.accessibility import serious_in_firefox
from tests.browser.helpers.claims import ANSWER, played, turn
from tests.browser.helpers.conversations import Made
from tests.browser.helpers.emptying import empty
from tests.browser.helpers.firefox import INPUT, Firefox, ask
from tests.browser.helpers.rich_answer import RICH
from tests.integration.conftest import make_world
from tests.worlds.world import World, eventually

SEARCH = ".list-search input"
LAST = ".turn:last-child"
TURN, QUESTION, PROSE, FOOT = ".turn", ".question-text", ".turn:last-child .prose", ".turn:last-child .turn-foot"
ITEM, TITLE, CURRENT, STATE = (
    ".item",
    ".item-title",
    "[aria-current] .item-title",
    ".item-mark[data-kind]:not([data-kind=''])",
)
STOP = ".composer [aria-label^=Stop]"


@pytest.fixture(scope="module")
def scripted(
    tmp_path_factory: pytest.TempPathFactory, one_claude: Path, api: tuple[ScriptedApi, str]
) -> Iterator[World]:
    for world in make_world(tmp_path_factory.mktemp("firefox"), one_claude, api):
        world.scripted = True
        world.start()
        yield world


@pytest.fixture(scope="module")
def signed_in(started: Firefox, scripted: World) -> Firefox:
    started.go(scripted.url, INPUT)
    return started


@pytest.fixture
def made(scripted: World) -> Made:
    making = Made(scripted)
    making.clear()
    if running := running_turn(scripted):
        scripted.post(f"stream/{running}/abort")
        list(scripted.follow(running))
    empty(scripted)
    return making


@pytest.fixture
def tab(signed_in: Firefox, made: Made) -> Iterator[Firefox]:
    """The page, where nothing was asked yet."""
    signed_in.evaluate("localStorage.clear()")
    look(signed_in, f"{made.world.origin}/paliadin")
    yield signed_in
    assert signed_in.do("reports") == []


def look(tab: Firefox, address: str = "") -> None:
    """Go to a conversation, or load the one that is open anew."""
    tab.go(address or tab.evaluate("location.href"), INPUT)
    eventually(lambda: tab.texts(ITEM), 30, "the list")


def test_an_answer_comes_piece_by_piece_and_a_reload_in_its_middle_loses_nothing(tab: Firefox, tmp_path: Path) -> None:
    ask(tab, f"scene:until in:{tmp_path}")
    tab.shows(PROSE, "I wait.")
    tab.shows(STOP, "")
    tab.type("half a thought")
    look(tab)
    tab.shows(PROSE, "I wait.")
    tab.shows(INPUT, "half a thought")
    tab.shows(FOOT)
    (tmp_path / "go").touch()
    tab.shows(PROSE, "I wait.", "It came.")
    eventually(lambda: tab.texts(FOOT), 30, "the end")
    tab.shows(STOP)


def test_permissions_and_questions_are_replied_to_by_keyboard(tab: Firefox, tmp_path: Path) -> None:
    ask(tab, f"scene:permission in:{tmp_path}")
    tab.focuses(".ask")
    tab.press("Tab", "Tab")
    tab.focuses(".ask button.primary")
    tab.press("Enter")
    tab.shows(PROSE, "I would write.", "It was done.")
    assert (tmp_path / "written.txt").read_text() == "hello\n"
    tab.focuses(INPUT)
    ask(tab, "scene:question")
    tab.focuses(".ask")
    tab.press("Tab", "ArrowDown")
    tab.focuses("input[value=Blue]")
    tab.press("Enter")
    tab.shows(PROSE, "Claude was told: Blue")


@pytest.mark.long
def test_conversations_are_begun_found_and_opened_by_keyboard_and_by_click(tab: Firefox, tmp_path: Path) -> None:
    ask(tab, f"scene:until in:{tmp_path}")
    tab.shows(PROSE, "I wait.")
    tab.press("Control+Shift+O")
    tab.shows(TURN)
    tab.focuses(INPUT)
    ask(tab, "Another one")
    tab.shows(PROSE, "You said")
    tab.shows(TITLE, "Another one", "scene:until")
    tab.shows(STATE, "Claude is working:")
    tab.press("Control+k")
    tab.focuses(SEARCH)
    tab.press("ArrowDown", "ArrowDown", "Enter")
    tab.shows(CURRENT, "scene:until")
    tab.shows(PROSE, "I wait.")
    tab.evaluate("history.back()")
    tab.shows(CURRENT, "Another one")
    tab.shows(PROSE, "You said")
    (tmp_path / "go").touch()
    tab.shows(STATE, "new answer:")
    tab.evaluate("history.forward()")
    tab.shows(PROSE, "I wait.", "It came.")
    tab.shows(STATE)
    tab.click(f"{ITEM}:first-child .item-link")
    tab.shows(CURRENT, "Another one")
    tab.click(SEARCH)
    tab.type("It came")
    tab.shows(".item-excerpt", "It came")
    tab.press("Enter")
    tab.shows(CURRENT, "scene:until")


def choose(tab: Firefox, entry: str) -> None:
    """An entry of the first conversation's menu."""
    tab.click(f"{ITEM}:first-child .item-more")
    tab.click(f".menu button ::-p-text({entry})")


@pytest.mark.long
def test_a_conversation_is_renamed_and_what_is_archived_or_deleted_comes_back(tab: Firefox, made: Made) -> None:
    session = made("Tides")
    look(tab)
    tab.press("Control+k", "ArrowDown")
    tab.focuses(".item-link")
    tab.press("F2")
    tab.focuses(".item-rename")
    tab.type("Ferries")
    tab.press("Enter")
    tab.focuses(".item-link")
    eventually(lambda: made.item(session)["title"] == "Ferries")
    for entry, said in (("Archive", "Archived"), ("Delete", "Deleted")):
        choose(tab, entry)
        tab.shows(".toast p", said)
        tab.shows(TITLE, "")
        tab.click(".toast-undo")
        tab.shows(TITLE, "Ferries", "")
        tab.shows(".toast")
    tab.press("Delete")
    tab.shows(TITLE, "")
    tab.press("Control+z")
    tab.shows(TITLE, "Ferries", "")
    assert made.item(session)["title"] == "Ferries"


@pytest.mark.long
def test_questions_wait_are_changed_and_withdrawn_and_begin(tab: Firefox, tmp_path: Path) -> None:
    ask(tab, f"scene:until in:{tmp_path}")
    tab.shows(PROSE, "I wait.")
    for question in ("The second", "The third"):
        ask(tab, question)
    tab.shows(".queued", "The second", "The third")
    tab.click(".queued:last-child [aria-label^=Change]")
    tab.type(", changed")
    tab.press("Enter")
    tab.shows(".queued", "The second", "The third, changed")
    tab.evaluate("document.querySelector('.queued [aria-label^=Withdraw]').click(); location.reload()")
    tab.shows(".queued", "The third, changed")  # what is on its way arrives, also where the page goes
    (tmp_path / "go").touch()
    tab.shows(QUESTION, "scene:until", "The third, changed")
    tab.shows(".queued")
    tab.shows(PROSE, "You said")


@pytest.mark.long
def test_an_earlier_question_is_changed_in_a_branch_and_arrows_lead_between_them(tab: Firefox) -> None:
    for number, question in enumerate(("One", "Two"), 1):
        ask(tab, question)
        tab.shows(QUESTION, *("One", "Two")[:number])  # else the end of the one before is seen
        eventually(lambda: tab.texts(FOOT), 30, "the end")
    tab.click(".turn:last-child .edit")
    tab.type(" and a half")
    tab.press("Enter")
    tab.shows(QUESTION, "One", "Two and a half")
    tab.shows(".siblings", "2/2")
    tab.shows(".item-branch", "Branch")
    tab.click('.turn:last-child .siblings [aria-label="Previous branch"]')
    tab.shows(QUESTION, "One", "Two")
    tab.shows(".siblings", "1/2")
    tab.click('.turn:last-child .siblings [aria-label="Next branch"]')
    tab.shows(QUESTION, "One", "Two and a half")
    assert re.search(r"\?session=", tab.evaluate("location.href"))


@pytest.mark.long
def test_code_formulas_and_notes_are_drawn(tab: Firefox) -> None:
    text = {"event": "content_delta", "data": {"message_id": "m", "text": RICH}}
    tab.evaluate(played({"events": [text, {"event": "end", "data": {"duration_ms": 1}}]}))
    ask(tab, "What may an answer have?")
    tab.shows(f"{LAST} .callout-title", "Note", "Warning")
    tab.shows(f"{LAST} .code-lines", "60 lines", "", "")
    eventually(lambda: tab.evaluate(f"document.querySelectorAll('{LAST} math').length") == 3, 30, "formulas")
    eventually(lambda: tab.evaluate(f"document.querySelectorAll('{LAST} .hljs-keyword').length") > 60, 30, "colours")
    # No formula is wider than its block, or flat: Firefox lays MathML out by itself.
    sizes = tab.evaluate(
        f"[...document.querySelectorAll('{LAST} math')].map((el) => el.getBoundingClientRect().height)"
    )
    assert min(sizes) > 10
    tab.click(f"{LAST} .code-fold")
    tab.shows(f"{LAST} .code-fold:not([hidden])", "Show less")
    assert serious_in_firefox(tab, ".turns") == []


def test_the_facts_of_an_answer_are_marked_and_lead_to_their_sources(tab: Firefox) -> None:
    tab.evaluate(played(turn(ANSWER)))
    ask(tab, "When is the defence due?")
    tab.shows(f"{LAST} .claim-unsupported", "Room 214", "412.50 €", "14:30")
    tab.shows(f"{LAST} .evidence-facts", "11 facts: 5 found")
    tab.click(f"{LAST} .claim-found")
    tab.focuses("mark.source-line")
    tab.click(f"{LAST} .source-note button")
    tab.focuses(".claim-found")
    tab.shows(".claim-tip", "Found in deadlines.csv, line 12")
