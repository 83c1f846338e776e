"""The demo's script: what it makes of a question, and what it does where a tool is missing or refused."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from paliadin.cli import cli
from paliadin.demo import script
from paliadin.demo.api_messages import Conversation, Message, Text, ToolUse
from paliadin.demo.question import Question
from paliadin.demo.scene import PREFIX
from paliadin.events.answer_filter import AnswerFilter
from paliadin.prompt.context import Context
from paliadin.prompt.envelope import PromptFile, build_prompt

TURN = "01a1fdb6-b627-7948-85e7-ca4dc12d2878"
PRACTICE = [
    PREFIX + name
    for name in (
        "whats_on_my_plate",
        "search_my_deadlines",
        "get_project_detail",
        "lookup_glossary_term",
        "lookup_deadline_rule",
        "search_case_law",
        "lookup_court",
        "list_my_appointments",
    )
]
OWNERS = ["Bash", "Read", "Write", "AskUserQuestion", *PRACTICE]
QUESTIONS = script.questions("UPC_CFI_2/2026", "UPC_CFI_1/2026")
ASKED = [(lang, question) for lang in ("en", "de") for question in QUESTIONS[lang]]
NOT_FOUND = {
    "en": "I could not find anything matching that.",
    "de": "Ich konnte nichts finden, was dazu passt.",
}


def conversation(question: str, *results: tuple[str, str, bool], tools: list[str] = OWNERS) -> Conversation:
    messages: list[dict[str, Any]] = [{"role": "user", "content": build_prompt(TURN, question, Context())}]
    for number, (name, content, failed) in enumerate(results):
        use = {"type": "tool_use", "id": f"t{number}", "name": name, "input": {}}
        result = {"type": "tool_result", "tool_use_id": f"t{number}", "content": content, "is_error": failed}
        messages += [{"role": "assistant", "content": [use]}, {"role": "user", "content": [result]}]
    names = [{"name": name} for name in tools]
    return Conversation.parse({"system": "Working directory: /office", "messages": messages, "tools": names})


def uses(message: Message) -> list[ToolUse]:
    return [block for block in message.blocks if isinstance(block, ToolUse)]


def text_of(message: Message) -> str:
    return "".join(chunk for block in message.blocks if isinstance(block, Text) for chunk in block.chunks)


def shown(message: Message) -> str:
    """The answer without its trailer, which has to be complete."""
    visible = AnswerFilter()
    pieces = visible.feed(text_of(message)) + visible.finish()
    assert visible.trailer
    assert visible.trailer.complete
    assert visible.trailer.classifier_tag
    return "".join(piece for piece in pieces if isinstance(piece, str)).strip()


def played(question: str, content: str, *, failed: bool) -> tuple[Message, list[str]]:
    """The answer when each tool that is called returns this, and the tools."""
    results: list[tuple[str, str, bool]] = []
    while called := uses(message := script.play(conversation(question, *results))):
        assert len(results) < 4
        results.append((called[0].name, content, failed))
    return message, [name for name, _, _ in results]


def test_the_script_reads_the_question_and_no_block_before_it() -> None:
    files = [PromptFile(Path("/a/a [deadline] note.png"), True), PromptFile(Path("/a/b.pdf"), False)]
    for context in (Context(), Context(route_name="a]b", user_selection_text='how "many" [files ]')):
        for attached in ((), files):
            assert Question.read(build_prompt(TURN, "Hello [files]", context, attached)).words == "Hello [files]"


@pytest.mark.parametrize(
    ("asked", "kind", "ident", "expected"),
    [
        ("What is the state of this project?", "project", "demo-project-7", {"project_id": "demo-project-7"}),
        ("Wie steht es um dieses Projekt?", "project", "demo-project-7", {"project_id": "demo-project-7"}),
        ("Welche Fristen dieses Projekts sind offen?", "project", "demo-project-7", {"project_id": "demo-project-7"}),
        ("Which deadlines at this court are open?", "court", "Munich LD", {"court": "Munich LD"}),
        ("Erkläre diesen Begriff.", "glossary", 'a "b" c', {"q": 'a "b" c', "lang": "de"}),
        ("Explain the selected word.", "glossary", "x", {"q": "the claim", "lang": "en"}),
        ("Which deadlines are open?", "project", "demo-project-7", {}),
    ],
)
def test_it_reads_what_is_on_the_page(asked: str, kind: str, ident: str, expected: dict[str, str]) -> None:
    context = Context(primary_entity_type=kind, primary_entity_id=ident, user_selection_text="the claim")
    prompt = {"role": "user", "content": build_prompt(TURN, asked, context)}
    tools = [{"name": name} for name in OWNERS]
    [use] = uses(script.play(Conversation.parse({"messages": [prompt], "tools": tools})))
    assert use.input == expected


@pytest.mark.parametrize(("lang", "question"), ASKED)
def test_each_question_is_in_its_language_and_none_is_unknown(lang: str, question: str) -> None:
    assert Question.read(question).lang == lang
    unknown = shown(script.play(conversation({"en": "Tell me a joke", "de": "Guten Morgen"}[lang])))
    assert question in unknown or "UPC_CFI" in question
    first = script.play(conversation(question))
    assert uses(first) or "Claude Code" in text_of(first)


@pytest.mark.parametrize(("lang", "question"), [each for each in ASKED if each[1] in QUESTIONS[each[0]][:6]])
def test_where_tools_find_nothing_or_refuse_that_is_the_whole_answer(lang: str, question: str) -> None:
    """Each tool but the plate, which always has counts, is asked for something that may not be there."""
    refused, tools = played(question, "there is no such thing", failed=True)
    assert shown(refused) == NOT_FOUND[lang]
    assert len(tools) == 1  # it does not go on to look for it elsewhere
    counts = dict.fromkeys(("overdue", "today", "this_week", "later"), 0)
    empty = json.dumps({"today": "2026-11-26", "open_deadlines": counts, "rows": [], "row_count": 0})
    answer, tools = played(question, empty, failed=False)
    if question == QUESTIONS[lang][0]:
        assert "0" in shown(answer)
        assert "[#" not in text_of(answer)
    else:
        assert shown(answer) == NOT_FOUND[lang]
    assert f"used_tools: {', '.join(name.removeprefix(PREFIX) for name in tools)}\n" in text_of(answer)


DAYS = {
    "16.05., Klageerwiderung": ("2027-05-16", "Klageerwiderung"),
    "26.11., heute": ("2026-11-26", "Heute"),
    "16.05.2028 – Klageerwiderung.": ("2028-05-16", "Klageerwiderung"),
    "17. Mai 2027, Replik": ("2027-05-17", "Replik"),
    "3. März: Duplik": ("2027-03-03", "Duplik"),
    "29.02., Schalttag": ("2028-02-29", "Schalttag"),
    "30.02., nie": None,
    "bald": None,
}


@pytest.mark.parametrize("said", DAYS)
def test_a_deadline_is_suggested_on_the_day_that_is_meant(said: str) -> None:
    """A day without a year is the next such day; what is no day is asked about."""
    context = Context(primary_entity_type="project", primary_entity_id="demo-project-7")
    plate = json.dumps({"today": "2026-11-26", "rows": [], "row_count": 0})
    prompt = {"role": "user", "content": build_prompt(TURN, f"Lege eine Frist für diese Akte an: {said}", context)}
    use = {"type": "tool_use", "id": "t", "name": f"{PREFIX}whats_on_my_plate", "input": {}}
    result = {"type": "tool_result", "tool_use_id": "t", "content": plate}
    messages = [prompt, {"role": "assistant", "content": [use]}, {"role": "user", "content": [result]}]
    tools = [{"name": name} for name in (*PRACTICE, f"{PREFIX}suggest_deadline")]
    called = uses(script.play(Conversation.parse({"messages": messages, "tools": tools})))
    if DAYS[said] is None:
        assert called == []
    else:
        due, title = DAYS[said] or ("", "")
        assert [dict(each.input) for each in called] == [
            {"project_id": "demo-project-7", "title": title, "due_date": due}
        ]


@pytest.mark.parametrize(("lang", "question"), ASKED)
def test_a_member_whose_claude_has_no_such_tool_is_told_so(lang: str, question: str) -> None:
    """It calls no tool that is not there."""
    message = script.play(conversation(question, tools=PRACTICE))
    assert {use.name for use in uses(message)} <= set(PRACTICE)
    if question in QUESTIONS[lang][7:10]:
        assert ("member" in shown(message)) if lang == "en" else ("Mitglied" in shown(message))
    assert not uses(script.play(conversation(question, tools=[])))


def test_any_other_question_is_answered_with_the_ones_there_are() -> None:
    for lang, joke in (("en", "Tell me a joke"), ("de", "Erzähl einen Witz")):
        answer = shown(script.play(conversation(joke)))
        assert f"*{joke}*" in answer
        known = list(known_questions(answer))
        assert len(known) == len(QUESTIONS[lang]) - 1
        assert set(QUESTIONS[lang]) - set(known) == set(QUESTIONS[lang][5:7])  # which name projects
        assert len(list(known_questions(shown(script.play(conversation(joke, tools=PRACTICE)))))) == 6


def test_the_question_in_the_help_of_the_command_line_is_known() -> None:
    [asked] = {*re.findall(r'"(What .*?)"', CliRunner().invoke(cli, ["--help"]).stdout)}
    assert uses(script.play(conversation(asked)))


def known_questions(answer: str) -> Iterator[str]:
    return (line.removeprefix("- ") for line in answer.splitlines() if line.startswith("- "))


def test_a_note_that_was_refused_is_not_passed_over() -> None:
    for question, words in (("Write a note", "**not** written"), ("Schreib eine Notiz", "**nicht** geschrieben")):
        assert words in shown(script.play(conversation(question, ("Write", "The user said no.", True))))


def test_the_handover_note_is_quoted_and_its_invention_is_named_as_one() -> None:
    page = (script.SAMPLE / "handover.md").read_text()
    numbered = "\n".join(f"{number:6}\t{line}" for number, line in enumerate(page.split("\n"), 1))
    answer = text_of(script.play(conversation("What does the handover note say?", ("Read", numbered, False))))
    lines = [line for line in page.splitlines() if line.startswith("- ")]
    assert len(lines) > 3
    assert all(line in answer for line in lines)
    assert "3 May 2031: that is made up" in answer
    assert f"rows_seen: {len(page.splitlines())}\n" in answer


def test_files_are_named_by_whole_paths_from_the_system_prompt() -> None:
    [use] = uses(script.play(conversation("Write a note")))
    assert use.input["file_path"] == "/office/note.md"
