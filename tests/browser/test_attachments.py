"""Files are attached on the page: by the button, by paste and drop; they are sent, shown, taken away again."""

from __future__ import annotations

import os
import re
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.helpers.accessibility import serious
from tests.browser.helpers.chat import Chat
from tests.browser.helpers.giving import GIVE, files_of
from tests.worlds.sample_files import pdf, png


def choose(page: Page, *files: tuple[str, str, bytes]) -> None:
    page.locator(".composer input[type=file]").set_input_files(
        [{"name": name, "mimeType": kind, "buffer": data} for name, kind, data in files]
    )


def test_files_are_chosen_sent_and_shown_with_their_question(chat: Chat) -> None:
    page = chat.page
    with page.expect_file_chooser():
        page.get_by_role("button", name="Attach files").click()
    choose(page, ("Plan für Ann.png", "image/png", png(300, 200)), ("Vertrag.pdf", "application/pdf", pdf(3)))
    tray = page.get_by_role("group", name="Attached files")
    expect(tray.get_by_role("listitem")).to_have_count(2)
    expect(tray.get_by_text("kB")).to_have_count(2)
    expect(tray.locator("img.thumbnail")).to_have_count(1)
    assert serious(page, ".dock") == []
    page.reload()
    expect(tray.get_by_role("listitem")).to_have_count(2)  # until the question has them
    chat.ask("What do these say?")
    expect(tray).to_be_hidden()
    chat.ends()
    attached = chat.turn.get_by_role("list", name="Attached files")
    expect(attached.get_by_role("listitem")).to_have_count(2)
    expect(attached.get_by_role("listitem").nth(1)).to_contain_text("Claude did not open this file")
    expect(attached.get_by_role("listitem").first).not_to_contain_text("did not open")
    shown = attached.locator("img.thumbnail")
    shown.scroll_into_view_if_needed()
    page.wait_for_function("image => image.naturalWidth === 300", arg=shown.element_handle())
    page.reload()
    expect(attached.get_by_role("listitem")).to_have_count(2)
    assert serious(page, ".turn") == []


def test_a_picture_is_pasted_and_text_stays_text(chat: Chat) -> None:
    box = chat.page.locator(".composer textarea")
    box.evaluate(GIVE, ["paste", files_of(("image.png", "image/png", png(40, 40))), ""])
    item = chat.page.locator(".tray-file")
    expect(item).to_contain_text("pasted-")
    item.get_by_role("button").press("Enter")
    expect(item).to_have_count(0)
    expect(chat.page.get_by_role("button", name="Attach files")).to_be_focused()  # a second Enter sends nothing
    two = files_of(("image.png", "image/png", png(40, 40)), ("image.png", "image/png", png(50, 50)))
    box.evaluate(GIVE, ["paste", two, ""])
    expect(item).to_have_count(2)
    names = chat.page.locator(".tray-name")
    expect(names.last).to_have_text(re.compile(r"^pasted-\d{6}-2\.png$"))
    assert names.first.text_content() != names.last.text_content()


def test_what_cannot_be_attached_is_refused_with_a_sentence(chat: Chat, tmp_path: Path) -> None:
    page = chat.page
    huge, empty = tmp_path / "huge.bin", tmp_path / "empty.txt"
    huge.touch()
    os.truncate(huge, 20 * 1024 * 1024 + 1)
    empty.touch()
    page.locator(".composer input[type=file]").set_input_files([huge, empty])  # handing over 20 MB takes 15 s
    expect(page.locator(".tray-file").first).to_contain_text("Larger than 20 MB.")
    expect(page.locator(".tray-file").last).to_contain_text("The file is empty.")
    assert serious(page, ".dock") == []
    chat.input.fill("With them?")
    page.keyboard.press("Enter")
    expect(page.locator(".composer-note")).to_have_text("Remove the files that were refused, then send.")
    expect(chat.input).to_have_value("With them?")
    expect(chat.turns).to_have_count(0)
    expect(page.locator(".tray-file")).to_have_count(2)
    page.locator(".tray-file button").first.press("Enter")
    expect(page.locator(".tray-file")).to_have_count(1)
    expect(page.locator(".tray-file button")).to_be_focused()
    page.keyboard.press("Enter")
    choose(page, *[(f"{number}.txt", "text/plain", b"text") for number in range(12)])
    expect(page.locator(".tray-file")).to_have_count(10)
    expect(page.locator(".tray-note")).to_have_text("A question takes at most 10 files; the others were left out.")
    for left in reversed(range(10)):
        page.locator(".tray-file button").first.click()
        expect(page.locator(".tray-file")).to_have_count(left)


def test_a_file_that_is_dropped_beside_the_conversation_does_not_take_the_pages_place(chat: Chat) -> None:
    cancelled = """header => {
        const data = new DataTransfer();
        data.items.add(new File(["x"], "a.txt"));
        const given = { dataTransfer: data, bubbles: true, cancelable: true };
        return ["dragover", "drop"].map((type) => !header.dispatchEvent(new DragEvent(type, given)));
    }"""
    assert chat.page.locator("header").first.evaluate(cancelled) == [True, True]
    expect(chat.page.locator(".tray-file")).to_have_count(0)


def test_files_are_dropped_anywhere(chat: Chat) -> None:
    scroller = chat.page.locator(".scroller")
    scroller.evaluate(GIVE, ["dragover", files_of(("a.txt", "text/plain", b"hello")), ""])
    expect(chat.page.get_by_text("Drop files to attach them")).to_be_visible()
    assert serious(chat.page) == []
    scroller.evaluate(GIVE, ["drop", files_of(("a.txt", "text/plain", b"hello")), ""])
    expect(chat.page.get_by_text("Drop files to attach them")).to_be_hidden()
    expect(chat.page.locator(".tray-file")).to_contain_text("5 bytes")
    chat.page.locator(".tray-file button").click()
