"""What the worst texts that we know of cost on the event loop, in milliseconds; nothing may hold it for more than 50.

`make bench-text`. The texts are as long as the limits for requests and for the turn log's records let them be.
"""

from __future__ import annotations

import gc
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from datetime import date
from typing import Any

from paliadin.base.errors import PaliadinError
from paliadin.events.answer_filter import AnswerFilter
from paliadin.events.chips import Chip, Destinations
from paliadin.events.reducer import Reducer
from paliadin.events.trailer import fallback_tag, parse_trailer
from paliadin.prompt.context import Context
from paliadin.prompt.envelope import build_prompt, parse_envelope
from paliadin.prompt.text import MAX_MESSAGE, MAX_RAW_MESSAGE, check_message, same_text
from paliadin.reports.filters import Filter
from paliadin.steps.model import Accepted, Settled, Text, ToolEnded, ToolStarted
from paliadin.turnlog.description import Description
from paliadin.turns.history_items import excerpt
from paliadin.web.body import MAX_BODY_BYTES, parse_object

ID = "019a2b3c-4d5e-7f60-8123-456789abcdef"
RECORD = 256 * 1024  # bytes: what a hook writes of a tool's result without cutting it
LONGEST = 10  # seconds
ANSWER = 1_000_000  # characters that come at once; what Claude Code writes in 100 ms is far less

Case = tuple[str, Callable[[], object]]


