"""Files behind `@` and commands behind `/` are listed, chosen by keyboard, and read out as a combobox's options."""

from __future__ import annotations

import json
import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Route, expect

from tests.browser.conftest import Watch
from tests.browser.helpers.accessibility import serious
from tests.browser.helpers.cards import call
from tests.browser.helpers.chat import Chat
from tests.browser.helpers.streams import running_turn
from tests.worlds.sample_files import png

HOSTILE = {
    "name": "mine",
    "description": "<img src=x onerror=alert(1)> a\u202eb",
    "argument_hint": "<file>",
    "aliases": [],
}


def options(chat: Chat) -> Locator:
    return chat.page.get_by_role("listbox").get_by_role("option")


def type_(chat: Chat, text: str) -> None:
    chat.input.click()
    chat.page.keyboard.type(text)


def chosen(chat: Chat) -> str:
    """What a screen reader reads out while the focus stays in the input."""
    expect(chat.input).to_be_focused()
    expect(chat.input).to_have_attribute("aria-expanded", "true")
    return str(
        chat.input.evaluate("input => document.getElementById(input.getAttribute('aria-activedescendant')).textContent")
    )


@pytest.mark.long
def test_a_folder_that_stands_there_already_is_not_chosen_for_ever(chat: Chat) -> None:
    def answer(route: Route) -> None:
        files = [{"path": "picked/", "ignored": False, "marks": []}] if "zzz" not in route.request.url else []
        route.fulfill(json={"files": files, "total": 1})

    chat.page.route("**/api/paliadin/files?*", answer)
    type_(chat, "See @picked/")
    expect(options(chat).first).to_contain_text("picked")
    chat.page.keyboard.press("Enter")
    expect(options(chat)).to_have_count(0)
    expect(chat.input).to_have_value("See @picked/")
    chat.page.keyboard.type("zzz")
    expect(chat.page.get_by_text("No file in Claude’s folder matches.").first).to_be_visible()
    chat.page.keyboard.press("Enter")
    expect(chat.turn).to_contain_text("See @picked/zzz")
    expect(chat.page.locator(".completion")).to_be_hidden()
    chat.ends()


def test_files_are_found_and_named_by_keyboard_only(chat: Chat) -> None:
    folder = chat.world.workdir / "picked"
    folder.mkdir(exist_ok=True)
    for name in ("alpha one.md", "alpha-two.md"):
        (folder / name).write_text("x")
    with chat.page.expect_response(re.compile(r"/files\?.*q=alph(&|$)")):  # "@alp" finds the same two
        type_(chat, "Read @alph")
    expect(options(chat)).to_have_count(2)
    assert serious(chat.page, ".dock") == []
    first = chosen(chat)
    chat.page.keyboard.press("ArrowDown")
    assert chosen(chat) != first
    chat.page.keyboard.press("Escape")
    expect(options(chat)).to_have_count(0)
    expect(chat.input).to_have_value("Read @alph")
    expect(chat.input).not_to_have_attribute("role", "combobox")
    chat.page.keyboard.type("a o")
    expect(options(chat)).to_have_count(0)
    chat.input.fill("")
    type_(chat, '@"alpha on')
    expect(options(chat).first).to_contain_text("alpha one.md")
    chat.page.keyboard.press("Tab")
    expect(chat.input).to_have_value('@"picked/alpha one.md" ')


def offer(chat: Chat) -> None:
    def answer(route: Route) -> None:
        route.fulfill(
            content_type="application/json", body=json.dumps({"commands": [HOSTILE, {**HOSTILE, "name": "new"}]})
        )

    chat.page.route("**/offers", answer)


def test_commands_are_listed_as_text_and_chosen_by_keyboard(chat: Chat) -> None:
    offer(chat)
    type_(chat, "/")
    expect(options(chat)).to_have_count(8)  # the seven of the page, one of them instead of Claude's `new`
    mine = options(chat).last
    expect(mine).to_contain_text("<img src=x onerror=alert(1)> a⟨U+202E⟩b")
    expect(mine).to_contain_text("<file>")
    assert serious(chat.page, ".dock") == []
    chat.page.keyboard.press("ArrowUp")
    assert chosen(chat).startswith("/mine")
    chat.page.keyboard.press("Enter")
    expect(chat.input).to_have_value("/mine ")
    expect(options(chat)).to_have_count(0)
    chat.input.fill("")
    type_(chat, "/ren")
    expect(options(chat)).to_have_count(1)
    chat.page.keyboard.press("Enter")
    expect(chat.input).to_have_value("/rename ")
    chat.input.fill("")
    type_(chat, "look at /")
    expect(options(chat)).to_have_count(0)


