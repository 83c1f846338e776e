"""The dashboard in the real browser, over rows that each test knows."""

from __future__ import annotations

import contextlib
import io
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import httpx2
import psycopg
import pyarrow.parquet as pq
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, Page, Route, expect
from psycopg.types.json import Jsonb

from paliadin.events.reducer import Reducer
from paliadin.events.timeline import CalledTool, Waited
from paliadin.evidence.model import Claim, Source
from paliadin.live.capture_index import entries
from paliadin.live.captures import Capture
from paliadin.live.framing import Head
from paliadin.record.row import TurnRow
from paliadin.record.store import _record
from paliadin.reports.days import local_day, start_of
from paliadin.steps.model import Accepted, Failed, ToolStarted
from paliadin.web.dashboard.routes import Dashboard
from paliadin.web.sign_in import COOKIE
from tests.browser.conftest import OPTIONS, Watch, lent_tab
from tests.browser.helpers.admin import Served, dashboard
from tests.browser.helpers.chat import Chat
from tests.browser.helpers.hostile import ANSWERS
from tests.browser.helpers.tabs import Tabs, prepare
from tests.browser.test_hostile import HARMFUL
from tests.worlds.logs import made_turn, write
from tests.worlds.script import HELD

ZONE = ZoneInfo("Europe/Berlin")
TODAY = local_day(datetime.now(UTC), ZONE)
EVIL = "<img src=x onerror=alert(1)><script>alert(2)</script>{{ 7*7 }}\"'"

CallList = tuple[dict[str, object], ...]
READ: CallList = (
    CalledTool("Read", ok=True, rows=12, at_ms=100, duration_ms=40),
    CalledTool("Bash", refused=True, at_ms=500),
)


@pytest.fixture(autouse=True)
def today(monkeypatch: pytest.MonkeyPatch) -> None:
    """The day on which this run began, also when it goes on past midnight."""
    monkeypatch.setattr(Dashboard, "_today", lambda _: TODAY)


def turn(number: int, days_ago: int = 0, **values: object) -> TurnRow:
    """At noon of the day, or just now when that has not come yet; never on the day before."""
    morning = start_of(TODAY - timedelta(days=days_ago), ZONE)
    at = max(morning, min(morning + timedelta(hours=12), datetime.now(UTC) - timedelta(minutes=1)))
    at += timedelta(milliseconds=number)
    stamp = int(at.timestamp() * 1000)
    row = TurnRow(
        f"{stamp >> 16:08x}-{stamp & 0xFFFF:04x}-7000-8000-{number:012x}",
        *("main", "ada", "desk", "page"),
        started_at=at,
        finished_at=at + timedelta(seconds=2),
        duration_ms=2000,
        user_message=f"What is due on {number}?",
        response="Nothing.",
        observed_tools=("Read",),
        tool_calls=READ[:1],
        classifier_tag="data",
        classifier_source="trailer",
        abandoned=False,
        model="claude-opus-4-8",
        input_tokens=1_000_000,
    )
    return replace(row, **values)  # type: ignore[arg-type]  # a test's own fields


def busy(per_day: int, **values: object) -> list[TurnRow]:
    """So many turns a day for five weeks."""
    return [turn(number, days_ago, **values) for days_ago in range(36) for number in range(per_day)]


UNSUPPORTED: dict[str, object] = {
    "claims": {"found": 3, "derived": 1, "common": 1, "unsupported": 2},
    "verdict": "unsupported",
}
SUPPORTED: dict[str, object] = {"claims": {"found": 3}, "verdict": "supported"}


def claims_of(words: str) -> tuple[Claim, ...]:
    """Claims of each kind that a page shows, with these words in them."""
    source = Source("call", "t1", None, 3, words)
    earlier = replace(source, turn_id="01a1fdb6-b627-7948-85e7-ca4dc12d2878")
    return (
        Claim("m", 0, 1, words, "quotation", "found", (source, earlier)),
        Claim("m", 0, 1, "3", "count", "derived", (source,) * 7, "count"),
        Claim("m", 0, 1, f"not {words}", "quotation", "unsupported"),
        Claim("m", 0, 1, f"cut {words}", "quotation", "unknown"),
    )


def keep_claims(monkeypatch: pytest.MonkeyPatch, home: Path, turn_id: str, claims: tuple[Claim, ...]) -> None:
    """Give the turn a folder, and the claims to what is read of any folder."""
    folder = made_turn(home / "turns", turn_id, user_message="x")
    for step in (Accepted(1), ToolStarted(2, "t1", "Read", {}), Failed(3, "timeout", "Slow", "Ask")):
        folder.log.append(step)
    plain = Reducer.evidence
    monkeypatch.setattr(Reducer, "evidence", lambda reducer: replace(plain(reducer), claims=claims))


Opened = Callable[[Sequence[TurnRow]], Page]


@pytest.fixture
def served(database: str, tmp_path: Path) -> Iterator[Served]:
    with dashboard(database, tmp_path / "home") as serving:
        yield serving


@pytest.fixture
def url(served: Served) -> str:
    return served.url


