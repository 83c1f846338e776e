"""A decision in the example application's inbox that is not made: by whom, how and when it is not."""

from __future__ import annotations

import socket
import threading
from contextlib import ExitStack
from urllib.parse import quote
from uuid import UUID, uuid4

import httpx2
import pytest

from examples.host.app import COOKIE, Host
from tests.worlds.office import (
    ANNA,
    MADE,
    OWNER,
    a_project_of,
    browser,
    deadline,
    execute,
    leader,
    onlookers,
    send,
    state,
    stranger,
    waiting,
)


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
        with browser(host) as client:
            client.cookies.set(COOKIE, person)
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
        ({"decision": "approve", "note": "a\u2060b"}, "cannot be seen"),
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
            assert f">{'x' * 499}" in response.text
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
    assert answer_to(host, request, length, "decision=approve").startswith(b"HTTP/1.0 411 ")
    assert state(host, request)[0] == "pending"


def test_a_form_that_broke_off_decides_nothing(host: Host) -> None:
    """Its note may be the half of one."""
    request, _ = deadline(host, ANNA, a_project_of(ANNA, leads=True))
    form = "decision=approve&note=only if"
    assert answer_to(host, request, str(len(form) + 10), form).startswith(b"HTTP/1.0 400 ")
    assert state(host, request)[0] == "pending"
    assert answer_to(host, request, str(len(form)), form).startswith(b"HTTP/1.0 303 ")


def answer_to(host: Host, request: object, length: str, form: str) -> bytes:
    """How the answer begins to a form that is announced with this length, and nothing comes behind it."""
    lines = [f"POST /inbox/{request} HTTP/1.0", f"Host: localhost:{host.server_port}", f"Origin: {host.origin}"]
    lines += ["Content-Type: application/x-www-form-urlencoded", f"Content-Length: {length}"]
    lines += [f"Cookie: {COOKIE}={ANNA}", "", form]
    with socket.create_connection(("127.0.0.1", host.server_port), timeout=10) as connection:
        connection.sendall("\r\n".join(lines).encode())
        connection.shutdown(socket.SHUT_WR)
        return connection.recv(100)


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
