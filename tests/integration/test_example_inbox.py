"""The inbox of the example application: who sees which request, who decides on it, and what else can be sent there."""

from __future__ import annotations

import re
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack
from urllib.parse import quote
from uuid import UUID, uuid4

import httpx2
import pytest

from examples.host.app import COOKIE, Host
from paliadin.demo import office
from tests.worlds.office import MADE, application, browser, execute, led, suggest, visible

ANNA, OWNER = office.MEMBER, office.OWNER.id
MEMBERS = [each.id for each in MADE.people if each.id != OWNER]
NAMES = {each.id: each.name for each in MADE.people}
PENDING = [each for each in MADE.approvals if each.status == "pending"]
ASKED = "When is the <b>statement of defence</b> due?"


@pytest.fixture
def host(database: str) -> Iterator[Host]:
    with application(database) as host:
        yield host


def a_project_of(person: str, *, leads: bool) -> str:
    """A project that this person sees, and leads or not, and that somebody else sees who does not lead it."""
    found = visible(MADE, person) - led(MADE, person) if not leads else led(MADE, person)
    return min(each for each in found if onlookers(each, person))


def onlookers(project: str, besides: str) -> list[str]:
    """The members who see a project and do not lead it."""
    others = [each for each in MEMBERS if each != besides]
    return [each for each in others if project in visible(MADE, each) and project not in led(MADE, each)]


def stranger(project: str) -> str:
    return next(each for each in MEMBERS if project not in visible(MADE, each))


def leader(project: str) -> str:
    return next(each for each in MEMBERS if project in led(MADE, each))


def deadline(host: Host, person: str, project: str, title: str = "Statement of defence") -> tuple[UUID, str]:
    rule = "upc-statement-of-defence"
    return suggest(host, person, project, title=title, due_date="2027-05-16", rule_id=rule)


def send(client: httpx2.Client, request: object, decision: str = "approve", **fields: str) -> httpx2.Response:
    return client.post(f"/inbox/{request}", data={"decision": decision, **fields})


def state(host: Host, request: UUID) -> tuple[object, ...]:
    query = "select status, decided_by, decided_as, reason from paliad.approval_requests where id = %(id)s"
    return execute(host, query, {"id": request})[0]


def waiting(client: httpx2.Client) -> set[str]:
    """The ids of the requests with a form on the inbox's page."""
    return set(re.findall(r"action='/inbox/([\w-]+)'", client.get("/inbox").text))


@pytest.mark.parametrize("lang", ["en", "de"])
def test_each_persons_inbox_holds_what_waits_for_them_and_its_number(host: Host, lang: str) -> None:
    request, _ = deadline(host, ANNA, a_project_of(ANNA, leads=False))
    for person in (*MEMBERS, OWNER):
        expected = {
            str(each.id)
            for each in PENDING
            if (person == OWNER or each.project_id in led(MADE, person)) and each.requested_by != person
        }
        project = a_project_of(ANNA, leads=False)
        expected |= {str(request)} if person in (ANNA, OWNER) or project in led(MADE, person) else set()
        with browser(host, person, lang) as client:
            assert waiting(client) == expected, person
            page = client.get("/courts").text
            count = f" <span class='count'>{len(expected)}</span>" if expected else ""
            assert f">{'Inbox' if lang == 'en' else 'Eingang'}{count}</a>" in page
            for each in PENDING:
                status = client.get(f"/inbox/{each.id}").status_code
                seen = person == OWNER or each.project_id in visible(MADE, person)
                assert status == (200 if seen else 404), (person, each)
    assert PENDING