@pytest.fixture
def watching(url: str) -> Iterator[Watch]:
    watch = Watch(f"{url}/")
    yield watch
    assert watch.troubles() == []


@pytest.fixture
def reader(
    served: Served, watching: Watch, tabs: Tabs, new_browser_context: Callable[..., BrowserContext]
) -> Iterator[Callable[..., Page]]:
    """Opens a page that may read the dashboard: in the tab of all tests, and a second one in a browser of its own."""
    with contextlib.ExitStack() as until_the_end:

        def open_page(**options: object) -> Page:
            kind = OPTIONS | options
            if tabs.are_free(kind):
                page = until_the_end.enter_context(lent_tab(tabs, watching, kind))
            else:
                context = prepare(new_browser_context(**kind))
                watching.attach(context)
                page = context.new_page()
            served.sign_in(page.context)
            return page

        yield open_page


@pytest.fixture
def new_browser_context(browser: object) -> Iterator[Callable[..., BrowserContext]]:
    contexts: list[BrowserContext] = []

    def make(**options: object) -> BrowserContext:
        contexts.append(browser.new_context(**options))  # type: ignore[attr-defined]  # pytest-playwright's
        return contexts[-1]

    yield make
    for context in contexts:
        context.close()


def record(conninfo: str, rows: Sequence[TurnRow]) -> None:
    sql = "insert into paliadin.turns select * from jsonb_populate_record(null::paliadin.turns, %(row)s)"
    with psycopg.connect(conninfo) as connection:
        connection.cursor().executemany(sql, [_record(row) for row in rows])


def test_the_fixtures_rows_are_jsonb(database: str) -> None:
    assert isinstance(_record(turn(1))["row"], Jsonb)
    record(database, [turn(1)])


@pytest.fixture
def admin(database: str, url: str, reader: Callable[..., Page]) -> Callable[..., Page]:
    """Puts the rows on record and opens a page of the dashboard."""

    def open_admin(rows: Sequence[TurnRow], path: str = "", **options: object) -> Page:
        record(database, rows)
        page = reader(**options)
        page.goto(f"{url}/admin/paliadin{path}")
        return page

    return open_admin


def tile(page: Page, name: str) -> str:
    return page.locator(".tile", has=page.get_by_text(name, exact=True)).locator(".big").inner_text()


@pytest.mark.first(3)
@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([], "Too little data yet"),
        ([turn(1, 3)], "Too little data yet"),
        (busy(4), "Yes: "),
        (busy(4, tool_calls=(), observed_tools=()), "Not sure: "),
        (busy(2), "Not sure: "),
        (busy(4, abandoned=True), "Not sure: "),
        ([turn(1, 40), turn(2, 3)], "No: "),
        (busy(4, error_code="pane_died"), "No: "),
    ],
    ids=["nothing", "young", "green", "no tools", "seldom", "abandoned", "hardly used", "dying"],
)
def test_the_gate_says_one_verdict(admin: Callable[..., Page], rows: list[TurnRow], words: str) -> None:
    page = admin(rows)
    expect(page.locator(".verdict")).to_contain_text(words)
    table = page.locator(".gate table")
    expect(table).to_be_hidden()
    page.locator(".gate summary").click()
    expect(table).to_be_visible()
    expect(page.locator(".gate tbody tr")).to_have_count(6)
    expect(page.locator(".gate")).to_contain_text("This always looks at the last four whole weeks")
    if words == "Too little data yet":  # a value that is no judgement is not drawn as one
        expect(page.locator("[class*=limit-]")).to_have_count(0)
        expect(page.locator(".gate")).not_to_contain_text("reached")


COLOURS = """() => {
  const red = getComputedStyle(document.documentElement).getPropertyValue("--bad");
  const probe = document.body.appendChild(document.createElement("i"));
  probe.style.color = red;
  const colour = getComputedStyle(probe).color;
  probe.remove();
  return [...document.querySelectorAll("main *")].filter((each) => getComputedStyle(each).color === colour
    || (getComputedStyle(each).fill === colour && !each.closest(".patterns"))).map((each) => each.outerHTML);
}"""


@pytest.mark.long
def test_nothing_is_red_without_an_error(admin: Callable[..., Page], database: str) -> None:
    page = admin([])
    page.locator(".gate summary").click()
    assert page.evaluate(COLOURS) == []
    expect(page.get_by_role("region", name="What is worst")).to_contain_text("Nothing here.")
    expect(page.locator("[data-chart]")).to_have_count(0)
    record(database, [turn(1), turn(2, 1)])
    page.reload()
    assert page.evaluate(COLOURS) == []
    record(database, [turn(3, error_code="timeout"), turn(4, error_code="constructor")])
    page.reload()
    codes = page.get_by_role("region", name="What is worst").locator("li:has(code) .words")
    expect(codes).to_have_text(["constructor", re.compile(r"^[A-Z].*\.$")])  # the code "constructor" has no words
    assert page.evaluate(COLOURS) != []


