"""The inbox of the example application: who sees which request, and what becomes of it."""

from __future__ import annotations

import re
from uuid import uuid4

import pytest

from examples.host.app import Host
from tests.worlds.office import (
    ANNA,
    MADE,
    MEMBERS,
    NAMES,
    OWNER,
    PENDING,
    a_project_of,
    browser,
    deadline,
    execute,
    leader,
    led,
    onlookers,
    send,
    state,
    suggest,
    visible,
    waiting,
)

ASKED = "When is the <b>statement of defence</b> due?"


@pytest.mark.first(1)
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


def test_a_note_that_waits_is_read_by_who_asked_and_who_decides(host: Host) -> None:
    """A colleague in the project reads it once it is approved, on the request's page as everywhere."""
    project = a_project_of(ANNA, leads=True)
    onlooker = onlookers(project, ANNA)[0]
    hidden = {"en": "only for who decides on it", "de": "nur für die, die darüber entscheiden"}
    for decision, may_read in (("approve", True), ("reject", False)):
        request, _ = suggest(host, ANNA, project, "note", body=f"Settle for 5 {decision}")
        for lang, words in hidden.items():
            for person in (ANNA, OWNER, onlooker):
                with browser(host, person, lang) as client:
                    page = client.get(f"/inbox/{request}").text
                    assert (f"Settle for 5 {decision}" in page) is (person != onlooker)
                    assert (words in page) is (person == onlooker)
        with browser(host, onlooker) as client:
            assert f"Settle for 5 {decision}" not in send(client, request).text
        with browser(host, ANNA) as client:
            assert send(client, request, decision).status_code == 303
        with browser(host, onlooker) as client:
            assert (f"Settle for 5 {decision}" in client.get(f"/inbox/{request}").text) is may_read


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
        assert marked.format(held) + sparkle in client.get(f"/projects/{project}").text
        assert "Remember this" not in client.get(f"/projects/{project}").text  # a note that waits is for who decides
        assert "Remember this" in client.get(f"/inbox/{noted}").text
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
            assert f">rejected</a></span>: {NAMES[ANNA]}, for themselves," in text
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
        assert f"<dd>{NAMES[ANNA]}, for themselves, " in page
        assert "<dd>Checked: R. 23</dd>" in page
        assert "<form" not in page
        agenda = client.get("/agenda?month=2027-05").text
        assert re.search(rf"<h3>Sunday, 16 May 2027</h3><ul.*?/deadlines/{thing}'", agenda)
        assert "👀" not in agenda.partition(thing)[2].partition("</li>")[0]
        assert "16 May 2027</strong> <span class='overdue'>⚠ at a weekend" in client.get(f"/deadlines/{thing}").text
        again = send(client, request)
        assert again.status_code == 409
        assert re.search(f"{NAMES[ANNA]} has approved it already, on [0-9]+ [A-Z]", again.text)
        assert "<form" not in again.text
    assert state(host, request) == ("approved", ANNA, "peer", "Checked: R. 23")


def test_a_lead_rejects_as_a_lead_and_an_owner_as_the_owner(host: Host) -> None:
    project = a_project_of(ANNA, leads=False)
    for person, decided_as, words in (
        (leader(project), "peer", "as the lead"),
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


def test_what_is_decided_on_is_shown_whole_and_enter_decides_nothing(host: Host) -> None:
    project = a_project_of(ANNA, leads=False)
    noted, _ = suggest(host, ANNA, project, "note", body=f"{'A long note. ' * 250}THE END")
    suggest(
        host, ANNA, project, "appointment", title="Away", starts_at="2027-05-03T08:30Z", ends_at="2027-05-28T09:30Z"
    )
    first, _ = deadline(host, ANNA, project, "Twice")
    deadline(host, ANNA, project, "twice")
    with browser(host, ANNA) as client:
        page, inbox = client.get(f"/inbox/{noted}").text, client.get("/inbox").text
        assert "THE END" in page
        assert "value='approve'" in page
        [card] = [each for each in inbox.split("<article") if f"/inbox/{noted}'" in each]
        assert "Read all of it, and decide" in card
        assert "<button" not in card
        assert "28 May 2027" in inbox
        assert "another deadline with this title and day" in client.get(f"/inbox/{first}").text
        assert "<input name='note'" not in page  # in a field of one line, Enter would press the first button
        assert "<textarea name='note'" in page
        assert "closed" not in page
    execute(host, "update paliad.projects set status = 'closed' where id = %(id)s", {"id": project})
    with browser(host, ANNA) as client:
        assert "This project is closed." in client.get(f"/inbox/{first}").text
    execute(host, "update paliad.projects set status = 'active' where id = %(id)s", {"id": project})
