"""A result as a person reads it and as it is searched: each value leads to its line, its field and its record."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from paliadin.evidence.check import Call
from paliadin.evidence.layout import Layout
from paliadin.evidence.results import MAX_LAID_OUT
from tests.unit.test_evidence_check import bash, claims, mcp, read

DEADLINES = {
    "total": 2,
    "counts": {"today": 0, "late": 2},
    "rows": [
        {
            "id": "DL-7",
            "title": "Reply",
            "due_date": "2031-12-31",
            "court": "UPC, local division Munich",
            "note": "a\nb",
        },
        {
            "id": "DL-8",
            "title": "Rejoinder",
            "due_date": "2032-01-15",
            "court": "UPC, local division Paris",
            "note": "",
        },
        {"id": "DL-9", "title": "Short"},
    ],
}


def test_json_is_laid_out_a_field_a_line_and_short_objects_on_one() -> None:
    assert mcp(DEADLINES).text.splitlines() == [
        "{",
        '  "total": 2,',
        '  "counts": {"today": 0, "late": 2},',
        '  "rows": [',
        "    {",
        '      "id": "DL-7",',
        '      "title": "Reply",',
        '      "due_date": "2031-12-31",',
        '      "court": "UPC, local division Munich",',
        '      "note": "a',
        'b"',
        "    },",
        "    {",
        '      "id": "DL-8",',
        '      "title": "Rejoinder",',
        '      "due_date": "2032-01-15",',
        '      "court": "UPC, local division Paris",',
        '      "note": ""',
        "    },",
        '    {"id": "DL-9", "title": "Short"}',
        "  ]",
        "}",
    ]


def test_what_is_searched_has_a_line_for_each_record() -> None:
    assert mcp(DEADLINES).searched.splitlines()[:3] == [
        '"total": 2 "counts": "today": 0, "late": 2',
        '"rows":',
        '"id": "DL-7", "title": "Reply", "due_date": "2031-12-31", "court": "UPC, local division Munich"',
    ]


def test_a_fact_leads_to_its_line_its_field_and_its_record() -> None:
    [claim] = claims("It is due on 15 January 2032.", mcp(DEADLINES))
    [source] = claim.sources
    assert (source.line, source.text) == (16, '"due_date": "2032-01-15",')
    assert (source.field, source.record) == ("due_date", "Rejoinder")
    assert mcp(DEADLINES).text.splitlines()[16 - 1].strip() == source.text


def test_of_other_results_a_fact_leads_to_its_line() -> None:
    for call in (bash("x", "a\nb\ndue 2032-01-15\n"), read("/a", "b\ndue 2032-01-15\nc", start=2)):
        [claim] = claims("It is due on 15 January 2032.", call)
        assert [(each.line, each.text, each.field, each.record) for each in claim.sources] == [
            (3, "due 2032-01-15", "", "")
        ]
    [claim] = claims("It is due on 15 January 2032.", bash("x", json.dumps(DEADLINES)))
    assert [(each.line, each.field, each.record) for each in claim.sources] == [(16, "due_date", "Rejoinder")]


def test_a_long_json_is_shown_as_it_is() -> None:
    whole = json.dumps([{"id": f"DL-{n}", "note": "x" * 50} for n in range(MAX_LAID_OUT // 60)])
    assert mcp(whole).text == mcp(whole).searched == whole


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(0, 99_999) | st.text(max_size=30),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.text(max_size=8), inner, max_size=6),
    max_leaves=30,
)


@given(st.lists(_JSON, max_size=6) | st.dictionaries(st.text(max_size=8), _JSON, max_size=6))
def test_every_place_of_what_is_searched_is_on_its_line_of_what_is_shown(value: object) -> None:
    layout = Layout()
    layout.add_json(value)
    searched, shown = "\n".join(layout.searched), "\n".join(layout.shown).split("\n")
    for at in range(len(searched)):
        line = layout.place_of(at, searched).line
        assert line is not None
        word = searched[at : at + 5].split("\n")[0]
        assert not word.isdecimal() or not searched[at - 1 : at].isspace() or word in shown[line]


def test_what_a_call_only_repeats_is_shown_and_not_searched() -> None:
    written = {"filePath": "/a.md", "content": "due 2032-01-15"}
    wrote = Call("w", "Write", {"file_path": "/a.md"}, written, "ok")
    assert "2032-01-15" in wrote.text
    assert "2032-01-15" not in wrote.searched