# Text and address of each link outside the gate.
NUMBERS = """(links) => links.filter((link) => !link.parentElement.closest("[class*=gate]"))
  .map((link) => [link.textContent.trim(), link.getAttribute("href")])"""
# How many turns each page says that it found; the browser asks for it as for any page, and draws none.
FOUND = """async (addresses) => {
  const found = [];
  for (const address of addresses) {
    const page = await (await fetch(address)).text();
    found.push(new DOMParser().parseFromString(page, "text/html").querySelector("#found")?.textContent);
  }
  return found;
}"""


def test_every_number_leads_to_its_turns(admin: Callable[..., Page]) -> None:
    failed = turn(7, 1, error_code="timeout", session_id="letters", tool_calls=READ, observed_tools=("Read", "Bash"))
    asked = turn(8, 2, evidence_agrees=False, classifier_source="fallback", interrupts=(
        Waited("permission", "Bash", by="page", at_ms=10, waited_ms=900),
    ))  # fmt: skip
    facts = [turn(1, **UNSUPPORTED), turn(2, **SUPPORTED), turn(3, 1, **SUPPORTED), turn(9, 8, **UNSUPPORTED)]
    page = admin([*facts, failed, asked])
    assert tile(page, "Questions asked") == "5"
    assert tile(page, "Failed") == "1"
    assert tile(page, "Ended without an error") == "80%"
    assert tile(page, "People") == "1"
    assert tile(page, "Estimated cost") == "$25.00"
    assert tile(page, "Answers with facts not found") == "33%"
    links = page.locator("main a[href*='/admin/paliadin/turns?']:not([hidden])").evaluate_all(NUMBERS)
    numbers = sorted({(shown, address) for shown, address in links if shown.isdigit()})
    assert len(numbers) > 20
    found = page.evaluate(FOUND, [address for _, address in numbers])
    counted = [f"{number} turn" if number == "1" else f"{number} turns" for number, _ in numbers]
    assert list(zip(numbers, found, strict=True)) == list(zip(numbers, counted, strict=True))
    page.locator(".tile a.big").first.click()
    expect(page.locator("#found")).to_have_text("5 turns")


@pytest.mark.long
def test_facts_that_were_not_found_are_counted_by_day_tag_and_page_and_the_worst_answers_come_first(
    admin: Callable[..., Page],
) -> None:
    many = {"claims": {"found": 1, "unsupported": 9}, "verdict": "unsupported", "classifier_tag": "meta"}
    nothing = turn(5, claims={"common": 3}, verdict="nothing_to_check")
    page = admin([turn(1, **UNSUPPORTED), turn(2, **SUPPORTED), turn(3, 1, **many), turn(4), nothing])
    card = page.get_by_role("region", name="Facts not found in anything Claude looked up")
    expect(card).to_contain_text("2 of 3 answers that had something to check, 11 of 19 facts.")
    cells = [row.get_by_role("cell").all_inner_texts() for row in card.locator(".cards tbody tr").all()]
    assert cells == [["50%", "1", "2"], ["100%", "1", "1"], ["67%", "2", "3"]]  # data, meta; no page
    worst = page.get_by_role("region", name="What is worst")
    expect(worst.locator(".warn")).to_have_text(["9 of 10 facts not found", "2 of 6 facts not found"])
    card.get_by_text("As a table").click()
    assert card.locator("details tbody tr").first.get_by_role("cell").all_inner_texts() == ["2", "1", "1"]
    card.get_by_role("row").filter(has_text="meta").get_by_role("link").first.click()
    expect(page.locator("#found")).to_have_text("1 turn")
    expect(page.locator(".chosen")).to_contain_text("Facts: some not found")
    expect(page.locator(".turns .warn")).to_have_text("9 of 10 facts not found")
    page.get_by_role("link", name="Remove: Tag meta").click()
    page.get_by_role("link", name="most facts not found first").click()
    expect(page.locator(".turns .warn")).to_have_text(["9 of 10 facts not found", "2 of 6 facts not found"])
    expect(page.locator(".filter .more")).to_have_attribute("open", "")  # there is something to take back
    page.locator(".filter [name=verdict]").select_option("all found")
    page.get_by_role("button", name="Apply").click()
    expect(page.locator(".turns li")).to_have_count(1)
    expect(page.locator(".turns .words")).to_have_text("What is due on 2?")


@pytest.mark.long
def test_answers_that_were_never_checked_count_for_nothing(admin: Callable[..., Page]) -> None:
    page = admin([turn(1), turn(2, claims={}, verdict="nothing_to_check")])
    assert tile(page, "Answers with facts not found") == "–"
    card = page.get_by_role("region", name="Facts not found in anything Claude looked up")
    expect(card).to_contain_text("No answer here had something to check.")
    page.goto(page.url + "/turns")
    page.locator(".turns a").last.click()
    expect(page.get_by_role("heading", name="Facts", exact=True)).to_have_count(0)
    expect(page.get_by_role("region", name="Evidence")).to_contain_text("Factsnot checked")


