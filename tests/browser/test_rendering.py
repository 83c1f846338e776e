"""What the page makes of an answer's Markdown: code, formulas, callouts, notes, what folds. And of what means harm."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from tests.browser.helpers.accessibility import serious
from tests.browser.helpers.chat import Chat
from tests.browser.helpers.hostile import EVIL, IMAGE
from tests.browser.helpers.rich_answer import FORMULA_ATTACKS, RICH, fifty_kilobytes
from tests.browser.helpers.streams import running_turn
from tests.browser.test_figures import report
from tests.browser.test_hostile import check_harmless
from tests.worlds.world import eventually

ROOT = Path(__file__).parents[2]
PAYLOADS = ROOT / "node_modules" / "dompurify-payloads" / "test" / "fixtures" / "expect.js"
MEASURE = """
window.measured = { moved: [], tasks: [] };
new PerformanceObserver((list) => {
  measured.tasks.push(...list.getEntries().map(({ duration }) => Math.round(duration)));
}).observe({ type: "longtask", buffered: true });
new PerformanceObserver((list) => {
  for (const { value, sources } of list.getEntries())
    for (const { node } of sources)
      if ((node?.parentElement ?? node)?.closest?.(".turns")) measured.moved.push([value, node.textContent]);
}).observe({ type: "layout-shift", buffered: true });
"""


def in_lines(text: str) -> list[tuple[str, dict[str, object]]]:
    """As hooks tell of an answer: whole lines."""
    lines = [("content_delta", {"message_id": "m", "text": line}) for line in text.splitlines(keepends=True)]
    return [*lines, ("end", {"duration_ms": 1})]


def show(chat: Chat, text: str) -> None:
    """The answer as it streams in, until it is complete and its code has its colours."""
    with running_turn(chat.page, in_lines(text), pace=0.001):
        chat.page.goto(chat.page.url)
        expect(chat.turn.locator(".turn-foot")).to_be_visible(timeout=60_000)


@pytest.fixture
def rich(chat: Chat) -> Chat:
    show(chat, RICH)
    return chat


def test_an_answer_has_colours_formulas_callouts_notes_tasks_and_what_folds(rich: Chat) -> None:
    prose = rich.text
    expect(prose.locator("math")).to_have_count(3)
    assert prose.locator("math mfrac, math munderover").count() == 2
    expect(prose).to_contain_text("The price is $5 to $10.")
    expect(prose.locator(".callout-note")).to_contain_text("Note")
    expect(prose.locator(".callout-warning .callout-title")).to_have_text("Warning")
    expect(prose.locator("li.task")).to_have_text(["☑ read the file", "☐ ask the client"])
    expect(prose.locator(".code .hljs-keyword", has_text="def").first).to_be_visible()
    expect(prose.locator(".code .hljs-keyword", has_text="select")).to_be_visible()
    expect(prose.locator(".code .hljs-keyword", has_text="flowchart")).to_be_visible()
    more = prose.locator("details")
    expect(more.locator("li")).to_have_count(2)
    expect(more.locator("li").first).not_to_be_visible()
    more.locator("summary").click()
    expect(more.locator("li").first).to_be_visible()
    assert serious(rich.page, ".turns") == []


@pytest.mark.long
def test_a_note_and_its_reference_lead_to_each_other(rich: Chat) -> None:
    reference = rich.text.get_by_role("button", name="Footnote 2", exact=True)
    back = rich.text.get_by_role("button", name="Back from footnote 2 to the text")
    reference.press("Enter")
    expect(back).to_be_focused()
    back.press("Enter")
    expect(reference).to_be_focused()


@pytest.mark.long
def test_long_code_is_folded_by_key_and_its_head_stays(rich: Chat) -> None:
    code = rich.text.locator(".code").first
    fold = code.get_by_role("button", name="Show all")
    expect(code).to_contain_text("60 lines")
    height = code.bounding_box()["height"]  # type: ignore[index]
    fold.press("Enter")
    expect(code.get_by_role("button", name="Show less")).to_be_focused()
    assert code.bounding_box()["height"] > 1.8 * height  # type: ignore[index]
    code.get_by_text("step_25").first.scroll_into_view_if_needed()
    code.get_by_text("return value + 28").first.scroll_into_view_if_needed()
    expect(code.get_by_role("button", name="Copy this code")).to_be_in_viewport(ratio=1)
    code.get_by_role("button", name="Show less").press("Enter")
    assert code.bounding_box()["height"] == pytest.approx(height, abs=1)  # type: ignore[index]
    expect(rich.text.locator(".code").nth(1).locator(".code-fold")).to_be_hidden()


@pytest.mark.long
def test_a_long_question_is_folded(chat: Chat) -> None:
    chat.asked("\n".join(f"Line {number}" for number in range(1, 21)))
    text = chat.turn.locator(".question-text")
    height = text.bounding_box()["height"]  # type: ignore[index]
    chat.button("Show the whole question").press("Enter")
    assert text.bounding_box()["height"] > 2 * height  # type: ignore[index]
    chat.button("Show less").press("Enter")
    assert text.bounding_box()["height"] == pytest.approx(height, abs=1)  # type: ignore[index]
    chat.asked("Short")
    expect(chat.turn.locator(".question-fold")).to_be_hidden()


def test_the_libraries_are_loaded_only_when_an_answer_needs_them(chat: Chat) -> None:
    asked: list[str] = []
    chat.page.on("request", lambda request: asked.append(request.url))
    show(chat, "Only **words**, at $5, and `code`.\n\n```\nwithout a language\n```\n")
    assert not [url for url in asked if "temml" in url or "highlight" in url]
    show(chat, RICH)
    for keyword in ("def", "select"):
        expect(chat.text.locator(".hljs-keyword", has_text=keyword).first).to_be_visible()
    languages = {url.rpartition("/")[2] for url in asked if "/highlight/" in url}
    assert languages == {"core.js", "python.js", "sql.js"}


def test_nothing_jumps_while_fifty_kilobytes_of_code_tables_and_formulas_stream(
    opened_alone: Callable[..., Chat],
) -> None:
    chat, text = opened_alone(), "".join(fifty_kilobytes())
    chat.page.add_init_script(MEASURE)
    with running_turn(chat.page, in_lines(text), pace=0.003):
        chat.page.goto(chat.page.url)
        chat.page.evaluate("watching.disconnect()")  # the tests' own, which keeps every text that was ever shown
        expect(chat.text).to_contain_text("Part 0")
        chat.page.evaluate("measured.tasks.length = 0")  # those of the page's start
        expect(chat.turn.locator(".turn-foot")).to_be_visible(timeout=100_000)
        expect(chat.text.locator(".code").last.locator(".hljs-keyword").first).to_be_attached()
    measured = chat.page.evaluate("measured")
    report(f"{len(text.encode()) / 1000:.0f} KB: moved {measured['moved']}, tasks over 50 ms: {measured['tasks']}")
    assert len(text.encode()) > 45_000
    assert chat.text.locator(".code").count() == 10
    assert measured["moved"] == []


def test_the_dashboard_draws_the_answer_as_the_page_does(chat: Chat) -> None:
    chat.asked("scene:rich")
    eventually(lambda: chat.world.get("history")["turns"][-1]["finished_at"], what="the row is finished")
    turn_id = chat.world.get("history")["turns"][-1]["turn_id"]
    chat.page.goto(f"{chat.world.origin}/admin/paliadin/turns/{turn_id}")
    prose = chat.page.locator(".prose")
    expect(prose.locator("math")).to_have_count(3)
    expect(prose.locator(".hljs-keyword", has_text="def").first).to_be_visible()
    prose.get_by_role("button", name="Show all").press("Enter")
    expect(prose.get_by_role("button", name="Show less")).to_be_focused()
    assert serious(chat.page, ".prose") == []


def payloads() -> list[str]:
    """DOMPurify's own, out of an old package of it that has its tests."""
    code = f"console.log(JSON.stringify(require({json.dumps(str(PAYLOADS))}).map((each) => each.payload)))"
    listed = subprocess.run(["node", "-e", code], capture_output=True, check=True, text=True).stdout
    found: list[str] = json.loads(listed)
    assert len(found) > 180
    return found


