"""The example application on a practice's database: each person sees there what is theirs, and no page writes."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote

import httpx2
import psycopg
import pytest

from examples.host.app import COOKIE, Host, reading
from examples.host.paliad_application.sign_in import TOKEN
from paliadin.demo import office
from tests.worlds.office import MADE, browser, sign_in, suggest, visible

PAGES = ("/", "/projects", "/deadlines?status=all", "/agenda", "/inbox", "/glossary", "/courts", "/audit", "/login")


@pytest.mark.first(1)
@pytest.mark.parametrize("lang", ["en", "de"])
def test_everybody_sees_their_own_on_every_page_and_the_owner_all(host: Host, lang: str) -> None:
    projects = {each.id for each in MADE.projects}
    things = {row.id: row.project_id for row in (*MADE.deadlines, *MADE.appointments)}
    for person in (office.MEMBER, "claire-whitmere", office.OWNER.id):
        seen = projects if person == office.OWNER.id else visible(MADE, person)
        with browser(host, person, lang) as client:
            shown = "\n".join(client.get(page).text for page in PAGES)
            listed = client.get("/projects").text
            assert {each for each in projects if f"/projects/{each}'" in listed} == seen
            for each in projects:
                page = client.get(f"/projects/{each}")
                assert page.status_code == (200 if each in seen else 404), (person, each)
                shown += page.text
            linked = set(re.findall(r"/(?:deadlines|agenda)/([\w-]+)'", shown))
            assert {things[each] for each in linked} <= seen
            assert len({things[each] for each in linked}) > 3
            mine, others = (
                [each for each, project in things.items() if (project in seen) is owned][:8] for owned in (True, False)
            )
            for each in (*mine, *others):
                kind = "deadlines" if "deadline" in each else "agenda"
                assert client.get(f"/{kind}/{each}").status_code == (200 if each in mine else 404), each


def test_a_page_is_in_the_browsers_language_and_reference_data_is_found_by_its_names(host: Host) -> None:
    for lang, words, title in (
        ("en-GB,en", "Deadlines", "statement of defence"),
        ("de-DE", "Fristen", "Klageerwiderung"),
    ):
        with browser(host, office.MEMBER, lang) as client:
            page = client.get("/deadlines").text
            assert f"<h1>{words}</h1>" in page
            assert f'<html lang="{lang[:2]}">' in page
            for name in ("Klageerwiderung", "statement of defence", "KLAGEERWIDERUNG"):
                assert f"<h1>{title}</h1>" in client.get(f"/glossary/{quote(name)}").text
            for name in ("Düsseldorf LD", "upc-ld-duesseldorf", "düsseldorf ld"):
                assert "Cecilienallee 3" in client.get(f"/courts/{quote(name)}").text
            for nothing in ("/glossary/none", "/courts/none", "/none", "/deadlines/none", "/agenda/none", "/login/x"):
                assert client.get(nothing).status_code == 404


def test_who_has_not_said_who_they_are_sees_nothing_and_gets_no_token(host: Host) -> None:
    for stranger in ("", "nobody", "' or true --"):
        with browser(host) as client:
            client.cookies.set(COOKIE, stranger)
            for page in (*PAGES, f"/projects/{MADE.projects[0].id}"):
                text = client.get(page).text
                assert "<h1>Sign in</h1>" in text
                assert "paliadin-widget" not in text
                assert MADE.projects[0].label not in text
            assert client.post("/paliadin-token").status_code == 403
    with browser(host) as client:
        client.headers["Cookie"] = f'{COOKIE}="\x7f; ;;='
        assert "<h1>Sign in</h1>" in client.get("/").text


def test_the_drawer_asks_as_the_person_who_was_chosen(host: Host) -> None:
    with browser(host) as client:
        for person in (office.OWNER.id, office.MEMBER):
            chosen = sign_in(client, person, "/deadlines/x%2Fy")
            assert chosen.headers["location"] == "/deadlines/x%2Fy"
            assert client.post("/paliadin-token").json() == {"token": person}
        assert client.post("/paliadin-token", headers={"Origin": "http://evil.example"}).status_code == 403
        assert sign_in(client, office.MEMBER, "/login").headers["location"] == "/"
    with browser(host, office.MEMBER) as client, psycopg.connect(host.database or "") as connection:
        connection.execute("update paliad.users set active = false where id = %s", (office.MEMBER,))
        connection.commit()
        assert client.post("/paliadin-token").status_code == 403


def test_nobody_is_signed_in_by_an_address_or_by_a_form_of_another_site(host: Host) -> None:
    with browser(host, office.MEMBER) as client:
        for address in (f"/?user={office.OWNER.id}", f"/login?user={office.OWNER.id}&to=/"):
            assert client.get(address).status_code == 200
        fields = {"user": office.OWNER.id, "to": "/"}
        other = sign_in(client, office.MEMBER, token="x" * 43)
        for refusal in (other, client.post("/login", data=fields), client.post("/login", data={**fields, "token": ""})):
            assert refusal.status_code == 403
            assert "set-cookie" not in refusal.headers
        for origin in ("http://evil.example", "null"):
            client.headers["Origin"] = origin
            assert sign_in(client, office.OWNER.id).status_code == 403
        client.headers["Origin"] = host.origin
        assert client.post("/paliadin-token").json() == {"token": office.MEMBER}
    with browser(host) as client:  # a browser that has not had the page has no token
        assert client.post("/login", data={**fields, "token": ""}).status_code == 403


def test_an_odd_name_or_destination_is_refused_or_leads_into_the_application(host: Host) -> None:
    with browser(host) as client:
        for person in ("é\u2028", "\r\nSet-Cookie: a=b", "\x00", "nobody", "", "x" * 5_000, "😀"):
            assert client.get("/login", params={"user": person[:500]}).status_code in (200, 400)
            refused = sign_in(client, person)
            assert (refused.status_code, "set-cookie" in refused.headers) == (400, False), person
        for content in ("user=%FF", "user=a&user=b", "user=a&admin=1", "&".join(["a=1"] * 10), "ü".encode()):
            form = {"Content-Type": "application/x-www-form-urlencoded"}
            assert client.post("/login", content=content, headers=form).status_code == 400, content
        for to, where in (
            ("//evil.example/x", "/evil.example/x"),
            ("https://evil.example", "/https%3A//evil.example"),
            ("/\\evil.example", "/%5Cevil.example"),
            ("\r\nLocation: //evil.example", "/%0D%0ALocation%3A%20//evil.example"),
            ("é\u2028", "/%C3%A9%E2%80%A8"),
            ("", "/"),
        ):
            assert sign_in(client, office.MEMBER, to=to).headers["location"] == where


def test_a_name_in_any_script_signs_in_beside_any_cookie_of_another_program(host: Host) -> None:
    with psycopg.connect(host.database or "") as connection:
        for name in ("\u65e5\u672c", "a; b\u2028%"):
            connection.execute(
                "insert into paliad.users select (jsonb_populate_record(u, jsonb_build_object('id', %s::text))).*"
                " from paliad.users u where id = %s",
                (name, office.MEMBER),
            )
    for other in ('a={"b": "c"}', "a=b c", "a@b=1", "flag", "path=/", 'a="', ";"):
        for person in (office.MEMBER, "\u65e5\u672c", "a; b\u2028%"):
            with browser(host) as client:
                token = client.get("/login").cookies[TOKEN]

                form = {"user": person, "to": "/", "token": token}
                client.cookies.clear()
                client.headers["Cookie"] = f"{other}; {TOKEN}={token}"
                signed_in = client.post("/login", data=form)
                assert signed_in.status_code == 303, (other, person)
                cookie = signed_in.headers["set-cookie"].partition(";")[0]
                client.headers["Cookie"] = f"{other}; {cookie}"
                assert client.post("/paliadin-token").json() == {"token": person}


def test_a_file_that_cannot_be_and_a_daemon_that_is_away_are_answered(host: Host) -> None:
    with browser(host, office.MEMBER) as client:
        for name in ("x" * 300, "\x00", "%2e%2e/app.py", ""):
            assert client.get(f"/static/{quote(name)}").status_code in (400, 404)
        host.paliadin = "http://127.0.0.1:1"
        assert client.post("/paliadin-token").status_code == 502


def test_no_page_of_a_persons_is_stored(host: Host) -> None:
    with browser(host, office.MEMBER) as client:
        answers = [client.get(page) for page in (*PAGES, "/audit.csv", "/none")]
        answers += [client.post("/paliadin-token"), sign_in(client, office.MEMBER), sign_in(client, "nobody")]
        assert {each.headers["cache-control"] for each in answers} == {"no-store"}
        assert client.get("/static/host.css").headers["cache-control"] == "no-cache"


def test_what_is_asked_for_and_what_is_stored_is_shown_as_text(host: Host) -> None:
    evil = "<script>x</script>' \" %s {title}"
    with psycopg.connect(host.database or "") as connection:
        for change in ("projects set label", "deadlines set title", "appointments set title", "users set name"):
            connection.execute(f"update paliad.{change} = %s".encode(), (evil,))
    with browser(host, office.OWNER.id) as client:
        deadline, appointment = MADE.deadlines[0].id, MADE.appointments[0].id
        pages = [*PAGES, "/projects/demo-project-1", f"/deadlines/{deadline}", f"/agenda/{appointment}"]
        for page in (*pages, f"/deadlines?q={quote(evil)}&status={quote(evil)}", f"/glossary/{quote(evil)}"):
            response = client.get(page)
            assert response.status_code in (200, 404), page
            assert "<script>x" not in response.text, page
            assert page in ("/courts", "/glossary") or "&lt;script&gt;x" in response.text or response.status_code == 404


def test_no_page_of_it_can_write_and_another_sites_name_leads_nowhere(host: Host) -> None:
    for person in (office.OWNER.id, office.MEMBER):
        with (
            reading(host.database or "", person) as reader,
            pytest.raises(psycopg.errors.ReadOnlySqlTransaction),
        ):
            reader.rows("delete from paliad.deadlines")
    with browser(host, office.OWNER.id) as client:
        assert client.get("/", headers={"Host": "evil.example"}).status_code == 403


def test_a_database_that_is_away_is_told(host: Host) -> None:
    with browser(host, office.OWNER.id) as client:
        host.database = "host=/nowhere dbname=x"
        response = client.get("/projects")
        assert response.status_code == 503
        assert "The database is away" in response.text
        assert client.post("/paliadin-token").status_code == 503


class Words(dict[str, str]):
    """The German words; notes those that are asked for and are not there."""

    missing: set[str]

    def get(self, english: str, other: str = "") -> str:  # type: ignore[override]
        if english not in self:
            self.missing.add(english)
        return super().get(english, other)


@pytest.mark.long
def test_every_word_of_every_page_exists_in_german(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    language = sys.modules["paliad_application.language"]
    words = Words(language.GERMAN)
    words.missing = set()
    monkeypatch.setattr(language, "GERMAN", words)
    request, thing = suggest(host, office.MEMBER, "demo-project-1", title="T", due_date="2027-05-16")
    one = [f"/projects/{each.id}" for each in MADE.projects] + [f"/inbox/{each.id}" for each in MADE.approvals]
    one += [
        f"/deadlines/{thing}",
        f"/agenda/{MADE.appointments[0].id}",
        "/glossary/Klage",
        "/courts/Munich LD",
        "/none",
    ]
    for person in (office.OWNER.id, office.MEMBER, ""):
        with browser(host, person, "de") as client:
            for page in (*PAGES, *one, "/agenda?month=2027-05", f"/inbox/{request}"):
                client.get(page)
    assert words.missing == set()


def test_a_request_of_a_wrong_form_is_refused_before_anything_is_read(host: Host) -> None:
    with browser(host, office.OWNER.id) as client:
        for address, status in (
            ("/deadlines?q=" + "x" * 2_000, 414),
            ("/deadlines?q=%00", 400),
            ("/deadlines?status=%00", 400),
            ("/deadlines?" + "&".join(f"a{number}=1" for number in range(30)), 400),
            ("/deadlines/%00", 404),
            ("/deadlines/%FF%FE", 404),
            ("/deadlines?month=%FF&q=%C3", 200),
            ("/glossary/" + "x" * 300, 404),
            ("/agenda?month=2027-13", 404),
            ("/agenda?month=9999-12", 404),
            ("/agenda?month=", 200),
            ("/audit?before=x", 404),
            ("/audit?before=" + "9" * 30, 404),
            ("/static/%00", 404),
            ("/static/../app.py", 404),
        ):
            assert client.get(address).status_code == status, address
        for address in ("/deadlines", "/inbox", "/inbox/" + "x" * 3_000, "/paliadin-token/x", "/?x=["):
            assert client.post(address).status_code == 404, address


def test_no_other_page_can_hold_one_of_its_and_no_script_or_style_stands_in_it(host: Host) -> None:
    with browser(host, office.OWNER.id) as client:
        for page in (*PAGES, "/projects/demo-project-1", "/none"):
            response = client.get(page)
            policy = response.headers["content-security-policy"]
            assert "default-src 'self'" in policy
            assert "frame-ancestors 'none'" in policy
            assert "unsafe" not in policy
            assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?! type=\"module\" src=)", response.text), page


def test_it_runs_as_a_script_from_anywhere_with_the_standard_library_alone(tmp_path: Path) -> None:
    folder = tmp_path / "elsewhere"
    shutil.copytree(Path(__file__).parents[2] / "examples" / "host", folder)
    key = tmp_path / "key"
    key.write_text("k")
    command = [sys.executable, "-I", "-S", "-u", str(folder / "app.py"), "--key-file", str(key), "--port", "0"]
    process = subprocess.Popen(command, cwd="/", stdout=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        origin = process.stdout.readline().strip()
        for path, status in (("/", 200), ("/projects/mill-street", 200), ("/static/host.css", 200), ("/inbox", 404)):
            response = httpx2.get(origin.replace("localhost", "127.0.0.1") + path, trust_env=False)
            assert response.status_code == status, path
        assert "· Paliad</title>" in response.text
    finally:
        process.terminate()
        process.communicate(timeout=10)