@pytest.mark.first(1)
@pytest.mark.parametrize("lang", ["en", "de"])
def test_a_turns_page_shows_each_fact_with_what_holds_it(
    admin: Callable[..., Page], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lang: str
) -> None:
    counts = {"found": 1, "derived": 1, "unsupported": 1, "unknown": 1}
    rows = {"used_tools": ("Read",), "rows_seen": (5,), "evidence_agrees": False}
    kept, gone = turn(1, claims=counts, verdict="unsupported", **rows), turn(2, claims=counts, verdict="unsupported")
    keep_claims(monkeypatch, tmp_path / "home", kept.turn_id, claims_of("12 May \u202e"))
    page = admin([kept, gone], f"/turns/{kept.turn_id}?lang={lang}")
    facts = page.get_by_role("region", name={"en": "Facts", "de": "Angaben"}[lang], exact=True)
    whole = {
        "en": "1 not found in anything Claude looked up",
        "de": "1 nicht gefunden in dem, was Claude nachgeschlagen hat",
    }
    expect(facts).to_contain_text(whole[lang])
    shown = facts.locator(".prompt").all_inner_texts()
    assert [text.split("\n") for text in shown] == {
        "en": [
            ["not 12 May ⟨U+202E⟩", "not found"],
            ["cut 12 May ⟨U+202E⟩", "cannot be checked"],
            ["3", "derived by counting"],
            ["12 May ⟨U+202E⟩", "found"],
        ],
        "de": [
            ["not 12 May ⟨U+202E⟩", "nicht gefunden"],
            ["cut 12 May ⟨U+202E⟩", "nicht prüfbar"],
            ["3", "abgeleitet durch Zählen"],
            ["12 May ⟨U+202E⟩", "gefunden"],
        ],
    }[lang]
    sources = facts.locator("li").last.locator(".facts").all_inner_texts()
    assert (
        sources
        == {
            "en": ["File read, line 3: 12 May ⟨U+202E⟩", "an earlier turn, line 3: 12 May ⟨U+202E⟩"],
            "de": ["Datei gelesen, Zeile 3: 12 May ⟨U+202E⟩", "eine frühere Anfrage, Zeile 3: 12 May ⟨U+202E⟩"],
        }[lang]
    )
    expect(facts.get_by_role("link")).to_have_attribute(
        "href", re.compile("/turns/01a1fdb6-b627-7948-85e7-ca4dc12d2878$")
    )
    evidence = page.get_by_role("region", name={"en": "Evidence", "de": "Belege"}[lang])
    rows_differ = {"en": "File read: 5 lines named, 12 lines returned",
                   "de": "Datei gelesen: 5 Zeilen genannt, 12 Zeilen zurückgegeben"}  # fmt: skip
    expect(evidence).to_contain_text(rows_differ[lang])
    page.goto(page.url.replace(kept.turn_id, gone.turn_id))
    expect(facts).to_contain_text(whole[lang])
    expect(facts).to_contain_text({"en": "stood in the turn's folder", "de": "stand im Ordner der Anfrage"}[lang])
    expect(facts.locator(".prompt")).to_have_count(0)


@pytest.mark.long
def test_a_turn_without_a_tag_is_of_no_kind(admin: Callable[..., Page]) -> None:
    failed = {"error_code": "dialog_open", "classifier_tag": None, "classifier_source": None}
    guessed = turn(1, classifier_tag="meta", classifier_source="fallback")
    page = admin([guessed, turn(2), *(turn(number, **failed) for number in (3, 4, 5))])
    tags = page.get_by_role("region", name="By tag")
    rows = [row.get_by_role("cell").all_inner_texts() for row in tags.get_by_role("row").all()[1:]]
    assert rows == [["3", "–", "0"], ["1", "50%", "0"], ["1", "50%", "1"]]
    expect(tags).to_contain_text("Of all, 50% were set by the fallback.")
    tags.get_by_role("row").filter(has_text="(none)").get_by_role("link").click()
    expect(page.locator("#found")).to_have_text("3 turns")
    expect(page.locator(".filter, main").first).to_contain_text("without a tag")
    page.locator(".turns a").first.click()
    expect(page.get_by_role("region", name="Figures")).not_to_contain_text("Tag")


def test_filters_live_in_the_address_and_can_be_taken_back(admin: Callable[..., Page]) -> None:
    page = admin([turn(1), turn(2, session_id="letters", user_message="Draft a letter"), turn(3, error_code="timeout")])
    page.locator(".more summary").click()
    page.locator(".filter [name=session]").select_option("letters")
    page.get_by_role("button", name="Apply").click()
    expect(page.locator(".chosen")).to_contain_text("Session: letters")
    assert "session=letters" in page.url
    assert tile(page, "Questions asked") == "1"
    page.reload()
    assert tile(page, "Questions asked") == "1"
    page.get_by_role("link", name="Remove: Session letters").click()
    assert tile(page, "Questions asked") == "3"
    page.locator(".more summary").click()
    page.get_by_label("Contains the words").fill("draft let")
    expect(page.get_by_role("button", name="Apply")).to_be_enabled()
    page.keyboard.press("Enter")
    expect(page.locator(".chosen")).to_contain_text("Text: draft let")
    assert tile(page, "Questions asked") == "1"
    page.get_by_role("link", name="Remove: Text draft let").click()
    page.locator(".more summary").click()
    page.get_by_label("Errors only").check()
    page.get_by_role("button", name="Apply").click()
    expect(page.locator(".chosen")).to_contain_text("Errors")
    assert tile(page, "Questions asked") == "1"
    page.get_by_role("link", name="Turns", exact=True).click()
    expect(page.locator("#found")).to_have_text("1 turn")
    expect(page.locator(".turns .bad")).to_have_text("timeout")


