from __future__ import annotations

from urllib.parse import unquote, urljoin, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from paliadin.events.chips import MAX_MARKER, Chip, Destinations, chip_label, may_be_chip, parse_chip
from paliadin.evidence.records import name_of
from paliadin.evidence.results import Call

CHIPS = [
    ("[#deadline-OPEN:c47bd2]", Chip("deadline", "open", id="c47bd2")),
    ("[#Frist-open:a.b_c:d-1]", Chip("frist", "open", id="a.b_c:d-1")),
    ("[#court-file_2-OPEN:7]", Chip("court-file_2", "open", id="7")),
    ("[#verfügung-OPEN:7]", Chip("verfügung", "open", id="7")),
    ("[#akte-OPEN:12/2024]", Chip("akte", "open", id="12/2024")),
    ("[#akte-OPEN:Müller-7]", Chip("akte", "open", id="Müller-7")),
    ("[court: Munich LD]", Chip("court", "open", id="Munich LD")),
    ("[Glossary:Klageerwiderung]", Chip("glossary", "open", id="Klageerwiderung")),
    ("[chip:nav:/deadlines]", Chip("nav", "nav", value="/deadlines")),
    ("[Chip:Nav: /a b ]", Chip("nav", "nav", value="/a b")),
    ("[chip:filter:status=open & due<7d]", Chip("filter", "filter", value="status=open & due<7d")),
]


@pytest.mark.parametrize(("marker", "chip"), CHIPS)
def test_markers_are_read(marker: str, chip: Chip) -> None:
    assert parse_chip(marker) == chip
    assert all(may_be_chip(marker[:end]) for end in range(1, len(marker)))


@pytest.mark.parametrize(
    "marker",
    [
        "[#deadline-OPEN:]",
        "[#deadline-OPEN:a b]",
        "[#deadline-OPEN: a]",
        "[#-OPEN:a]",
        "[#deadline:a]",
        "[#dead line-OPEN:a]",
        "[#deadline-OPEN:" + "a" * 81 + "]",
        "[court:]",
        "[court: ]",
        "[court Munich]",
        "[glossary: a\nb]",
        "[court: " + "a" * 100 + "]",
        "[chip:nav:]",
        "[chip:nav:  ]",
        "[chip:go:/x]",
        "[chip:nav:/a\n/b]",
        "[chip:nav:/" + "a" * 300 + "]",
        "[x]",
        "[]",
    ],
)
def test_other_brackets_are_no_chips(marker: str) -> None:
    assert parse_chip(marker) is None


def test_what_is_as_long_as_the_longest_marker_becomes_none() -> None:
    part = "[chip:nav:/".ljust(MAX_MARKER, "a")
    assert (may_be_chip(part[:-1]), may_be_chip(part)) == (True, False)


@given(st.text("#[]:-OPENchipnavflter1 /", max_size=20))
def test_what_cannot_become_a_chip_never_does(text: str) -> None:
    marker = f"[{text}]"
    if parse_chip(marker):
        assert all(may_be_chip(marker[:end]) for end in range(1, len(marker)))


PAGES = Destinations(
    {"deadline": "/deadlines/{id}", "filter": "/list?q={id}", "tab": "/tabs/{id}?open=1"},
    ("/", "/agenda", "/überblick", "/projects/{id}/steps/{id}"),
)
ALLOWED = ["/", "/agenda", "/überblick", "/deadlines/a.b_c:d-1", "/projects/7/steps/2"]
REFUSED = [
    "/logout?confirm=1",
    "/logout",
    "/agenda/",
    "/agenda?x=1",
    "/agenda#x",
    "/agenda/../logout",
    "/agenda\n",
    "agenda",
    "/Agenda",
    "/deadlines",
    "/deadlines/",
    "/deadlines/.",
    "/deadlines/..",
    "/deadlines/a/b",
    "/deadlines/a b",
    "/deadlines/a%2fb",
    "/deadlines/" + "a" * 81,
    "/projects/../steps/2",
    "/projects/7/steps/..",
    "/list?q=x",
    "/list?q={id}",
    "/tabs/7?open=1",
    "/tabs/7",
    "",
    " ",
    "//evil.example",
    "/a//b",
    "/%2Fevil.example",
    "/%252fevil.example",
    "\\evil",
    "/\\evil.example",
    "/%5cevil.example",
    "http://evil.example",
    "https:evil.example",
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "javascript%3Aalert(1)",
    "javascript&#58;alert(1)",
    "javascript&colon;alert(1)",
    "java\tscript:alert(1)",
    " javascript:alert(1)",
    "data:text/html,x",
    "/\t/evil.example",
    "/a\n",
    "/%00",
    "/%0d%0aset-cookie:x",
    "..",
    "../x",
    "/a/../b",
    "/a/..",
    "/a/%2e%2e/b",
    "/a/%252e%252e/b",
    "/a/.%2E?x",
    "/a/..;/b",
    "/\u202egpj",
    "/\u200bx",
]


@pytest.mark.parametrize("path", ALLOWED)
def test_a_path_that_is_set_up_leads_there(path: str) -> None:
    assert PAGES.href_for(Chip("nav", "nav", value=path)) == path