def test_a_suggestion_shows_who_asked_what_when_and_the_question_to_who_may_read_it(host: Host) -> None:
    project = a_project_of(ANNA, leads=True)
    turn = uuid4()
    execute(
        host,
        """insert into paliadin.turns (turn_id, session_id, person, host, origin, started_at, user_message)
        values (%(turn)s, 's', 'anna-lindner', 'h', 'page', now(), %(asked)s)""",
        {"turn": turn, "asked": ASKED},
    )
    content = {"title": "Statement of defence", "due_date": "2027-05-16", "rule_id": "upc-statement-of-defence"}
    request, thing = suggest(host, ANNA, project, turn=turn, **content)
    words = {
        "en": (
            f"✨ Paliadin (for {NAMES[ANNA]})",
            "👀 pending",
            "Sunday, 16 May 2027 <span class='overdue'>⚠ at a weekend",
            "The question was deleted.",
        ),
        "de": (
            f"✨ Paliadin (für {NAMES[ANNA]})",
            "👀 wartet auf Freigabe",
            "Sonntag, 16. Mai 2027 <span class='overdue'>⚠ am Wochenende",
            "gelöscht",
        ),
    }
    onlooker = onlookers(project, ANNA)[0]
    for lang, (who, pending, day, deleted) in words.items():
        for person, reads in ((ANNA, True), (OWNER, True), (onlooker, False)):
            with browser(host, person, lang) as client:
                page = client.get(f"/inbox/{request}").text
                for each in (who, pending, day, "Rule 23 RoP", f"/deadlines/{thing}'", f"/projects/{project}'"):
                    assert each in page, (each, person)
                assert ("When is the &lt;b&gt;statement" in page) is reads
                assert ("<button" in page) is reads  # here, who may read it may decide, too
                assert deleted not in page
                assert (f"/inbox/{request}'" in client.get("/inbox").text) is reads
    execute(host, "delete from paliadin.turns")
    for person, reads in ((ANNA, True), (onlooker, False)):
        with browser(host, person) as client:
            assert ("The question was deleted." in client.get(f"/inbox/{request}").text) is reads
    asked = PENDING[0]
    with browser(host, OWNER) as client:
        page = client.get(f"/inbox/{asked.id}").text
        assert f"<dd>{NAMES[asked.requested_by]}</dd>" in page
        assert "weekend" not in page  # those that were made up are all on working days
        assert "uestion" not in page
        assert "Paliadin (" not in page


def test_what_waits_is_marked_in_every_list_and_what_was_rejected_is_in_none(host: Host) -> None:
    project = a_project_of(ANNA, leads=True)
    request, thing = deadline(host, ANNA, project, "Wait for it")
    held, meeting = suggest(
        host,
        ANNA,
        project,
        "appointment",
        title="Meet them",
        starts_at="2027-05-16T09:00Z",
        ends_at="2027-05-16T10:00Z",
    )
    noted, _ = suggest(host, ANNA, project, "note", body="Remember this")
    own = next(each for each in PENDING if each.thing_kind == "deadline")
    marked = "<a class='mark' href='/inbox/{}'>👀 pending</a>"
    sparkle = "&nbsp;<span class='sparkle' role='img' aria-label='suggested by Paliadin'"
    with browser(host, ANNA) as client:
        lists = ("/deadlines?q=wait for", "/agenda?month=2027-05", f"/projects/{project}")
        for page in lists:
            assert marked.format(request) + sparkle in client.get(page).text, page
        for each in (held, noted):
            assert marked.format(each) + sparkle in client.get(f"/projects/{project}").text
        assert marked.format(held) + sparkle in client.get("/agenda?month=2027-05").text
        assert marked.format(request) in client.get(f"/deadlines/{thing}").text
        assert marked.format(held) in client.get(f"/agenda/{meeting}").text
        for each in (request, held, noted):
            assert send(client, each, "reject", note="Not <i>so</i>").status_code == 303
        for page in (*lists, "/agenda?month=2027-05"):
            parts = client.get(page).text.partition("id=trail")
            assert "Wait for it" not in parts[0].replace("value='wait for'", "")
            assert "Meet them" not in parts[0]
            assert "Remember this" not in parts[0]
        for page in (f"/deadlines/{thing}", f"/agenda/{meeting}"):
            text = client.get(page).text
            assert f">rejected</a></span>: {NAMES[ANNA]}, as the lead or for themselves," in text
            assert "“Not &lt;i&gt;so&lt;/i&gt;”" in text
            assert "Days left" not in text
    with browser(host, OWNER) as client:
        page = client.get(f"/deadlines/{own.thing_id}").text
        assert marked.format(own.id) in page
        assert sparkle not in page.partition("<h2 id=trail>")[0]


def test_the_one_who_asked_through_paliadin_approves_and_the_thing_stands_everywhere(host: Host) -> None:
    project = a_project_of(ANNA, leads=False)
    request, thing = deadline(host, ANNA, project)
    with browser(host, ANNA) as client:
        response = send(client, request, note="  Checked: R. 23  ")
        assert (response.status_code, response.headers["location"]) == (303, f"/inbox/{request}")
        page = client.get(f"/inbox/{request}").text
        assert f"<dd>{NAMES[ANNA]}, as the lead or for themselves, " in page
        assert "<dd>Checked: R. 23</dd>" in page
        assert "<form" not in page
        agenda = client.get("/agenda?month=2027-05").text
        assert re.search(rf"<h3>Sunday, 16 May 2027</h3><ul.*?/deadlines/{thing}'", agenda)
        assert "👀" not in agenda.partition(thing)[2].partition("</li>")[0]
        again = send(client, request)
        assert again.status_code == 409
        assert re.search(f"{NAMES[ANNA]} has approved it already, on [0-9]+ [A-Z]", again.text)
        assert "<form" not in again.text
    assert state(host, request) == ("approved", ANNA, "peer", "Checked: R. 23")