@pytest.mark.long
def test_days_are_the_owners(admin: Callable[..., Page]) -> None:
    midnight = start_of(TODAY - timedelta(days=2), ZONE)
    page = admin([replace(turn(1), started_at=midnight), replace(turn(2), started_at=midnight - timedelta(seconds=1))])
    card = page.get_by_role("region", name="Questions a day")
    card.locator("summary").click()
    rows = card.locator("tbody tr")
    assert [rows.nth(number).locator("td").first.inner_text() for number in range(5)] == ["0", "0", "1", "1", "0"]
    rows.nth(2).locator("a").click()
    expect(page.locator(".turns li")).to_have_count(1)


def test_a_turns_page_has_the_whole_record(admin: Callable[..., Page], tmp_path: Path) -> None:
    context = {"route_name": "cases", "user_selection_text": "marked " * 11 + "end and what nobody needs to see"}
    row = turn(5, tool_calls=READ, context=context, error_code="submit_failed", used_tools=("Grep",),
               evidence_agrees=False, interrupts=(Waited("permission", "Bash", by="page", at_ms=1, waited_ms=700),)
               )  # fmt: skip
    folder = made_turn(tmp_path / "home" / "turns", row.turn_id, user_message=row.user_message)
    write(folder, {"relay": {"kind": "accepted", "model": "claude-opus-4-8"}})
    (folder.path / "screen.txt").write_text("│ > half a prompt │")
    page = admin([row], "/turns")
    page.locator(".turns a").click()
    main = page.locator("main")
    disagreement = "Claims and tools disagree"
    for words in ("What is due on 5?", "Nothing.", "refused", "submit_failed", "Files searched", disagreement, "cases"):
        expect(main).to_contain_text(words)
    expect(page.get_by_role("region", name="Context")).to_contain_text("marked end …")
    expect(page.locator(".trace li")).to_have_count(3)
    expect(page.get_by_role("region", name="Figures")).to_contain_text("Of which waiting for a reply700\u00a0ms")
    expect(main).to_contain_text("│ > half a prompt │")
    page.get_by_text("Turn log").click()
    expect(page.locator("pre", has_text='"kind": "accepted"')).to_be_visible()


def capture(home: Path, turn_id: str, agent: str = "", model: str = "claude-opus-4-8", *, complete: bool = True) -> str:
    """The name of a new capture that belongs to the turn."""
    before = {entry.name for entry in entries(home / "captures")}
    fields = [("x-claude-code-request-class", "main"), ("x-claude-code-agent-id", agent)]
    made = Capture(home / "captures", Head("POST /secret/v1/messages?beta=true HTTP/1.1", fields), "main")
    made.turn, made.model = turn_id, model
    made.write_request(b"x" * 123_456 + EVIL.encode())
    made.begin_response(Head("HTTP/1.1 200 OK", [("Content-Type", "text/event-stream")]))
    made.write_response(b"event: ping\n\n\xff")
    made.finish(complete=complete)
    [name] = {entry.name for entry in entries(home / "captures", turn_id)} - before
    return name


@pytest.mark.long
def test_a_turns_page_leads_to_what_was_captured_of_it(
    admin: Callable[..., Page], tmp_path: Path, served: Served
) -> None:
    row, other, home = turn(5), turn(6), tmp_path / "home"
    page = admin([row, other], f"/turns/{row.turn_id}")
    expect(page.get_by_role("heading", name="Evidence")).to_be_visible()
    expect(page.get_by_text("API requests")).to_have_count(0)
    assert not (home / "captures").exists()
    name = capture(home, row.turn_id)
    foreign = capture(home, other.turn_id)
    page.reload()
    captures = page.get_by_role("region", name="API requests")
    expect(captures.locator("tbody tr")).to_have_count(1)
    expect(captures.get_by_role("cell").nth(0)).to_have_text("main")
    expect(captures.get_by_role("cell").nth(1)).to_have_text("claude-opus-4-8")
    expect(captures.get_by_role("cell").nth(3)).to_have_text(re.compile(r"^123\.5\skB$"))
    with page.expect_download() as downloading:
        captures.get_by_role("link").click()
    assert downloading.value.suggested_filename == f"{name}.http"
    assert Path(downloading.value.path()).read_bytes() == (home / "captures" / f"{name}.http").read_bytes()
    host = httpx2.URL(served.url).netloc.decode()
    address = f"http://127.0.0.1:{host.rpartition(':')[2]}/admin/paliadin/turns/{row.turn_id}/captures/"
    headers = {"Host": host, "Cookie": f"{COOKIE}={served.cookie}"}
    response = httpx2.get(address + name, headers=headers)
    assert response.headers["content-type"] == "text/plain; charset=utf-8"
    assert response.headers["x-content-type-options"] == "nosniff"
    assert response.headers["content-disposition"] == f'attachment; filename="{name}.http"'
    for unknown in (foreign, "x", f"{name}x", "..%2F..%2Faccess.json", f"{row.turn_id}--1763726400000-000000001"):
        assert httpx2.get(address + unknown, headers=headers).status_code == 404, unknown
    assert httpx2.get(address + name, headers={"Host": host}).status_code == 401