@pytest.mark.parametrize("path", REFUSED)
def test_every_other_path_leads_nowhere(path: str) -> None:
    assert PAGES.href_for(Chip("nav", "nav", value=path)) is None


def test_where_nothing_is_set_up_no_path_leads_anywhere() -> None:
    assert Destinations().href_for(Chip("nav", "nav", value="/")) is None


@given(
    st.sampled_from(["/", "/deadlines/", "/projects/"]),
    st.lists(st.sampled_from([*"/\\.:%&#;?@ \t\n", "%2f", "%2e", "%5c", "..", "a", "http", "javascript:", "/steps/"])),
)
def test_a_path_that_leads_somewhere_stays_in_the_application(start: str, parts: list[str]) -> None:
    path = PAGES.href_for(Chip("nav", "nav", value=start + "".join(parts)))
    if path is not None:
        target = urlsplit(urljoin("https://host.example/base/page", path))
        assert (target.scheme, target.netloc, target.query, target.fragment) == ("https", "host.example", "", "")
        assert not {".", ".."} & set(unquote(target.path).split("/"))


@pytest.mark.parametrize(
    ("chip", "href"),
    [
        (Chip("deadline", "open", id="a:b"), "/deadlines/a%3Ab"),
        (Chip("deadline", "open", id="a/b"), "/deadlines/a%2Fb"),
        (Chip("deadline", "open", id="X"), "/deadlines/X"),
        (Chip("deadline", "open", id=".."), None),
        (Chip("unknown", "open", id="1"), None),
        (Chip("filter", "filter", value="status=open&x"), "/list?q=status%3Dopen%26x"),
    ],
)
def test_a_chip_leads_where_its_kind_says(chip: Chip, href: str | None) -> None:
    assert PAGES.href_for(chip) == href


def test_a_filter_leads_nowhere_without_a_template_of_its_own() -> None:
    assert Destinations({"deadline": "/d/{id}"}, ("/list",)).href_for(Chip("filter", "filter", value="x")) is None


@pytest.mark.parametrize(
    ("chip", "label"),
    [
        (Chip("deadline", "open", id="c47bd2"), "Deadline c47bd2"),
        (Chip("court-file_x", "open", id="1"), "Court file x 1"),
        (Chip("nav", "nav", value="/deadlines"), "/deadlines"),
        (Chip("filter", "filter", value="status=open"), "Filter: status=open"),
        (Chip("nav", "nav", value="/" + "a" * 99), "/" + "a" * 58 + "…"),
        (Chip("nav", "nav", value="/" + "a" * 59), "/" + "a" * 59),
    ],
)
def test_a_chip_has_a_short_label(chip: Chip, label: str) -> None:
    assert chip_label(chip) == label


def test_a_thing_that_has_a_name_is_called_by_it() -> None:
    chip = Chip("deadline", "open", id="d-1")
    assert chip_label(chip, "Statement of  defence\n\u202e") == "Statement of defence ⟨U+202E⟩"
    assert chip_label(chip, "x" * 99) == "x" * 59 + "…"
    assert chip_label(chip, "x" * 99 + " · 2027-01-15") == "x" * 46 + "… · 2027-01-15"
    assert chip_label(chip, " \n ") == "Deadline d-1"
    assert chip_label(Chip("court", "open", id="Munich LD")) == "Munich LD"


@pytest.mark.parametrize(
    ("more", "name"),
    [
        ({"due_date": "2027-01-15"}, "Appeal · 2027-01-15"),
        ({"starts_at": "2027-01-15T09:30:00+01:00"}, "Appeal · 2027-01-15"),
        ({"due_date": "15 May", "date": "2027-01-15"}, "Appeal · 2027-01-15"),
        ({"due_date": "2027-01-155"}, "Appeal"),
        ({"title": "Appeal of 2027-01-15", "due_date": "2027-01-15"}, "Appeal of 2027-01-15"),
        ({"title": "", "due_date": "2027-01-15"}, ""),
    ],
)
def test_a_name_has_the_day_of_its_row(more: dict[str, str], name: str) -> None:
    assert name_of([called({"rows": [{"id": "d-1", "title": "Appeal", "project": "P"} | more]})], "d-1") == name


def test_a_result_names_a_thing_by_its_title_label_or_name() -> None:
    rows = [
        {"id": "d-1", "title": "Defence", "project": "P"},
        {"id": "p-1", "label": "Matter"},
        {"id": "x", "kind": "k"},
    ]
    calls = [called({"rows": [{"id": "d-1", "title": "Earlier"}]}), called({"rows": rows}), called("d-1 is no record")]
    assert [name_of(calls, each) for each in ("d-1", "p-1", "x", "d-2", "Defence")] == ["Defence", "Matter", "", "", ""]
    assert name_of([called({"rows": rows, "more": "x" * 30_000})], "d-1") == ""
    assert name_of([Call("t", "mcp__a__b", {}, {"rows": rows}, "failed")], "d-1") == ""


def called(result: object) -> Call:
    return Call("t", "mcp__paliad__search", {}, result, "ok")
