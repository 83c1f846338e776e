"""The drawer in an application of another origin: the example in examples/host, the real daemon behind it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.helpers.accessibility import Theme, serious
from tests.browser.helpers.chat import ask, hold
from tests.browser.helpers.conversations import Listing
from tests.browser.helpers.drawer import Drawer, Site
from tests.browser.helpers.page_stream import begin_anew, leave_out, look
from tests.browser.helpers.proxy import PREFIX, proxy
from tests.worlds.world import eventually

WIDER = "(el) => [el, el.querySelector('.scroller')].some((each) => each.scrollWidth > each.clientWidth)"


@pytest.mark.long
def test_formulas_and_colours_are_drawn_under_the_applications_policy(visit: Callable[..., Drawer]) -> None:
    drawer = visit("/projects/harbour-bridge")
    drawer.open()
    ask(drawer.dialog, "scene:rich")
    prose = drawer.dialog.locator(".prose")
    expect(prose.locator("math")).to_have_count(3)
    expect(prose.locator(".hljs-keyword", has_text="def").first).to_be_visible()
    expect(prose.locator(".callout-title").first).to_have_text("Note")
    assert drawer.dialog.locator(".scroller").evaluate("el => el.scrollWidth <= el.clientWidth")


def test_a_question_in_the_drawer_is_answered_and_its_row_says_from_where(visit: Callable[..., Drawer]) -> None:
    drawer = visit("/projects/harbour-bridge")
    drawer.open()
    expect(drawer.input).to_be_focused()
    assert drawer.input.evaluate("(el) => el.clientHeight >= el.scrollHeight")
    drawer.asked(f"scene:read in:{drawer.site.world.workdir}")
    expect(drawer.dialog.locator(".prose").last).to_contain_text("Found it")
    expect(drawer.dialog.locator("a.chip")).to_have_attribute("href", "/deadlines/c47bd2")
    item = drawer.site.history()[-1]
    assert (item["origin"], item["context"]) == (
        "widget",
        {
            "route_name": "projects.detail",
            "primary_entity_type": "project",
            "primary_entity_id": "harbour-bridge",
            "page_origin": drawer.site.url,
        },
    )
    drawer.dialog.locator("a.chip").click()
    expect(drawer.page).to_have_url(f"{drawer.site.url}/deadlines/c47bd2")


@pytest.mark.long
def test_a_path_of_claudes_own_leads_only_where_the_owner_allows(visit: Callable[..., Drawer]) -> None:
    drawer = visit("/agenda")
    drawer.open()
    drawer.asked("scene:paths")
    chips = drawer.dialog.locator(".turn").last.locator(".chip")
    expect(chips).to_have_count(3)
    expect(drawer.dialog.locator("a.chip")).to_have_count(1)
    drawer.dialog.locator("a.chip").click()
    expect(drawer.page).to_have_url(f"{drawer.site.url}/glossary")


def test_in_a_narrow_window_it_opens_by_key_keeps_the_focus_and_gives_it_back(visit: Callable[..., Drawer]) -> None:
    drawer = visit(viewport={"width": 899, "height": 800})
    expect(drawer.button).to_be_visible()
    link = drawer.page.get_by_role("link", name="Agenda")
    link.focus()
    drawer.page.keyboard.press("Control+k")
    expect(drawer.input).to_be_focused()
    inside = "document.activeElement === document.querySelector('paliadin-widget')"
    for _ in range(25):
        drawer.page.keyboard.press("Tab")
        assert drawer.page.evaluate(f"{inside} || document.activeElement === document.body")
    drawer.page.keyboard.press("Escape")
    expect(drawer.dialog).to_be_hidden()
    expect(link).to_be_focused()
    drawer.page.keyboard.press("Control+k")
    drawer.page.mouse.click(100, 400)
    expect(drawer.dialog).to_be_hidden()


def test_open_state_and_conversation_outlive_a_navigation(visit: Callable[..., Drawer]) -> None:
    drawer = visit()
    drawer.open()
    drawer.asked("Still here?")
    drawer.input.fill("A draft")
    drawer.go("/agenda")
    expect(drawer.dialog).to_be_visible()
    expect(drawer.dialog.locator(".turn")).to_contain_text("Still here?")
    expect(drawer.input).to_have_value("A draft")
    assert drawer.input.evaluate("(el) => el.clientHeight >= el.scrollHeight")
    assert drawer.page.evaluate("document.activeElement === document.body")  # the page is usable, and keeps the focus
    drawer.input.press("Escape")
    expect(drawer.dialog).to_be_hidden()
    drawer.go("/glossary")
    expect(drawer.button).to_be_visible()
    expect(drawer.dialog).to_be_hidden()


@pytest.mark.parametrize("key", ["Escape", "Control+k"])
def test_a_drawer_is_remembered_as_closed_before_the_browser_reports_it(visit: Callable[..., Drawer], key: str) -> None:
    """Who closes it and leaves at once does not find it open on the next page."""
    drawer = visit()
    drawer.open()
    drawer.page.evaluate(
        """() => {
          const dialog = document.querySelector("paliadin-widget").shadowRoot.querySelector("dialog.drawer");
          const note = () => (window.remembered = localStorage.getItem("paliadin.drawer.open") === null);
          dialog.addEventListener("cancel", note);
          const close = dialog.close;
          dialog.close = () => (note(), close.call(dialog));
        }"""
    )
    drawer.page.keyboard.press(key)
    expect(drawer.dialog).to_be_hidden()
    assert drawer.page.evaluate("window.remembered") is True


@pytest.mark.long
def test_the_width_is_set_by_hand_or_key_and_remembered(visit: Callable[..., Drawer]) -> None:
    drawer = visit()
    drawer.open()
    expect(drawer.dialog).to_have_css("width", "420px")
    drawer.page.mouse.move(1280 - 420, 300)
    drawer.page.mouse.down()
    drawer.page.mouse.move(680, 300, steps=5)
    drawer.page.mouse.up()
    expect(drawer.dialog).to_have_css("width", "600px")
    drawer.dialog.get_by_role("separator").focus()
    drawer.page.keyboard.press("ArrowLeft")
    drawer.page.reload()
    expect(drawer.dialog).to_be_visible()
    expect(drawer.dialog).to_have_css("width", "620px")
    grip = drawer.dialog.get_by_role("separator")
    for width in ("420px", "800px"):  # a double click goes from one to the other; the page keeps 480 pixels
        grip.dblclick()
        expect(drawer.dialog).to_have_css("width", width)
    grip.press("Home")
    expect(drawer.dialog).to_have_css("width", "320px")


@pytest.mark.long
def test_under_640_pixels_it_has_the_whole_screen(visit: Callable[..., Drawer]) -> None:
    drawer = visit(viewport={"width": 390, "height": 844}, is_mobile=True, has_touch=True)
    drawer.open()
    assert drawer.input.evaluate("(el) => el.clientHeight >= el.scrollHeight")
    assert drawer.dialog.bounding_box() == {"x": 0, "y": 0, "width": 390, "height": 844}


def test_the_selected_text_goes_along_seen_before_cut_at_its_length_and_left_out_on_demand(
    visit: Callable[..., Drawer],
) -> None:
    drawer = visit("/projects/mill-street")
    expect(drawer.button).to_be_visible()
    select = "getSelection().selectAllChildren(document.querySelector('#state'))"
    drawer.page.evaluate(select)
    drawer.open()
    here = drawer.dialog.locator("details.here")
    here.locator("summary").click()
    expect(here).to_contain_text("Pageprojects.detail")
    expect(here).to_contain_text("“The municipality has replied.")
    drawer.asked("What about this?")
    assert drawer.context()["user_selection_text"].startswith("The municipality has replied.")
    here.get_by_role("checkbox", name="Send the selected text, too").uncheck()
    drawer.asked("And without it?")
    assert "user_selection_text" not in drawer.context()
    drawer.page.reload()
    expect(drawer.dialog).to_be_visible()
    drawer.input.press("Escape")
    drawer.page.evaluate("document.querySelector('#state').textContent = 'long '.repeat(400)")
    drawer.page.evaluate(select)
    drawer.open()
    here.locator("summary").click()
    here.get_by_role("checkbox").check()
    expect(here).to_contain_text("Claude is given its first 1,000 characters.")
    drawer.asked("And all of it?")
    assert len(drawer.context()["user_selection_text"]) == 999  # its last blank is trimmed
    expect(drawer.dialog.locator(".turn").last).to_contain_text("The selected text was long")


@pytest.mark.long
def test_starters_are_those_of_the_route_and_one_that_ends_in_a_blank_is_completed(
    visit: Callable[..., Drawer],
) -> None:
    drawer = visit("/agenda", locale="de-DE")
    speak_german(drawer)
    drawer.open()
    starters = drawer.dialog.locator(".starter")
    expect(starters).to_have_text(["Der heutige Tag", "Überschneidungen?", "Vorbereiten auf …"])
    starters.last.click()
    expect(drawer.input).to_have_value("Bereite mich vor auf den Termin mit ")
    drawer.page.keyboard.type("dem Gutachter")
    expect(drawer.input).to_have_value("Bereite mich vor auf den Termin mit dem Gutachter")
    drawer.input.fill("")
    starters.first.click()
    expect(drawer.dialog.locator(".question-text")).to_have_text("Fasse den heutigen Tag zusammen.")
    expect(drawer.input).to_be_focused()  # the button that had the focus is gone
    expect(drawer.dialog.locator(".turn-foot")).to_be_visible()
    assert drawer.context()["view_mode"] == "day"


def test_where_it_is_not_wanted_and_without_a_yes_of_the_daemon_it_is_not_there(visit: Callable[..., Drawer]) -> None:
    drawer = visit("/login")
    expect(drawer.page.locator("paliadin-widget .drawer")).to_have_count(1)
    drawer.page.keyboard.press("Control+k")
    drawer.page.evaluate("document.querySelector('paliadin-widget').open()")
    expect(drawer.button).to_be_hidden()
    expect(drawer.dialog).to_be_hidden()
    drawer.page.route("**/paliadin-token", lambda route: route.fulfill(status=200, body='{"token": "made.up"}'))
    asked: list[str] = []
    drawer.page.on("response", lambda response: asked.append(f"{response.status} {response.url.rpartition('/')[2]}"))
    drawer.page.goto(f"{drawer.site.url}/agenda")
    eventually(lambda: drawer.page.evaluate("performance.now()") and asked.count("401 health") == 2)
    drawer.page.keyboard.press("Control+k")
    expect(drawer.page.locator("paliadin-widget .drawer")).to_have_count(0)
    eventually(lambda: drawer.page.evaluate("1") and len(drawer.reports) == 2, what="both are reported")
    assert all("401" in report for report in drawer.reports)
    drawer.reports.clear()


def test_an_application_that_gives_no_token_any_more_is_told_as_no_connection(visit: Callable[..., Drawer]) -> None:
    drawer = visit("/agenda")
    drawer.open()
    page = drawer.page
    page.evaluate("AbortSignal.timeout = ((timeout) => () => timeout.call(AbortSignal, 300))(AbortSignal.timeout)")
    hung = hold(page, "**/paliadin-token")
    page.route("**/api/paliadin/events?*", lambda route: route.fulfill(status=401, json={}))
    begin_anew(page)
    expect(drawer.dialog.get_by_role("alert")).to_contain_text("The connection to Paliadin is lost. Trying again")
    page.unroute_all(behavior="ignoreErrors")
    expect(drawer.dialog.get_by_role("alert")).to_have_count(0)
    assert len(hung) >= 1
    assert all("401" in report for report in drawer.reports)
    drawer.reports.clear()


def test_the_application_opens_asks_and_hears(visit: Callable[..., Drawer]) -> None:
    drawer = visit("/glossary")
    expect(drawer.button).to_be_visible()
    drawer.page.evaluate(
        """async () => {
          window.heard = [];
          const widget = document.querySelector("paliadin-widget");
          const hear = (name) => widget.on(name, (detail) => heard.push([name, detail]));
          ["open", "close", "sent", "answer"].forEach(hear);
          window.silence = widget.on("open", () => heard.push("never"));
          silence();
          widget.setContext({ primary_entity_type: "term", filter_summary: 'only "mine"' });
          window.taken = await widget.send("What is this?");
        }"""
    )
    expect(drawer.dialog.locator(".turn-foot")).to_be_visible()
    drawer.page.evaluate("document.querySelector('paliadin-widget').toggle()")
    eventually(lambda: len(drawer.page.evaluate("heard")) == 4)
    heard = drawer.page.evaluate("heard")
    assert [name for name, _ in heard] == ["open", "sent", "answer", "close"]
    assert heard[1][1]["question"] == "What is this?"
    assert drawer.page.evaluate("taken") is True
    assert drawer.context()["filter_summary"] == 'only "mine"'


def test_page_and_drawer_work_behind_a_proxy_under_a_path(site: Site, browser: Browser) -> None:
    with (
        proxy(site.world.options["PORT"], f"/~{site.world.label}") as url,
        browser.new_context(locale="en-GB", reduced_motion="reduce") as context,
    ):
        page = context.new_page()
        way_in = urlsplit(site.world.path_url)
        page.goto(f"{url}{PREFIX}{way_in.path}?{way_in.query}")
        expect(page).to_have_url(f"{url}{PREFIX}/~{site.world.label}/paliadin")
        ask(page, "Through the proxy")
        expect(page.locator(".turn").last.locator(".turn-foot")).to_be_visible()
        page.goto(url)
        drawer = Drawer(page, site, [], [])
        drawer.open()
        drawer.asked("And in the drawer")
        expect(drawer.dialog.locator(".prose").last).to_contain_text("You said")


def test_the_drawer_has_conversations_of_its_own_and_remembers_which_one_was_open(visit: Callable[..., Drawer]) -> None:
    drawer = visit("/projects/mill-street")
    drawer.open()
    drawer.asked("The first one")
    drawer.dialog.get_by_role("button", name="New conversation", exact=True).first.click()
    expect(drawer.dialog.locator(".turn")).to_have_count(0)
    expect(drawer.input).to_be_focused()
    drawer.asked("scene:remember")
    expect(drawer.dialog.locator(".prose")).to_have_text("I remember 1 prompts.")
    drawer.page.reload()
    expect(drawer.dialog.locator(".turn")).to_have_count(1)
    shown = Listing(drawer.dialog)
    drawer.dialog.get_by_role("button", name="Show the conversations").click()
    expect(shown.search).to_be_focused()
    expect(shown.titles).to_have_count(2)  # the first one has the title that an earlier test gave it
    expect(shown.current).to_contain_text("scene:remember")
    drawer.page.keyboard.press("Escape")
    expect(drawer.dialog).to_be_visible()
    expect(shown.search).to_be_hidden()
    drawer.dialog.get_by_role("button", name="Show the conversations").click()
    shown.items.nth(1).locator(".item-link").click()
    expect(drawer.dialog.locator(".turn")).to_contain_text("The first one")
    expect(shown.search).to_be_hidden()
    drawer.dialog.get_by_role("button", name="Show the conversations").click()
    expect(shown.current).not_to_contain_text("scene:remember")
    shown.choose("scene:remember", "Delete")
    expect(shown.titles).to_have_count(1)
    shown.toast.get_by_role("button", name="Undo").click()
    expect(shown.titles).to_have_count(2)


def test_neither_pages_styles_reach_the_other(visit: Callable[..., Drawer]) -> None:
    drawer = visit("/projects/mill-street")
    font = drawer.page.get_by_role("link", name="Agenda").evaluate("(el) => getComputedStyle(el).fontFamily")
    drawer.open()
    assert "Georgia" in font
    pink = drawer.page.evaluate(
        """() => {
          const sheet = new CSSStyleSheet();
          sheet.replaceSync("button { background: hotpink !important; transition: none !important; }");
          document.adoptedStyleSheets.push(sheet);
          const own = document.body.appendChild(document.createElement("button"));
          return getComputedStyle(own).backgroundColor;
        }"""
    )
    send = drawer.dialog.locator(".composer .icon-send").locator("..")
    assert pink == "rgb(255, 105, 180)"
    assert send.evaluate("(el) => getComputedStyle(el).backgroundColor") != pink


def states(drawers: list[Drawer]) -> Iterator[str]:
    """Leads all drawers from state to state; they show one conversation, and the first one asks."""
    first = drawers[0]

    def each(act: Callable[[Drawer], object]) -> None:
        for drawer in drawers:
            act(drawer)

    def show(scene: str, until: str) -> None:
        ask(first.dialog, f"scene:{scene} in:{first.site.world.workdir}")
        for drawer in drawers:
            look(drawer.page)
            expect(drawer.dialog.locator(until).last).to_be_visible()

    def over(count: int) -> None:
        each(lambda drawer: expect(drawer.dialog.locator(".turn-foot:visible, .problem")).to_have_count(count))

    each(lambda drawer: expect(drawer.button).to_be_visible())
    yield "closed"
    each(lambda drawer: drawer.open())
    each(lambda drawer: drawer.dialog.locator(".here > summary").click())
    yield "starters, and what is sent of the page"
    show("differs", ".turn-foot")
    each(lambda drawer: drawer.dialog.locator(".evidence > summary").click())
    each(lambda drawer: drawer.dialog.locator(".turn-actions [aria-pressed]").last.click())
    yield "an answer, its evidence, a word on it"
    show("permission", ".ask")
    yield "a permission"
    each(lambda drawer: drawer.dialog.locator(".list-toggle").click())
    each(lambda drawer: expect(drawer.dialog.locator(".item").first).to_be_visible())
    yield "the list of conversations"
    each(lambda drawer: drawer.dialog.locator(".list-toggle").click())
    first.dialog.get_by_role("button", name="Deny").click()
    over(2)
    show("questions", ".ask")
    yield "questions"
    first.dialog.locator(".ask button").last.click()
    over(3)
    show("failure", ".problem")
    yield "an error"
    each(lambda drawer: drawer.page.route("**/api/paliadin/**", lambda route: route.abort()))
    each(lambda drawer: begin_anew(drawer.page))
    each(lambda drawer: expect(drawer.dialog.get_by_role("alert")).to_be_visible())
    yield "no connection"


BOTH: tuple[Theme, ...] = ("light", "dark")
SMALLER = {"en": (390, 844), "de": (820, 1180)}


@pytest.mark.long
@pytest.mark.parametrize(
    "themes",
    [
        pytest.param([("light",), ("dark",)], id="each theme"),
        pytest.param([BOTH, BOTH, BOTH], id="each theme in each size", marks=pytest.mark.matrix),
    ],
)
def test_in_every_state_axe_finds_nothing_serious(
    visit: Callable[..., Drawer], themes: list[tuple[Theme, ...]]
) -> None:
    """In each size that there is a tuple of themes for."""
    drawers = [visit("/projects/mill-street")]
    drawers[0].allowed.append("ERR_FAILED")  # of the state without a connection; some come late
    for lang, (width, height) in list(SMALLER.items())[: len(themes) - 1]:
        drawer = visit(
            "/agenda", viewport={"width": width, "height": height}, has_touch=True, is_mobile=True, locale=lang
        )
        if lang == "de":
            speak_german(drawer)
        drawers.append(drawer)
    for state in states(drawers):
        for drawer, looks in zip(drawers, themes, strict=True):
            drawer.page.bring_to_front()
            where = f"{state}, {drawer.page.viewport_size}"
            assert serious(drawer.page, "paliadin-widget", themes=looks) == [], where
            assert not drawer.dialog.evaluate(WIDER), where


def speak_german(drawer: Drawer) -> None:
    drawer.page.locator("html").evaluate("(el) => { el.lang = 'de' }")
    drawer.page.locator("paliadin-widget").evaluate("(el) => { el.remove(); document.body.append(el) }")


def test_a_permission_is_not_given_in_a_drawer_unless_the_owner_wants_it(
    site: Site, visit: Callable[..., Drawer]
) -> None:
    drawer = visit("/projects/mill-street")
    answer = {"ok": True, "parts": [], "scripted": True, "may_allow": False}
    leave_out(drawer.page, "health")
    drawer.page.route(
        "**/api/paliadin/health*",
        lambda route: route.fulfill(json=answer, headers={"access-control-allow-origin": drawer.site.url}),
    )
    drawer.page.reload()
    drawer.open()
    ask(drawer.dialog, "scene:lengthy")
    card = drawer.dialog.locator(".ask")
    expect(card.get_by_text("paliadin open")).to_be_in_viewport()
    expect(card.get_by_role("button")).to_have_count(0)
    drawer.dialog.get_by_role("button", name="Stop").click()
    expect(drawer.dialog.locator(".turn").last).to_contain_text("Stopped")


@pytest.mark.long
def test_a_plan_is_read_and_decided_on_in_it(visit: Callable[..., Drawer]) -> None:
    drawer = visit("/projects/mill-street")
    drawer.open()
    ask(drawer.dialog, f"scene:plan in:{drawer.site.world.workdir}")
    card = drawer.dialog.locator(".ask")
    expect(card.locator(".ask-plan li")).to_have_text(["Look at data.csv.", "Write the note."])
    expect(card.get_by_role("button", name="Keep planning")).to_be_in_viewport(ratio=1)
    assert serious(drawer.page, "paliadin-widget") == []
    card.get_by_role("button", name="Allow", exact=True).click()
    expect(card.locator(".card-title")).to_contain_text("note.txt")
    drawer.dialog.get_by_role("button", name="Stop").click()
    expect(drawer.dialog.locator(".turn").last).to_contain_text("Stopped")


@pytest.mark.long
def test_neither_files_nor_commands_are_listed_in_it(visit: Callable[..., Drawer]) -> None:
    drawer = visit("/projects/harbour-bridge")
    drawer.open()
    expect(drawer.dialog.locator(".figures")).to_be_hidden()
    for typed in ("/", "@"):
        drawer.input.fill("")
        drawer.input.press_sequentially(typed)
        drawer.page.wait_for_timeout(500)
        expect(drawer.dialog.get_by_role("option")).to_have_count(0)
        expect(drawer.input).not_to_have_attribute("role", "combobox")