FORMS = {
    "text": "{}",
    "words": "Words {} in a line.",
    "code": "```html\n{}\n```",
    "script": "```js\n{}\n```",
    "diagram": "```mermaid\nflowchart LR\n{}\n```",
    "formula": "$$\n\\text{{{}}}\n$$",
    "inline": "It is ${}$ here.",
    "quoted": "> [!NOTE]\n> {}",
    "folded": "<details>\n<summary>{}</summary>\n\n{}\n\n</details>",
    "note": "See[^1].\n\n[^1]: {}",
}


@pytest.mark.first(1)
@pytest.mark.parametrize("form", FORMS)
def test_nothing_of_dompurifys_payloads_runs_in_any_part_of_an_answer(chat: Chat, form: str) -> None:
    parts = [FORMS[form].replace("{}", payload) for payload in [*payloads(), IMAGE, f"<svg onload={EVIL}>"]]
    chat.page.evaluate("window.alert = () => { window.hacked = 'alert'; }")
    show(chat, "\n\n".join(parts) + "\n\nThe end of it.")
    expect(chat.text).to_contain_text("The end of it.")
    check_harmless(chat)


def test_a_formula_that_means_harm_is_shown_as_it_is_written_or_stays_in_its_block(chat: Chat) -> None:
    show(chat, "\n\n".join(f"Before ${tex}$ after.\n\n$$\n{tex}\n$$" for tex in FORMULA_ATTACKS) + "\n\nThe end of it.")
    expect(chat.text).to_contain_text("The end of it.")
    check_harmless(chat)
    assert chat.text.locator("math a, math [href], math [id], math img").count() == 0
    for block in chat.text.locator(".block:has(.formula)").all():
        expect(block).to_have_css("overflow", "clip")
        assert block.evaluate("el => el.getBoundingClientRect().height") < 2_000
    allowed = r"(padding|border|color|width|text-align|math-depth|font-weight|margin)[\w-]*: [\w .#%(),-]*;?"
    styles = chat.text.locator("math [style]").evaluate_all("all => all.flatMap((el) => el.style.cssText.split('; '))")
    assert [style for style in styles if not re.fullmatch(allowed, style)] == []


@pytest.mark.long
def test_on_a_phone_and_at_twice_the_size_nothing_is_wider_than_the_page(
    new_context: Callable[..., BrowserContext], chat: Chat
) -> None:
    page: Page = new_context(viewport={"width": 320, "height": 640}).new_page()  # 640 px wide at 200 %
    with running_turn(page, in_lines(RICH), pace=0.001):
        page.goto(chat.world.url)
        expect(page.locator(".turn-foot").last).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.locator(".turns").evaluate("el => el.scrollWidth <= el.clientWidth")