@pytest.mark.first(1)
@pytest.mark.parametrize("lang", ["en", "de"])
def test_what_is_missing_of_a_capture_is_said(admin: Callable[..., Page], tmp_path: Path, lang: str) -> None:
    row = turn(5, session_id=EVIL)
    capture(tmp_path / "home", row.turn_id, agent="a7" + EVIL, model=EVIL, complete=False)
    lone = capture(tmp_path / "home", row.turn_id)
    (tmp_path / "home" / "captures" / f"{lone}.json").unlink()
    page = admin([row], f"/turns/{row.turn_id}?lang={lang}")
    captures = page.get_by_role("region", name={"en": "API requests", "de": "API-Aufrufe"}[lang])
    words = {"en": ("agent a7", "200 incomplete"), "de": ("Agent a7", "200 unvollständig")}[lang]
    for word in (*words, EVIL):
        expect(captures).to_contain_text(word)
    assert captures.locator(":is(img, script)").count() == 0
    cells = captures.locator("tr", has=page.locator(f"a[href$='{lone}']")).get_by_role("cell").all_inner_texts()
    assert [cell.split()[0] for cell in cells] == ["–"] * 6


def test_tokens_that_nobody_counted_are_a_dash_and_cost_nothing_that_is_known(admin: Callable[..., Page]) -> None:
    page = admin([turn(5, input_tokens=None)])
    row = page.get_by_role("row").filter(has_text="claude-opus-4-8")
    expect(row.get_by_role("cell")).to_have_text(["1", "–", "–", "–", "–", "–"])
    assert tile(page, "Estimated cost") == "–"
    expect(page.get_by_role("region", name="By model")).not_to_contain_text("Without a price")
    page.goto(page.url + "/turns")
    page.locator(".turns a").click()
    facts = page.get_by_role("region", name="Figures")
    for name in ("Input", "Output", "Cache read", "Cache written", "Estimated cost"):
        expect(facts.locator("div", has=page.get_by_text(name, exact=True)).locator("dd")).to_have_text("–")