def messages() -> Iterator[Case]:
    half = MAX_RAW_MESSAGE // 2
    for name, text in {
        "two kinds of marks, a message": "\u0301\u0316" * (MAX_MESSAGE // 2),
        "two kinds of marks, the longest text": "\u0301\u0316" * half,
        "three kinds of marks, sorted the other way": "\u0301" * half + "\u0327" * (half // 2) + "\u0316" * (half // 2),
        "vowels that come apart into two marks": "\u0f73" * MAX_RAW_MESSAGE,
        "eight marks on each letter": ("a" + "\u0301\u0316" * 4) * (MAX_RAW_MESSAGE // 9),
        "characters that decompose into four": "\u1f82" * MAX_RAW_MESSAGE,
        "Hangul letters": "\u1112\u1161\u11ab" * (MAX_RAW_MESSAGE // 3),
        "tags of flags": "\U000e0041" * MAX_RAW_MESSAGE,
        "joiners": "\u200d" * MAX_RAW_MESSAGE,
        "joiners between emoji": "\U0001f600\u200d" * half,
        "selectors": "\ufe0f" * MAX_RAW_MESSAGE,
        "tabs": "\t" * MAX_RAW_MESSAGE,
        "carriage returns": "\r" * MAX_RAW_MESSAGE,
        "plain letters": "word " * (MAX_MESSAGE // 5),
    }.items():
        yield f"message, beside the loop: {name}", lambda text=text: check_message(text)  # type: ignore[misc]
    marks = "\u0301\u0316" * 75_000
    fields = ("route_name", "primary_entity_id", "view_mode", "filter_summary", "user_selection_text", "page_origin")
    yield "context: 150,000 marks in a field", lambda: Context.parse({"filter_summary": marks})
    yield "context: 150,000 marks in each field", lambda: Context.parse(dict.fromkeys(fields, marks))
    yield "context: a megabyte selected", lambda: Context.parse({"user_selection_text": "\u0301\u0316" * 500_000})
    yield "prompt: blanks before a [ctx that is none", lambda: build_prompt(ID, "\n" * MAX_MESSAGE + "x", Context())
    yield (
        "prompt: reported with marks",
        lambda: same_text("\u0301\u0316" * (MAX_MESSAGE // 2), "\u0316\u0301" * (MAX_MESSAGE // 2)),
    )
    yield "prompt: an envelope with many values", lambda: parse_envelope(f"[PALIADIN:{ID}] [ctx" + ' a="\\' * 20_000)


def bodies() -> Iterator[Case]:
    size = MAX_BODY_BYTES
    for name, text in {
        "nested arrays": "[" * (size // 2) + "]" * (size // 2),
        "many arrays": "[" + "[]," * (size // 3 - 1) + "[]]",
        "many arrays in arrays": "[" + "[[[[[[]]]]]]," * (size // 13 - 1) + "[]]",
        "many objects": "[" + '{"a":{}},' * (size // 9 - 1) + "{}]",
        "many keys": "{" + ",".join(f'"{number}":0' for number in range(size // 11)) + "}",
        "many numbers": "[" + "1," * (size // 2 - 1) + "1]",
        "one long number": "1" * size,
        "many fractions": "[" + "1e9," * (size // 4 - 1) + "1]",
        "escapes": '"' + "\\u0301" * (size // 6) + '"',
    }.items():
        yield f"body: {name}", lambda text=text: parse_object(text.encode())  # type: ignore[misc]


def answers() -> Iterator[Case]:
    def filtered(text: str) -> Callable[[], object]:
        def read() -> None:
            answer = AnswerFilter()
            answer.feed(text)
            answer.finish()

        return read

    for name, part in {
        "brackets": "[",
        "brackets that may be chips": "[chip:nav:/" + "a" * 280,
        "dashes": "-",
        "dashes in words": "- " * 40 + "\n",
        "backticks": "`" * 79 + "\n",
        "blanks": " ",
        "lines": "\n",
        "marks of a trailer": "[paliadin-meta]\n",
        "marks with blanks": "[" + " " * 200 + "paliadin-meta]",
        "trailers": "[paliadin-meta]\nused_tools: a, b\n[/paliadin-meta]\n",
        "chips": "[#deadline-OPEN:c47bd2] ",
        "chips to paths": "[chip:nav:/%" + "25" * 140 + "41] ",
        "marks on a letter": "\u0301\u0316",
    }.items():
        yield f"answer: {name}", filtered((part * (ANSWER // len(part)))[:ANSWER])
    for name, text in {
        "keys": "used_tools:" * (ANSWER // 11),
        "blanks after keys": ("used_tools" + " " * 1000) * (ANSWER // 1010),
        "punctuation": "*" * ANSWER,
        "parentheses": "used_tools: " + "(" * ANSWER,
        "tools": "used_tools: " + ", ".join(f"t{number}" for number in range(ANSWER // 8)),
        "words before a colon": ("a" * 41 + "    ") * (ANSWER // 45),
    }.items():
        yield f"trailer: {name}", lambda text=text: parse_trailer(text)  # type: ignore[misc]
    destinations = Destinations(routes=["/{id}" * 20 + "/x"] * 20)
    yield "path: against templates of many ids", lambda: destinations.href_for(Chip("nav", "nav", value="/a" * 140))
    for name, text in {"words": "was wo wie what where ", "blanks": " ", "one word": "w"}.items():
        yield f"tag of a question: {name}", lambda text=text: fallback_tag("x" + text * (MAX_MESSAGE // len(text)), ())  # type: ignore[misc]


def turns() -> Iterator[Case]:
    """A step of a turn, or its end; each after steps that are not measured."""

    def after(steps: list[Any], step: Any) -> Callable[[], object]:
        destinations = Destinations({"deadline": "/deadlines/{id}", "a": "/a/{id}"})
        reducer = Reducer(Description.parse({"turn_id": ID, "user_message": "?"}), destinations)
        for each in [Accepted(0, "x"), *steps]:
            reducer.feed(each)
        return lambda: reducer.feed(step)

    def result(value: object, name: str = "mcp__x__y") -> Any:
        return ToolEnded(1, "t", name, "ok", value)

    yield "tool: a line of blanks and letters", after([], result("a " * (RECORD // 2)))
    yield "tool: empty lines", after([], result("\n" * RECORD))
    yield (
        "tool: an error that does not end",
        after([], result("<tool_use_error>" + "</tool_use_error> x" * (RECORD // 19))),
    )
    yield "tool: JSON of many arrays", after([], result("[" + "[]," * (RECORD // 3) + "[]]"))
    yield "tool: JSON of nested arrays", after([], result("[" * RECORD))
    yield "tool: many texts", after([], result([{"type": "text", "text": "a b " * 4_000}] * 60))
    yield "tool: its input", after([], ToolStarted(1, "t", "Bash", {"command": "a " * (RECORD // 2)}))
    results = [ToolEnded(1, f"t{number}", "x", "ok", f"{number} a-b:c " * 20_000) for number in range(20)]
    chips = "".join(f"[#deadline-OPEN:n{number}] " for number in range(2_000))
    yield "chips: 2,000 ids in 5 MB of results", after(results, Text(2, "m", chips, final=True))
    same = [ToolEnded(1, f"t{number}", "x", "ok", "a" * RECORD) for number in range(20)]
    chips = "".join(f"[#a-OPEN:{'a' * (1 + number % 80)}] " for number in range(2_000))
    yield "chips: 2,000 ids in 5 MB of one letter", after(same, Text(2, "m", chips, final=True))
    dotted = [ToolEnded(1, f"t{number}", "x", "ok", "-a.b.c" * (RECORD // 6)) for number in range(20)]
    chips = "".join(f"[#a-OPEN:{'.'.join('abc'[(number >> bit) % 3] for bit in range(9))}] " for number in range(2_000))
    yield "chips: 2,000 ids with dots in 5 MB", after(dotted, Text(2, "m", chips, final=True))
    paths = f"[chip:nav:/%{'25' * 140}41] " * 1_000
    yield "chips: 1,000 paths, encoded 140 times", after([], Text(2, "m", paths, final=True))
    tools = ", ".join(f"t{number}" for number in range(20_000))
    rows = ", ".join(map(str, range(20_000)))
    trailer = f"[paliadin-meta]\nused_tools: {tools}\nrows_seen: {rows}\nclassifier_tag: data\n[/paliadin-meta]"
    calls = [
        step
        for n in range(1_000)
        for step in (ToolStarted(1, f"t{n}", f"t{n}", {}), ToolEnded(1, f"t{n}", f"t{n}", "ok", "x"))
    ]
    yield "end: 20,000 tools are claimed, 1,000 ran", after([*calls, Text(2, "m", trailer, final=True)], Settled(3))


def searches() -> Iterator[Case]:
    yield "search, beside the loop: an excerpt of 5 MB", lambda: excerpt("\u00df" * 5_000_000, "ss" * 500 + "x")
    yield "search, beside the loop: an excerpt of many beginnings", lambda: excerpt("ab" * 2_500_000, "ab" * 499 + "aa")
    yield "filter: a long number of days", lambda: Filter.parse({"span": "9" * 16_000}, date(2026, 1, 1))


def milliseconds(work: Callable[[], object]) -> str:
    """What the work takes, in a process of its own, which is ended after LONGEST."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        signal.alarm(LONGEST)
        gc.disable()
        began = time.process_time()  # others use the machine too
        note = ""
        try:
            work()
        except (PaliadinError, ValueError) as error:  # too long, or no JSON
            note = f"  {type(error).__name__}"
        os.write(writer, f"{(time.process_time() - began) * 1000:,.1f}{note}".encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as told:
        text = told.read()
    os.waitpid(child, 0)
    return text or f"more than {LONGEST * 1000:,}"


def main(wanted: str = "") -> None:
    for source in (messages, bodies, answers, turns, searches):
        for name, work in source():
            if name.startswith(wanted):
                sys.stdout.write(f"{name:<60} {milliseconds(work):>20}\n")
                sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