def test_a_lead_rejects_as_a_lead_and_an_owner_as_the_owner(host: Host) -> None:
    project = a_project_of(ANNA, leads=False)
    for person, decided_as, words in (
        (leader(project), "peer", "as the lead or for themselves"),
        (OWNER, "admin_override", "as the owner"),
    ):
        request, _ = deadline(host, ANNA, project)
        with browser(host, person) as client:
            assert send(client, request, "reject", note="Too late").status_code == 303
            assert words in client.get(f"/inbox/{request}").text
            decided = client.get("/inbox").text.partition("Decided by you</h2>")[2]
            assert f"/inbox/{request}'" in decided
        assert state(host, request) == ("rejected", person, decided_as, "Too late")
        with browser(host, ANNA, "de") as client:
            asked = client.get("/inbox").text.partition("Von Ihnen oder für Sie erbeten</h2>")[2]
            assert f"/inbox/{request}'" in asked
            late = send(client, request)
            assert late.status_code == 409
            assert f"{NAMES[person]} hat es bereits abgelehnt, am " in late.text


def test_who_may_not_decide_is_told_and_who_may_not_see_finds_nothing(host: Host) -> None:
    project = a_project_of(ANNA, leads=True)
    request, _ = deadline(host, ANNA, project)
    for person, status in ((onlookers(project, ANNA)[0], 403), (stranger(project), 404)):
        with browser(host, person) as client:
            response = send(client, request)
            assert response.status_code == status
            assert ("This is for others to decide." in response.text) is (status == 403)
            assert ("Statement of defence" in response.text) is (status == 403)
    for person in ("", "nobody"):
        with browser(host, person) as client:
            assert send(client, request).status_code == 403
    with browser(host, ANNA) as client:
        for unknown in (
            uuid4(),
            "x",
            f"{request}0",
            str(request).replace("-", ""),
            quote(f"{request} "),
            "%00",
        ):
            assert send(client, unknown).status_code == 404, unknown
            assert client.get(f"/inbox/{unknown}").status_code == 404, unknown
        mine = next(each for each in MADE.approvals if each.status == "pending")
    with browser(host, mine.requested_by) as client:  # what a person asked for themselves is for others
        assert send(client, mine.id).status_code == 403
    assert state(host, request)[0] == state(host, mine.id)[0] == "pending"


def test_what_was_suggested_for_oneself_takes_a_second_pair_of_eyes_where_that_is_set(host: Host) -> None:
    execute(host, "update paliad.settings set second_pair = true")
    request, _ = deadline(host, ANNA, a_project_of(ANNA, leads=True))
    with browser(host, ANNA) as client:
        page = client.get(f"/inbox/{request}").text
        assert "value='reject'" in page
        assert "value='approve'" not in page
        assert "Somebody else has to approve it." in page
        assert send(client, request).status_code == 403
        assert str(request) in waiting(client)
        assert send(client, request, "reject").status_code == 303


def test_a_thing_that_is_gone_can_only_be_rejected(host: Host) -> None:
    request, thing = deadline(host, ANNA, a_project_of(ANNA, leads=True))
    execute(host, "delete from paliad.deadlines where id = %(id)s", {"id": thing})
    with browser(host, ANNA) as client:
        assert "deleted meanwhile" in client.get("/inbox").text
        response = send(client, request)
        assert response.status_code == 409
        assert "It can only be rejected." in response.text
        assert send(client, request, "reject").status_code == 303


def test_two_who_decide_at_once_are_one_who_did_and_one_who_is_told(host: Host) -> None:
    project = a_project_of(ANNA, leads=False)
    for _ in range(3):
        request, _ = deadline(host, ANNA, project)
        answers: list[httpx2.Response] = []
        together = threading.Barrier(3)
        with ExitStack() as stack:
            clients = [stack.enter_context(browser(host, each)) for each in (ANNA, leader(project), OWNER)]

            def decide(client: httpx2.Client, request: UUID = request, together: threading.Barrier = together) -> None:
                together.wait(10)
                answers.append(send(client, request))  # noqa: B023  # joined below, in the same round

            threads = [threading.Thread(target=decide, args=(client,)) for client in clients]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join(30)
        assert sorted(each.status_code for each in answers) == [303, 409, 409]
        query = "select count(*) from paliad.audit_trail where details ->> 'request' = %(id)s and actor_kind = 'person'"
        assert execute(host, query, {"id": str(request)}) == [(1,)]


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"decision": "approve", "note": "x" * 501}, "500 characters"),
        ({"decision": "approve", "note": "a\u202eb"}, "cannot be seen"),
        ({"decision": "approve", "note": "a\u200bb"}, "cannot be seen"),
        ({"decision": "approve", "note": "a\x00b"}, "cannot be seen"),
        ({"decision": "approve", "note": "a\nb"}, "cannot be seen"),
        ({"decision": "maybe"}, "approve or reject"),
        ({"note": "x"}, "approve or reject"),
        ({"decision": ["approve", "reject"]}, "no form"),
        ({"decision": "approve", "person": "root"}, "no form"),
    ],
)
def test_a_wrong_form_is_refused_with_a_word_and_keeps_the_note(
    host: Host, fields: dict[str, str | list[str]], words: str
) -> None:
    request, _ = deadline(host, ANNA, a_project_of(ANNA, leads=True))
    with browser(host, ANNA) as client:
        response = client.post(f"/inbox/{request}", data=fields)
        assert response.status_code == 400
        assert words in response.text
        assert "<form class='decision'" in response.text
        if words == "500 characters":
            assert f"value='{'x' * 499}" in response.text
    with browser(host, stranger(a_project_of(ANNA, leads=True))) as client:
        assert client.post(f"/inbox/{request}", data=fields).status_code == 404
    assert state(host, request)[0] == "pending"


