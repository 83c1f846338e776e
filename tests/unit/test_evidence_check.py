"""The check of an answer: what is a claim, what holds it, what follows, and what proves nothing."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest

from paliadin.evidence.check import Answer, Call, check, holds_id
from paliadin.evidence.model import Claim, judge
from paliadin.evidence.search import MAX_PLACES

TODAY = date(2026, 11, 26)
ROWS = [
    {"id": "DL-7", "title": "Klageerwiderung", "due": "2031-12-31", "status": "open", "amount": 4711.0, "court": "UPC"},
    {"id": "DL-8", "title": "Replik", "due": "2031-11-30", "status": "done", "amount": 289.5, "court": "LG München I"},
    {"id": "DL-9", "title": "Duplik", "due": "2032-01-15", "status": "open", "amount": 1000, "court": "UPC"},
]


def mcp(result: object, name: str = "mcp__office__search", call_id: str = "t1", **tool_input: object) -> Call:
    text = result if isinstance(result, str) else json.dumps(result, ensure_ascii=False)
    return Call(call_id, name, tool_input, [{"type": "text", "text": text}], "ok")


def bash(command: str, stdout: str, call_id: str = "t1") -> Call:
    return Call(call_id, "Bash", {"command": command}, {"stdout": stdout, "stderr": "", "interrupted": False}, "ok")


def read(path: str, content: str, start: int = 1, call_id: str = "t1") -> Call:
    file = {"filePath": path, "content": content, "startLine": start, "numLines": content.count("\n") + 1}
    return Call(call_id, "Read", {"file_path": path}, {"type": "text", "file": file}, "ok")


def claims(text: str, *calls: Call, question: str = "", **fields: Any) -> tuple[Claim, ...]:
    return check(Answer((("m", text),), calls, question, today=TODAY, **fields))


def statuses(text: str, *calls: Call, question: str = "", **fields: Any) -> dict[str, str]:
    return {claim.text: claim.status for claim in claims(text, *calls, question=question, **fields)}


@pytest.mark.parametrize(
    "written",
    [
        "31.12.2031",
        "2031-12-31",
        "31 December 2031",
        "31. Dezember 2031",
        "December 31st, 2031",
        "31/12/2031",
        "Dec 31",
    ],
)
def test_a_date_is_the_same_in_every_notation(written: str) -> None:
    assert list(statuses(f"It is due on {written}.", mcp(ROWS)).values()) == ["found"]
    assert list(statuses(f"It is due on {written}.", mcp(f'[{{"due": "{written}"}}]')).values()) == ["found"]
    assert list(statuses(f"It is due on {written}.", mcp('[{"due": "2031-12-30"}]')).values()) == ["unsupported"]


@pytest.mark.parametrize("written", ["4.711,00 EUR", "4711 €", "€4,711.00", "EUR 4711", "4 711 Euro"])
def test_an_amount_is_compared_by_its_value(written: str) -> None:
    written = written.replace("4 711", "4\u202f711")
    assert list(statuses(f"Es geht um {written}.", mcp(ROWS)).values()) == ["found"]
    assert list(statuses(f"Es geht um {written}.", mcp('{"amount": "4.712 EUR"}')).values()) == ["unsupported"]


def test_another_currency_is_another_amount() -> None:
    assert statuses("Es kostet 500 USD.", mcp('{"fee": "500 EUR"}')) == {"500 USD": "unsupported"}


def test_what_was_invented_is_not_found() -> None:
    app = read("/w/src/app.py", "a\nb\nc", start=10)
    text = (
        "Die Frist endet am 31.12.2030, Az. 12 O 999/24. Er schuldet 4.712 EUR laut DL-77.\n"
        "„Das steht in keinem einzigen Ergebnis.“ Siehe `src/app.py:120` und [Meier GmbH](http://x/y).\n"
        "Ich fand 250 Zeilen."
    )
    found = statuses(text, mcp(ROWS), app)
    assert set(found.values()) == {"unsupported"}
    assert len(found) == 8


def test_places_are_code_points_of_the_markdown() -> None:
    text = "😀 Am **31.\u202fDezember 2031** endet [DL-7](/x)."
    for claim in claims(text, mcp(ROWS)):
        assert text[claim.start : claim.end] == claim.text
    assert statuses(text, mcp(ROWS)) == {"31.\u202fDezember 2031": "found", "DL-7": "found"}


def test_a_source_names_the_call_the_line_and_its_text() -> None:
    call = bash("cat f", "first\nDL-7 is due\nlast", call_id="t9")
    [claim] = claims("It's DL-7.", call)
    [source] = claim.sources
    assert (source.origin, source.call, source.turn_id, source.line, source.text) == (
        "call",
        "t9",
        None,
        2,
        "DL-7 is due",
    )


def test_without_a_tool_data_is_unsupported_and_an_explanation_is_common() -> None:
    assert statuses("17 Fristen sind offen.") == {"17": "unsupported"}
    assert statuses("DL-7 is due on 31.12.2031.") == {"DL-7": "unsupported", "31.12.2031": "unsupported"}
    assert statuses("Die Berufungsfrist beträgt in der Regel zwei Monate (§ 517 ZPO).") == {"zwei Monate": "common"}
    assert statuses("1. Schritt 3\n2. Art. 83 EPÜ und § 276 ZPO\n\n## 4 Kosten") == {}
    assert statuses("18 Staaten sind dabei.") == {"18": "common"}
    assert statuses("18 Staaten sind dabei.", claims_data=True) == {"18": "unsupported"}


def test_what_the_user_wrote_or_the_page_has_is_given() -> None:
    context = {"entity_id": "DL-7", "selected": ["DL-8"]}
    found = statuses("DL-7, DL-8 und 500 EUR; DL-9.", question="Was sind 500 EUR?", context=context)
    assert found == {"DL-7": "given", "DL-8": "given", "500 EUR": "given", "DL-9": "unsupported"}


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("Es sind drei Fristen.", "count"),
        ("Zwei sind offen.", "count"),
        ("Two deadlines are at the UPC.", "count"),
        ("Zusammen 6.000,50 EUR.", "sum"),
        ("Die offenen machen 5.711 EUR aus.", "sum"),
        ("That is about 4,700 EUR.", "rounded"),
        ("Zwischen DL-8 (30.11.2031) und DL-7 (31.12.2031) liegen 31 Tage.", "days"),
        ("Two are open, that is 67 %.", "share"),
    ],
)
def test_what_follows_from_rows_is_derived(text: str, rule: str) -> None:
    derived = [claim for claim in claims(text, mcp(ROWS)) if claim.status == "derived"]
    assert rule in {claim.rule for claim in derived}
    assert not [claim for claim in claims(text, mcp(ROWS)) if claim.status == "unsupported"]


def test_a_number_in_another_unit_follows_only_from_one_that_is_held() -> None:
    text = "It takes 72 hours, i.e. 3 days."
    assert statuses(text, mcp(ROWS)) == {"72 hours": "unsupported", "3 days": "unsupported"}
    held = mcp('[{"id": "RT-1", "retries": "for 72 hours"}]')
    assert statuses(text, held) == {"72 hours": "found", "3 days": "derived"}


@pytest.mark.parametrize(
    "text",
    [
        "17 Fristen sind offen.",
        "Zusammen 6.000,51 EUR.",
        "Zwischen dem 30.11.2031 und dem 31.12.2031 liegen 33 Tage.",
        "41 %.",
    ],
)
def test_what_does_not_follow_is_not(text: str) -> None:
    assert "unsupported" in statuses(text, mcp(ROWS)).values()


@pytest.mark.parametrize(
    "call",
    [
        Call("t", "Task", {"prompt": "Look at FAKE-1"}, {"prompt": "Look at FAKE-1", "content": []}, "ok"),
        Call("t", "Write", {"file_path": "/a", "content": "FAKE-1"}, {"filePath": "/a", "content": "FAKE-1"}, "ok"),
        Call("t", "WebSearch", {"query": "FAKE-1"}, {"query": "FAKE-1", "results": ["nothing on FAKE-1"]}, "ok"),
        Call("t", "WebFetch", {"url": "http://x/FAKE-1"}, {"url": "http://x/FAKE-1", "result": "no FAKE-1"}, "ok"),
        Call("t", "Edit", {"file_path": "/a", "old_string": "", "new_string": "FAKE-1"}, {"newString": "FAKE-1"}, "ok"),
        Call("t", "TodoWrite", {"todos": [{"content": "FAKE-1"}]}, {"newTodos": [{"content": "FAKE-1"}]}, "ok"),
        bash("echo FAKE-1", "FAKE-1\n"),
        bash("echo 'x FAKE-1 y' | tr x z", "z FAKE-1 y\n"),
        mcp({"query": "FAKE-1", "rows": []}, q="FAKE-1"),
        mcp("no deadline FAKE-1 found", q="FAKE-1"),
        Call("t", "Read", {"file_path": "/x/FAKE-1.json"}, "File does not exist: /x/FAKE-1.json", "failed"),
        Call("t", "mcp__office__get", {}, "no FAKE-1", "failed"),
        mcp("FAKE-12, XFAKE-1, FAKE-1.2, FAKE-1/3, FAKE-1:4, A.FAKE-1, FAKE-1-x, FAKE-1_y"),
    ],
    ids=lambda call: f"{call.name}-{call.outcome}",
)
def test_what_claude_put_there_or_failed_or_is_longer_proves_nothing(call: Call) -> None:
    assert statuses("It's FAKE-1.", call) == {"FAKE-1": "unsupported"}
    assert not holds_id(Answer((), (call,)), "FAKE-1")


def test_a_file_that_claude_wrote_proves_nothing_when_it_is_read_back() -> None:
    wrote = Call("t1", "Write", {"file_path": "/w/n.md", "content": "FAKE-1 on 31.12.2031"}, {"type": "create"}, "ok")
    back = read("/w/n.md", "FAKE-1 on 31.12.2031", call_id="t2")
    assert set(statuses("FAKE-1 is due on 31.12.2031.", wrote, back).values()) == {"unsupported"}
    assert not holds_id(Answer((), (wrote, back)), "FAKE-1")
    note = mcp("saved", "mcp__notes__add", "t1", text="FAKE-1")
    got = mcp("FAKE-1", "mcp__notes__get", "t2")
    assert statuses("It's FAKE-1.", note, got) == {"FAKE-1": "unsupported"}
    other = mcp("FAKE-1", "mcp__office__get", "t3")
    assert statuses("It's FAKE-1.", note, got, other) == {"FAKE-1": "found"}


def test_what_was_known_before_may_come_back() -> None:
    first = mcp([{"id": "DL-7"}], call_id="t1")
    again = mcp({"id": "DL-7", "note": "x"}, "mcp__office__get", "t2", id="DL-7")
    assert statuses("DL-7.", again, first) == {"DL-7": "found"}
    assert statuses("DL-7.", again, question="What is DL-7?") == {"DL-7": "found"}
    assert holds_id(Answer((), (again,), "What is DL-7?"), "DL-7")


def test_what_the_user_named_is_verified_by_a_record_of_it_and_not_by_a_sentence() -> None:
    for result, held in (
        ({"id": "DL-7", "due": "x"}, True),
        ("id;due\nDL-7;x\n", True),
        ("There is no deadline DL-7.", False),
        ({"error": "no deadline DL-7 found"}, False),
    ):
        call = mcp(result, "mcp__office__get", id="DL-7")
        assert holds_id(Answer((), (call,), "What is DL-7?"), "DL-7") is held


def test_an_id_is_tried_at_so_many_places_and_no_more() -> None:
    assert not holds_id(Answer((), (mcp("xDL-7 " * MAX_PLACES + "DL-7"),)), "DL-7")
    assert holds_id(Answer((), (mcp("xDL-7 " * (MAX_PLACES - 1) + "DL-7"),)), "DL-7")


def test_an_honest_id_is_found_wherever_json_has_it() -> None:
    for call in (
        mcp(json.dumps({"note": "first\nDL-7 here"})),
        mcp({"DL-7": {"title": "x"}}),
        mcp({"number": "12/2024", "who": "Müller-7", "id": "DL-7"}),
        Call("t", "Grep", {"pattern": "DL"}, {"mode": "content", "content": "a/b.md:12:DL-7 is due"}, "ok"),
    ):
        assert statuses("It's DL-7.", call) == {"DL-7": "found"}
        assert holds_id(Answer((), (call,)), "DL-7")
    assert holds_id(Answer((), (mcp({"number": "12/2024"}),)), "12/2024")
    assert not holds_id(Answer((), (mcp({"number": "12/2024"}),)), "12")
    assert holds_id(Answer((), (mcp({"who": "Müller-7"}),)), "Müller-7")


def test_where_something_is_missing_nobody_can_say() -> None:
    cut = Call("t", "mcp__x__list", {}, "DL-7 … [cut by Paliadin: 9 more characters] …", "ok", cut=True)
    assert statuses("DL-7 and DL-8.", cut) == {"DL-7": "found", "DL-8": "unknown"}
    picture = Call("t", "Read", {"file_path": "/a.png"}, {"type": "image", "file": {"base64": "DL8="}}, "ok")
    assert statuses("It's DL-8.", picture) == {"DL-8": "unknown"}
    assert statuses("It's DL-88.", mcp(ROWS), is_incomplete=True) == {"DL-88": "unknown"}


def test_lines_of_files_that_were_read_or_found() -> None:
    app = read("/w/src/app.py", "a\nb\nc", start=118)
    hits = Call("t2", "Grep", {}, {"mode": "content", "content": "src/b.py:7:x\n"}, "ok")
    text = "`src/app.py:119`, line 120 of app.py, app.py:121, src/b.py:7 und Zeile 8 in src/b.py"
    assert list(statuses(text, app, hits).values()) == ["found", "found", "unsupported", "found", "unsupported"]


def test_quotations_are_compared_word_by_word() -> None:
    source = read("/a", 'Es gilt: "Die  Beklagte trägt\ndie Kosten – des Verfahrens."')
    for quoted in (
        "„Die Beklagte trägt die Kosten - des Verfahrens“",
        "“die beklagte trägt […] des Verfahrens”",
        "> Die Beklagte trägt die Kosten – des Verfahrens.",
    ):
        assert list(statuses(quoted, source).values()) == ["found"]
    assert list(statuses("„Die Klägerin trägt die Kosten“", source).values()) == ["unsupported"]


@pytest.mark.parametrize("mark", ["> [!NOTE]", ">[!warning] "])
def test_a_callout_is_claudes_own_remark_and_no_quotation(mark: str) -> None:
    remark = "> Ask the client first, please, about DL-99."
    assert statuses(f"{mark}\n{remark}", mcp(ROWS)) == {"DL-99": "unsupported"}
    assert statuses(f"{mark}\n{remark}\n\nThey say:\n\n> Ask the client first, please.", mcp(ROWS)) == {
        "DL-99": "unsupported",
        "Ask the client first, please.": "unsupported",
    }
    assert statuses(f"> Said:\n{mark}\n{remark}", mcp(ROWS)) == {"DL-99": "unsupported"}


@pytest.mark.parametrize(
    ("said", "written"), [("on Tuesday", "on Tuesday."), ("“the FIRST day of it”", "The first day of it")]
)
def test_words_in_other_letters_have_the_line_that_holds_them_as_their_source(said: str, written: str) -> None:
    [claim] = claims(f"They call back {said}.", read("/a", f"Calls:\n\nThe registry calls back. {written}"))
    assert [(source.line, written in source.text) for source in claim.sources] == [(3, True)]


def test_code_is_no_statement_and_a_plain_block_is_one() -> None:
    assert statuses("```python\nx = 'DL-99'\n```", mcp(ROWS)) == {}
    assert statuses("```\nDL-99\n```", mcp(ROWS)) == {"DL-99": "unsupported"}


def test_the_worst_claim_decides() -> None:
    assert judge({"found": 3, "unsupported": 1, "unknown": 1}) == "unsupported"
    assert judge({"found": 3, "unknown": 1}) == "unknown"
    assert judge({"derived": 1}) == "supported"
    assert judge({"common": 4}) == judge({}) == "nothing_to_check"
