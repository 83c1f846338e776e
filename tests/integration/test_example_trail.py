"""The agenda, the trails and the audit log of the example application, and what is exported of it."""

from __future__ import annotations

import csv
import io
import re
from datetime import date, datetime, timedelta

import httpx2
import pytest

from examples.host.app import Host
from paliadin.demo import office
from tests.worlds.office import MADE, browser, execute, suggest, visible

ANNA, OWNER = office.MEMBER, office.OWNER.id
NAMES = {each.id: each.name for each in MADE.people}
PROJECT = min(visible(MADE, ANNA))
ADDED = """insert into paliad.audit_trail (actor, actor_kind, action, project_id, thing_kind, thing_id, details)
    select 'anna-lindner', 'person', 'note.moved', %(project)s, 'note', 'n' || number, '{}'
    from generate_series(1, %(count)s) as number"""


def exported(client: httpx2.Client) -> list[dict[str, str]]:
    response = client.get("/audit.csv")
    assert response.status_code == 200
    assert response.headers["content-type"] == "text/csv; charset=utf-8"
    assert re.fullmatch(r'attachment; filename="audit-\d{4}-\d\d-\d\d\.csv"', response.headers["content-disposition"])
    return list(csv.DictReader(io.StringIO(response.content.decode("utf-8-sig"))))


@pytest.mark.first(1)
@pytest.mark.parametrize("lang", ["en", "de"])
def test_the_agenda_has_deadlines_and_appointments_of_a_month_by_day(host: Host, lang: str) -> None:
    months = {each.starts_at.date().strftime("%Y-%m") for each in MADE.appointments}
    for person in (OWNER, ANNA):
        seen = {each.id for each in MADE.projects} if person == OWNER else visible(MADE, person)
        with browser(host, person, lang) as client:
            shown: set[str] = set()
            for month in sorted(months):
                expected = {
                    f"/deadlines/{each.id}"
                    for each in MADE.deadlines
                    if each.project_id in seen and f"{each.due_date:%Y-%m}" == month and each.status != "cancelled"
                } | {
                    f"/agenda/{each.id}"
                    for each in MADE.appointments
                    if each.project_id in seen and f"{each.starts_at.astimezone():%Y-%m}" == month
                }
                page = client.get(f"/agenda?month={month}").text
                linked = set(re.findall(r"/(?:deadlines|agenda)/[\w-]+(?=')", page))
                assert linked == expected, (person, month)
                shown |= linked
            assert len(shown) > 20


def test_the_agenda_begins_with_the_next_thirty_days_and_leads_to_the_months_around(host: Host) -> None:
    today = datetime.now().astimezone().date()
    expected = {
        each.id
        for each in MADE.deadlines
        if today <= each.due_date < today + timedelta(days=30) and each.status != "cancelled"
    }
    with browser(host, OWNER) as client:
        page = client.get("/agenda").text
        assert set(re.findall(r"/deadlines/([\w-]+)'", page)) == expected
        assert expected
        assert f"/agenda?month={today:%Y-%m}'" in page
        page = client.get("/agenda?month=2027-01").text
        assert re.findall(r"/agenda\?month=([\d-]+)'>(.*?)<", page) == [
            ("2026-12", "← December 2026"),
            ("2027-02", "February 2027 →"),
        ]
        days = [datetime.strptime(each, "%A, %d %B %Y").date() for each in re.findall(r"<h3.*?>(.*?)</h3>", page)]  # noqa: DTZ007
        assert days == sorted(set(days))
        assert all(day.month == 1 for day in days)
    with browser(host, OWNER, "de") as client:
        _, thing = suggest(host, ANNA, PROJECT, title="T", due_date="2027-05-16")
        assert re.search(
            rf"<h3>Sonntag, 16\. Mai 2027</h3><ul.*?/deadlines/{thing}'", client.get("/agenda?month=2027-05").text
        )


def test_a_projects_trail_has_its_lines_and_no_other_ones_newest_first(host: Host) -> None:
    request, thing = suggest(host, ANNA, PROJECT, title="Made up", due_date="2027-05-16")
    with browser(host, ANNA) as client:
        client.post(f"/inbox/{request}", data={"decision": "reject", "note": "No"})
        for lang, asked, rejected, quoted in (
            ("en", "Approval requested", "Rejected", "“No”"),
            ("de", "Freigabe erbeten", "Abgelehnt", "„No“"),
        ):
            client.headers["Accept-Language"] = lang
            for page in (f"/projects/{PROJECT}", f"/deadlines/{thing}"):
                text = client.get(page).text
                assert f">{'Trail' if lang == 'en' else 'Verlauf'}</h2>" in text
                trail = text.partition("<h2 id=trail>")[2]
                lines = re.findall(r"<tr><td.*?</tr>", trail)
                assert f">{rejected}</a><br><small>{quoted}</small>" in lines[0]
                assert f"/deadlines/{thing}'>Made up</a>" in lines[0]
                assert f"{NAMES[ANNA]}&nbsp;<span class='sparkle'" in lines[1]
                assert f"/inbox/{request}'>{asked}</a>" in lines[1]
                if page.startswith("/deadlines"):
                    assert len(lines) == 2
        mine = {each.thing_id for each in MADE.audit if each.project_id == PROJECT} | {thing}
        trail = client.get(f"/projects/{PROJECT}").text.partition("<h2 id=trail>")[2]
        assert set(re.findall(r"/(?:deadlines|agenda)/([\w-]+)'", trail)) <= mine