def test_what_is_no_form_of_this_application_changes_nothing(host: Host) -> None:
    request, _ = deadline(host, ANNA, a_project_of(ANNA, leads=True))
    path, form = f"/inbox/{request}", "decision=approve"
    usual = {"Content-Type": "application/x-www-form-urlencoded"}
    with browser(host, ANNA) as client:
        for headers, content, status in (
            ({"Origin": "http://evil.example"}, form, 403),
            ({"Origin": "null"}, form, 403),
            ({"Host": "evil.example"}, form, 403),
            ({"Content-Type": "application/json"}, form, 415),
            ({"Content-Type": "text/plain"}, form, 415),
            ({}, form + "&note=" + "x" * 10_000, 413),
            ({}, "decision=%FF", 400),
            ({}, "ü".encode(), 400),
            ({}, "&".join(["decision=approve"] * 10), 400),
        ):
            assert client.post(path, content=content, headers=usual | headers).status_code == status, headers
        del client.headers["Origin"]
        assert client.post(path, content=form, headers=usual).status_code == 403
        for address in (f"{path}?decision=approve", f"/inbox?decision=approve&id={request}"):
            assert client.get(address).status_code == 200
        for method in ("PUT", "DELETE", "PATCH"):
            assert client.request(method, path).status_code == 501
    assert state(host, request)[0] == "pending"


@pytest.mark.parametrize("length", ["-1", "1e3", "+5", "٣", ""])
def test_a_form_without_a_length_is_not_read(host: Host, length: str) -> None:
    request, _ = deadline(host, ANNA, a_project_of(ANNA, leads=True))
    lines = [f"POST /inbox/{request} HTTP/1.0", f"Host: localhost:{host.server_port}", f"Origin: {host.origin}"]
    lines += [f"Content-Length: {length}", f"Cookie: {COOKIE}={ANNA}", "", "decision=approve"]
    with socket.create_connection(("127.0.0.1", host.server_port), timeout=10) as connection:
        connection.sendall("\r\n".join(lines).encode())
        assert connection.recv(100).startswith(b"HTTP/1.0 411 ")
    assert state(host, request)[0] == "pending"


def test_markup_and_hidden_characters_of_a_suggestion_are_shown_as_what_they_are(host: Host) -> None:
    project = a_project_of(ANNA, leads=True)
    evil = "<script>x</script> \u202egnp.exe\u2066 {title} " + "x" * 400
    request, thing = deadline(host, ANNA, project, evil)
    with browser(host, ANNA) as client:
        pages = ("/inbox", f"/inbox/{request}", f"/deadlines/{thing}", "/deadlines", f"/projects/{project}", "/audit")
        for page in (*pages, "/agenda?month=2027-05"):
            text = client.get(page).text
            assert (
                "&lt;script&gt;x&lt;/script&gt; ⟨U+202E⟩gnp.exe⟨U+2066⟩ {title} xxx" in text or page == "/deadlines"
            ), page
            assert "\u202e" not in text, page
            assert "<script>x" not in text, page
            assert "x" * 301 not in text, page
        send(client, request, "reject", note="<script>x</script>")
        for page in (f"/inbox/{request}", f"/deadlines/{thing}", "/audit", f"/projects/{project}"):
            assert "<script>x" not in client.get(page).text, page


def test_a_database_that_is_away_is_told_to_who_decides(host: Host) -> None:
    request, _ = deadline(host, ANNA, a_project_of(ANNA, leads=True))
    with browser(host, ANNA) as client:
        where, host.database = host.database, "host=/nowhere dbname=x"
        response = send(client, request)
        host.database = where
        assert response.status_code == 503
        assert "The database is away" in response.text
    assert state(host, request)[0] == "pending"