def test_what_claims_hold_is_only_text(
    admin: Callable[..., Page], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = turn(5, used_tools=(EVIL,), rows_seen=(1,), evidence_agrees=False, **UNSUPPORTED)
    evil = claims_of(EVIL)
    far = replace(evil[0].sources[0], turn_id=f"javascript:alert(1)//{EVIL}")
    keep_claims(monkeypatch, tmp_path / "home", row.turn_id, (*evil, replace(evil[0], sources=(far,))))
    page = admin([row], f"/turns/{row.turn_id}")
    expect(page.locator("[aria-labelledby=claims]")).to_contain_text(f"File read, line 3: {EVIL}")
    expect(page.get_by_role("region", name="Evidence")).to_contain_text(f"{EVIL}: named, but did not run")
    assert page.locator("main :is(img, script)").count() == 0
    links = page.locator("[aria-labelledby=claims] a").evaluate_all("all => all.map((each) => each.protocol)")
    assert links == ["http:", "http:"]


def test_what_a_user_or_claude_wrote_is_only_text(admin: Callable[..., Page], tmp_path: Path) -> None:
    row = turn(5, user_message=EVIL, response=EVIL, session_id=EVIL, person=EVIL, page_origin=EVIL, model=EVIL,
               error_code=EVIL, context={EVIL: EVIL, "route_name": EVIL}, used_tools=(EVIL,),
               tool_calls=(replace(READ[0], name=EVIL),), observed_tools=(EVIL,),
               interrupts=(Waited(EVIL, EVIL, by=EVIL, at_ms=1, waited_ms=1),))  # fmt: skip
    folder = made_turn(tmp_path / "home" / "turns", row.turn_id, user_message=EVIL)
    write(folder, {"relay": {"kind": EVIL}})
    (folder.path / "screen.txt").write_text(EVIL)
    page = admin([row, turn(6)])
    expect(page.locator("main")).to_contain_text(EVIL)
    page.locator(".prompts a").first.click()
    expect(page.locator(".chosen")).to_be_visible()
    page.locator(".turns a").first.click()
    page.goto(page.url.split("/turns")[0] + f"/turns/{row.turn_id}")
    expect(page.locator("main")).to_contain_text(EVIL)
    assert page.locator("main :is(img, script)").count() == 0
    page.goto(page.url.split("/turns")[0] + "?session=%3Cimg%20src%3Dx%3E&q=%22%3E%3Cscript%3E")
    expect(page.locator(".chosen")).to_contain_text("<img src=x>")
    assert page.locator("main :is(img, script)").count() == 0


MARKDOWN = """\
## Two are due

1. **Reply**, see [the rules](https://example.com/rules)
2. `expert.md`

| due | what |
| --- | ---: |
| 2026-12-01 | reply |

```python
print("<b>")
```
"""


@pytest.mark.long
def test_an_answer_is_drawn_as_on_the_chat_page(admin: Callable[..., Page]) -> None:
    page = admin([turn(5, response=MARKDOWN)], "/turns")
    page.locator(".turns a").click()
    prose = page.locator("[aria-labelledby=answer] .prose")
    expect(prose.locator("h3")).to_have_text("Two are due")
    expect(prose.locator("ol li strong")).to_have_text("Reply")
    link = prose.get_by_role("link", name="the rules")
    assert (link.get_attribute("target"), link.get_attribute("rel")) == ("_blank", "noopener noreferrer")
    expect(prose.locator("td").last).to_have_text("reply")
    expect(prose.locator("pre code")).to_have_text('print("<b>")\n')
    expect(prose.get_by_role("button", name="Copy this code")).to_be_visible()


@pytest.mark.long
def test_an_answer_that_means_harm_does_nothing_on_its_turns_page(admin: Callable[..., Page]) -> None:
    rows = [turn(number, response=text) for number, text in enumerate(ANSWERS.values())]
    page = admin(rows, "/turns")
    for row in rows:
        page.goto(page.url.split("/turns")[0] + f"/turns/{row.turn_id}")
        prose = page.locator("[aria-labelledby=answer] .prose")
        expect(prose).to_contain_text("The end of it.")
        assert page.evaluate("window.hacked ?? null") is None
        assert page.locator(f"[aria-labelledby=answer] :is({HARMFUL})").count() == 0
        for href in prose.locator("a").evaluate_all("links => links.map((link) => link.href)"):
            assert href.startswith(("http://", "https://", "mailto:")) or not href, href


def test_german_and_english_and_the_theme_go_along(admin: Callable[..., Page]) -> None:
    page = admin([turn(1)], locale="de-DE")
    expect(page.get_by_role("heading", level=1)).to_have_text("Auswertung")
    page.get_by_role("link", name="English").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Monitoring")
    page.route("**/admin.js", _slowly)  # the buttons wait for it
    page.get_by_role("link", name="Turns", exact=True).first.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Turns")
    background = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(background)
    page.get_by_role("button", name="Change the theme").click()
    page.get_by_role("button", name="Change the theme").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    assert page.evaluate(background) != light


def _slowly(route: Route) -> None:
    time.sleep(0.5)
    route.continue_()


OVERFLOW = """() => {
  const width = document.documentElement.clientWidth;
  return [...document.querySelectorAll("body *")].filter((el) => {
    const { left, right, width: own } = el.getBoundingClientRect();
    return own > 0 && (left < -0.5 || right > width + 0.5) && !el.closest(".hidden, .scroll, .skip");
  }).map((el) => `${el.tagName} ${el.getAttribute("class")}`);
}"""


MATRIX = pytest.mark.matrix
CUT = """() => [...document.querySelectorAll(".scroll")].filter((el) => el.scrollWidth > el.clientWidth)
  .map((el) => el.textContent)"""


@pytest.mark.first(1)
@pytest.mark.parametrize(
    ("size", "theme", "locale"),
    [
        pytest.param((1280, 800), "dark", "de-DE", id="german"),
        pytest.param((390, 844), "light", "en-GB", id="phone"),
        pytest.param((1280, 800), "light", "en-GB", id="desktop", marks=MATRIX),
        pytest.param((390, 844), "dark", "en-GB", id="phone, dark", marks=MATRIX),
        pytest.param((320, 568), "light", "de-DE", id="small", marks=MATRIX),
    ],
)
def test_every_page_fits_its_screen_and_axe_finds_nothing(
    admin: Callable[..., Page],
    watching: Watch,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    *,
    size: tuple[int, int],
    theme: str,
    locale: str,
) -> None:
    watching.allow("404")
    long = {"session_id": "x" * 64, "user_message": "w" * 300, "response": MARKDOWN}
    account = {"used_tools": ("Read",), "rows_seen": (5,), "evidence_agrees": False}
    rows = [
        *busy(3, classifier_source="fallback", **UNSUPPORTED),
        turn(9, 1, tool_calls=READ, error_code="timeout", **long, **account, **UNSUPPORTED),
    ]
    keep_claims(monkeypatch, tmp_path / "home", rows[-1].turn_id, claims_of("w" * 200))
    viewport = {"width": size[0], "height": size[1]}
    page = admin(rows, "?span=30&session=main", viewport=viewport, color_scheme=theme, locale=locale)
    start = page.url.split("?")[0]
    failed = next(row for row in rows if row.error_code)
    capture(tmp_path / "home", failed.turn_id, agent="a7c21f0aa12b3c4d5", complete=False)
    for path in (
        "?span=30&session=main",
        "?span=365",
        "",
        "/turns?span=30",
        f"/turns/{failed.turn_id}",
        "/turns/none",
        "/turns?q=zzz",
    ):
        page.goto(start + path)
        page.evaluate("document.querySelectorAll('details').forEach((each) => (each.open = true))")
        assert page.evaluate(OVERFLOW) == [], path
        if size[0] > 1000:
            assert page.evaluate(CUT) == [], path
        violations = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
        assert [(rule["id"], [node["html"] for node in rule["nodes"]]) for rule in violations] == [], path


@pytest.mark.long
def test_on_a_phone_the_figures_come_first_and_the_filter_at_a_tap(admin: Callable[..., Page]) -> None:
    page = admin([turn(1), turn(2, 1)], viewport={"width": 390, "height": 844})
    session = page.locator(".filter [name=session]")
    expect(session).to_be_hidden()
    page.locator(".filter .more summary").click()
    session.select_option("main")
    page.locator(".filter form").get_by_role("button").click()
    expect(page).to_have_url(re.compile("session=main"))
    expect(session).to_be_visible()  # there is something to take back


def test_it_is_used_with_the_keyboard_alone(admin: Callable[..., Page]) -> None:
    page = admin([turn(1), turn(2, 1)])
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="7 days")).to_be_focused()
    page.locator(".tile .big").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#found")).to_have_text("2 turns")
    page.locator(".turns a").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#question")).to_be_visible()