@pytest.mark.first(1)
@pytest.mark.parametrize("lang", ["en", "de"])
def test_the_audit_log_has_what_each_person_may_see_page_by_page(host: Host, lang: str) -> None:
    execute(host, ADDED, {"project": PROJECT, "count": 120})
    for person in (OWNER, ANNA, "claire-whitmere"):
        seen = {each.id for each in MADE.projects} if person == OWNER else visible(MADE, person)
        number = sum(each.project_id in seen for each in MADE.audit) + (120 if PROJECT in seen else 0)
        with browser(host, person, lang) as client:
            lines: list[str] = []
            address: str | None = "/audit"
            while address:
                page = client.get(address).text
                found = re.findall(r"<tr><td.*?</tr>", page)
                assert len(found) <= 50
                lines += found
                older = re.search(r"/audit\?before=\d+(?=')", page)
                address = older[0] if older else None
                assert bool(address) is (len(lines) < number)
            assert len(lines) == number > (50 if PROJECT in seen else 0)
            assert set(re.findall(r"/projects/([\w-]+)'", "".join(lines))) <= seen
            assert ("note.moved" in lines[0]) is (PROJECT in seen)
            words = "Deadline entered" if lang == "en" else "Frist angelegt"
            assert any(words in line for line in lines)
            assert len(exported(client)) == number


def test_an_export_names_who_and_through_what_and_holds_no_formula(host: Host) -> None:
    for title in (
        "=1+1",
        "+1",
        "-1",
        "@x",
        "\tx",
        "\rx",
        "\uff1d1",
        "x;=1+1",
        "x\t @y",
        "Hi\r\n\n=1+1;x",
        'ordinary, “quoted" and\nlong',
    ):
        suggest(host, ANNA, PROJECT, title=title, due_date="2027-05-16")
    request, thing = suggest(host, ANNA, PROJECT, title="T", due_date="2027-05-16")
    execute(
        host,
        """insert into paliad.audit_trail (actor, actor_kind, action, project_id) values
        ('=gone', 'person', '=x', null), ('paliadin', 'system', 'seeded', null)""",
    )
    with browser(host, ANNA) as client:
        assert client.post(f"/inbox/{request}", data={"decision": "reject", "note": "-no"}).status_code == 303
        rows = exported(client)
        assert list(rows[0]) == ["at", "actor", "action", "project", "thing_kind", "thing_id", "title", "note"]
        at = datetime.fromisoformat(rows[0].pop("at"))
        assert abs((datetime.now().astimezone() - at).total_seconds()) < 60
        about = {"project": PROJECT, "thing_kind": "deadline", "thing_id": thing, "title": "T"}
        assert rows[0] == {"actor": NAMES[ANNA], "action": "approval.rejected", **about, "note": "'-no"}
        assert rows[1] | {"at": ""} == {
            "at": "",
            "actor": f"{NAMES[ANNA]} [agent: Paliadin]",
            "action": "approval.requested",
            **about,
            "note": "",
        }
        titles = [row["title"] for row in rows[2:13]]
        assert titles[0] == 'ordinary, “quoted" and long'
        assert titles[1:4] == ["Hi =1+1;x", "x @y", "x;'=1+1"]
        assert titles[4:] == ["'\uff1d1", "x", "x", "'@x", "'-1", "'+1", "'=1+1"]
        lines = client.get("/audit.csv").content.decode("utf-8-sig")
        cells = [cell for row in csv.reader(io.StringIO(lines), delimiter=";") for cell in row]  # as in Germany
        assert not [cell for cell in cells if cell.strip(' "').startswith(("=", "+", "-", "@", "\uff1d"))]
        assert "gone" not in {row["actor"].strip("'=") for row in rows}
    with browser(host, OWNER) as client:
        assert [(row["actor"], row["action"]) for row in exported(client)[1:3]] == [
            ("paliadin", "seeded"),
            ("'=gone", "'=x"),
        ]
    with browser(host) as client:
        assert client.get("/audit.csv").status_code == 403


def test_an_export_ends_after_ten_thousand_lines(host: Host) -> None:
    execute(host, ADDED, {"project": PROJECT, "count": 10_100})
    with browser(host, ANNA) as client:
        rows = exported(client)
        assert len(rows) == 10_000
        assert rows[0]["thing_id"] == "n10100"


def test_a_month_has_its_last_day_and_a_year_its_turn(host: Host) -> None:
    for day in (date(2027, 12, 31), date(2028, 2, 29), date(2028, 1, 1)):
        _, thing = suggest(host, ANNA, PROJECT, title=f"On {day}", due_date=day.isoformat())
        with browser(host, ANNA) as client:
            for month in ("2027-12", "2028-01", "2028-02", "2028-03"):
                assert (thing in client.get(f"/agenda?month={month}").text) is (month == f"{day:%Y-%m}")