@pytest.mark.parametrize("typed", ["/ne", pytest.param("/new", marks=pytest.mark.matrix)])
def test_a_command_of_the_page_runs_at_once(chat: Chat, typed: str) -> None:
    offer(chat)
    chat.asked("Hello")
    before = chat.page.url
    type_(chat, typed)
    expect(options(chat).first).to_contain_text("/new")
    chat.page.keyboard.press("Enter")
    chat.page.wait_for_url(lambda url: url != before)
    expect(chat.input).to_have_value("")


def test_the_commands_of_the_real_claude_can_all_be_run(chat: Chat) -> None:
    type_(chat, "/")
    expect(options(chat).nth(6)).to_be_visible()
    names = [text.split()[0] for text in options(chat).locator(".command-name").all_inner_texts()]
    assert len(names) == len(set(names))
    assert not {"/clear", "/login", "/config"} & set(names)


@pytest.mark.parametrize(
    ("locale", "refusal", "as_text"),
    [
        pytest.param("en-GB", "/config works in Claude's terminal only.", "Send it as text", marks=pytest.mark.matrix),
        ("de-DE", "/config geht nur in Claudes Terminal.", "Als Text senden"),
    ],
)
def test_a_command_that_cannot_be_run_is_refused_by_name_and_can_be_sent_as_text(
    opened: Callable[..., Chat], watch: Watch, locale: str, refusal: str, as_text: str
) -> None:
    watch.allow("422")
    chat = opened(locale=locale, viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    banner = chat.page.get_by_role("alert")

    def send(message: str) -> None:
        chat.input.fill(message)
        chat.page.keyboard.press("Escape")  # no completion
        chat.page.keyboard.press("Enter")

    send("/config theme")
    expect(banner).to_contain_text(refusal)
    expect(banner).not_to_contain_text("as_text")
    expect(chat.input).to_have_value("/config theme")
    assert serious(chat.page) == []
    text, cross = (banner.locator(part).bounding_box() for part in ("p", ".icon-button"))
    assert text is not None
    assert cross is not None
    assert cross["x"] >= text["x"] + text["width"], "what closes it is beside the text"
    assert text["y"] <= cross["y"] <= text["y"] + text["height"]
    banner.get_by_role("button", name=as_text).click()
    chat.ends()
    expect(banner).to_have_count(0)
    send("/config theme")
    expect(banner).to_contain_text(refusal)
    assert chat.page.locator(".dock").get_by_role("alert").count() == 1, "it stands beside the input"
    send("/rename")
    expect(chat.page.locator(".composer-note")).to_contain_text("/rename")
    send("/export pdf")
    expect(chat.page.locator(".composer-note")).to_contain_text("/export md")
    expect(chat.input).to_have_value("/export pdf")
    expect(banner).to_have_count(0)
    assert serious(chat.page, ".dock") == []


@pytest.mark.long
@pytest.mark.real_claude
def test_a_picture_that_a_tool_read_is_shown_below_its_step(chat: Chat) -> None:
    (chat.world.workdir / "chart.png").write_bytes(png(300, 200))
    chat.asked(call("Read", file_path=str(chat.world.workdir / "chart.png")))
    picture = chat.turn.locator(".steps + .thumbnails img")
    picture.scroll_into_view_if_needed()
    chat.page.wait_for_function("image => image.naturalWidth === 300", arg=picture.element_handle())
    chat.turn.locator(".steps > summary").click()
    chat.turn.locator(".step-line").click()
    came_back = chat.turn.get_by_role("group", name="What came back")
    expect(came_back).to_contain_text("image/")
    assert len(came_back.inner_text()) < 200, "no bytes"
    came_back.focus()
    expect(came_back).to_be_focused()
    assert serious(chat.page, ".turn") == []
    enlarge = chat.turn.locator(".picture-button")
    enlarge.focus()
    chat.page.keyboard.press("Enter")
    dialog = chat.page.get_by_role("dialog")
    expect(dialog).to_contain_text("300 × 200")
    expect(dialog.locator("img")).to_be_visible()
    assert serious(chat.page, "dialog") == []
    chat.page.keyboard.press("Escape")
    expect(enlarge).to_be_focused()


def test_a_file_that_an_answer_names_opens_at_its_line_and_a_picture_is_shown(chat: Chat) -> None:
    (chat.world.workdir / "lines.py").write_text("".join(f"line {number}\n" for number in range(1, 2001)))
    (chat.world.workdir / "chart.png").write_bytes(png(300, 200))
    chat.asked("scene:named")
    answer = chat.turn
    link = answer.get_by_role("button", name="lines.py:1234")
    expect(link).to_be_visible()
    expect(answer.locator(".thumbnails img")).to_have_count(1)
    chat.page.wait_for_function("image => image.naturalWidth === 300", arg=answer.locator("img").element_handle())
    expect(answer.locator("img")).to_have_count(1)  # none of another host
    expect(answer.locator("a[href='https://pictures.invalid/x.png']")).to_be_visible()
    expect(answer.locator(".file-link", has_text="secret")).to_have_count(0)
    assert serious(chat.page, ".turn") == []
    link.focus()
    chat.page.keyboard.press("Enter")
    dialog = chat.page.get_by_role("dialog")
    expect(dialog.locator(".file-line-wanted")).to_have_text("line 1234")
    expect(dialog.locator(".file-line-wanted")).to_be_in_viewport()
    assert serious(chat.page, "dialog") == []
    chat.page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(link).to_be_focused()


def test_enter_of_an_input_method_sends_nothing_and_chooses_nothing(chat: Chat) -> None:
    """Safari ends the composition first, and then fires the Enter that confirmed it."""
    confirm = """input => ["Enter", "Tab", "Escape"].forEach((key) =>
        input.dispatchEvent(new KeyboardEvent("keydown", { key, keyCode: 229, bubbles: true, composed: true })))"""
    type_(chat, "日本")
    chat.input.evaluate(confirm)
    expect(chat.input).to_have_value("日本")
    chat.input.fill("")
    type_(chat, "/")
    expect(options(chat).first).to_be_visible()
    chat.input.evaluate(confirm)
    expect(chat.input).to_have_value("/")
    expect(options(chat).first).to_be_visible()
    chat.input.fill("日本語")
    chat.page.keyboard.press("Enter")
    expect(chat.turn).to_contain_text("日本語")
    chat.ends()


@pytest.mark.long
def test_a_file_that_was_just_written_is_found(chat: Chat) -> None:
    type_(chat, "See @")
    expect(options(chat).first).to_be_visible()  # a list that is kept for some seconds
    (chat.world.workdir / "just-written.txt").write_text("x")
    try:
        chat.input.fill("")
        type_(chat, "See @just-w")
        expect(options(chat)).to_have_text(["just-written.txt"])
    finally:
        (chat.world.workdir / "just-written.txt").unlink()


@pytest.mark.long
def test_a_file_that_cannot_be_attached_says_why_and_is_not_chosen(chat: Chat) -> None:
    names = [
        "oddest-ma\u0308rz.txt",
        'oddest "a".txt',
        "oddest\u202etxt.exe",
        "oddest\nline.txt",
        "oddest-caf\udce9.txt",
        "oddest#1.txt",
    ]
    for name in names:
        (chat.world.workdir / name).write_text("x")
    try:
        type_(chat, "See @oddest-ma\u0308")
        expect(options(chat)).to_have_text(
            ["oddest-märz.txtCannot be attached: letters and accents are apart in its name (NFD). Rename it"]
        )
        assert chosen(chat).startswith("oddest-märz.txt")
        chat.page.keyboard.press("Enter")
        expect(chat.input).to_have_value("See @oddest-ma\u0308")
        expect(options(chat)).to_have_attribute("aria-disabled", "true")
        chat.input.fill("")
        type_(chat, "See @oddest")
        expect(options(chat)).to_have_count(len(names))
        text = "\n".join(options(chat).all_inner_texts())
        for shown in ("oddest⟨U+202E⟩txt.exe", "oddest⟨U+000A⟩line.txt", "oddest-caf⟨E9⟩.txt"):
            assert shown in text
        assert "\u202e" not in text
        assert serious(chat.page, ".dock") == []
    finally:
        for name in names:
            (chat.world.workdir / name).unlink()


@pytest.mark.long
def test_pictures_that_a_tool_returned_stand_below_its_step_and_are_counted(chat: Chat, watch: Watch) -> None:
    watch.allow("503")  # of one whose host is unreachable
    page = chat.page
    page.route("**/pictures/*", lambda route: route.fulfill(body=png(300, 200), content_type="image/png"))
    page.route(f"**/pictures/{'b' * 32}", lambda route: route.fulfill(status=503))
    call_ = {"id": "t1", "name": "mcp__views__look", "summary": "bridge", "input": {}}
    names = ["a" * 32, "", "b" * 32]
    result = {"id": "t1", "name": call_["name"], "ok": True, "rows": None, "output": "", "pictures": names}
    events = [("tool_call", call_), ("tool_result", result), ("end", {"duration_ms": 1})]
    with running_turn(page, events):
        page.goto(page.url)
        expect(chat.turn.locator(".turn-foot")).to_be_visible()
    picture = chat.turn.get_by_role("img", name="Picture 1 of “Look”")
    picture.scroll_into_view_if_needed()
    page.wait_for_function("image => image.naturalWidth === 300", arg=picture.element_handle())
    assert re.search(r"^api/paliadin/turns/[0-9a-f-]+/pictures/a{32}$", str(picture.get_attribute("src")))
    expect(chat.turn.locator(".tool-picture-gone")).to_contain_text(
        ["2 of “Look”: it is not kept", "3 of “Look”: it cannot be shown now"]
    )
    expect(chat.turn.locator(".step-facts")).to_have_text("3 pictures")
    assert serious(page, ".turns") == []