def test_a_database_that_is_away_is_reported(
    tmp_path: Path, new_browser_context: Callable[..., BrowserContext]
) -> None:
    with dashboard("postgresql://x@127.0.0.1:1/x", tmp_path / "home") as served:
        context = new_browser_context()
        served.sign_in(context)
        page = context.new_page()
        response = page.goto(f"{served.url}/admin/paliadin")
        assert response is not None
        assert response.status == 503
        expect(page.get_by_role("alert")).to_contain_text("database")


def test_nobody_gets_in_without_the_cookie(url: str, new_browser_context: Callable[..., BrowserContext]) -> None:
    page = new_browser_context().new_page()
    for path in ("/admin/paliadin", "/admin/paliadin/turns", "/admin/paliadin/export.csv"):
        response = page.goto(url + path)
        assert response is not None
        assert response.status == 401


def test_the_chat_page_leads_to_it_in_its_language_and_back(opened: Callable[..., Chat]) -> None:
    chat = opened(locale="de-DE")
    chat.page.get_by_role("link", name="Auswertung").click()
    expect(chat.page.get_by_role("heading", level=1)).to_have_text("Auswertung")
    expect(chat.page.locator(".verdict")).to_have_text("Noch zu wenige Daten: Es braucht vier ganze Wochen")
    chat.page.get_by_role("link", name="Chat").click()
    expect(chat.input).to_be_visible()


@pytest.mark.long
def test_a_turn_that_was_asked_is_on_the_page_while_the_next_one_streams(opened: Callable[..., Chat]) -> None:
    chat = opened()
    chat.asked("scene:read")
    chat.ask("scene:held")
    expect(chat.text).to_contain_text("Line 2.")
    record = chat.page.context.new_page()
    record.goto(chat.page.url.split("/paliadin")[0] + "/admin/paliadin/turns")
    expect(record.locator(".turns li").filter(has_text="scene:held").first).to_contain_text("not ended")
    record.locator(".turns a").filter(has_text="scene:read").first.click()
    expect(record.locator(".trace li", has_text="File read").first).to_be_visible()
    expect(record.locator("main")).to_contain_text("verified")
    HELD.enough.set()
    chat.ends()


FETCH = """async (address) => {
  const response = await fetch(address);
  const bytes = Array.from(new Uint8Array(await response.arrayBuffer()));
  return [response.status, Object.fromEntries(response.headers), bytes];
}"""


def fetched(page: Page, address: str) -> tuple[int, dict[str, str], bytes]:
    """(status, headers, body) of a request that the page makes: Playwright's own client finds no host of .localhost."""
    status, headers, body = page.evaluate(FETCH, address)
    return status, headers, bytes(body)


def test_what_a_filter_shows_is_what_its_export_has(admin: Callable[..., Page], watching: Watch) -> None:
    watching.allow("404")
    page = admin([turn(1), turn(2, session_id="letters"), turn(3, session_id="letters")], "/turns?session=letters")
    for name in ("jsonl", "csv", "parquet"):
        address = page.get_by_role("link", name=name, exact=True).get_attribute("href")
        status, headers, body = fetched(page, str(address))
        assert status == 200
        assert headers["content-disposition"].endswith(f'.{name}"')
        rows = pq.read_table(io.BytesIO(body)).num_rows if name == "parquet" else body.count(b"\n") - (name == "csv")
        assert rows == 2
    status, _, unknown = fetched(page, "/admin/paliadin/export.exe")
    assert status == 404
    assert b"<h1>There is nothing at this address</h1>" in unknown
    assert b"Formats: jsonl, csv, parquet." in unknown
