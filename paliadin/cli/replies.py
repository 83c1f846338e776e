"""A question back to the user, asked in the terminal: what it looks like, and what a typed line means. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from paliadin.cli.text import clean, one_line

Json = Mapping[str, Any]
Value = str | list[str]

LONGEST_INPUT = 4000  # characters of a tool's input that are shown
YES_AND_NO = {"y": "allow", "yes": "allow", "n": "deny", "no": "deny"}


class Unclear(Exception):
    """The line is no answer; the text says what would be one."""


def questions_of(interrupt: Json) -> Sequence[Json]:
    """What is asked, at least one: {"question", "header", "multi", "options": [{"id", "label", "description"}]}."""
    return interrupt.get("questions") or [{"question": interrupt["message"], **interrupt}]


def question_text(question: Json) -> str:
    return f"? {clean(str(question['question']))}"


def options_text(options: Sequence[Json]) -> str:
    lines = []
    for number, option in enumerate(options, 1):
        description = one_line(str(option.get("description") or ""))
        lines.append(f"  {number}) {one_line(str(option['label']))}{' - ' + description if description else ''}")
    return "\n".join(lines)


def permission_text(interrupt: Json) -> str:
    """The whole input of the tool: its summary alone may hide what matters."""
    given = interrupt.get("input")
    items = given.items() if isinstance(given, Mapping) else [("input", given)]
    text = "\n".join(f"{name}: {clean(str(value))}" for name, value in items)
    if len(text) > LONGEST_INPUT:
        text = f"{text[:LONGEST_INPUT]}\n… and {len(text) - LONGEST_INPUT} characters more: the page shows all"
    return "\n".join(f"    {line}" for line in text.splitlines())


def how_to_answer(question: Json, *, permission: bool) -> str:
    if permission:
        return "Number, y or n: "
    if not question.get("options"):
        return "Your answer (Enter alone: none): "
    which = "Numbers, such as 1,3" if question.get("multi") else "Number"
    return f"{which}, or your own words (Enter alone: none): "


def parse_permission(line: str, options: Sequence[Json]) -> str:
    """`allow` or `deny`."""
    word = line.strip().lower()
    ids = [str(option["id"]) for option in options]
    chosen = YES_AND_NO.get(word, word)
    if chosen in ids:
        return chosen
    if word.isdecimal() and 1 <= int(word) <= len(ids):
        return ids[int(word) - 1]
    raise Unclear("Type 1 or y to allow it, 2 or n to refuse.")


def parse_answer(line: str, question: Json) -> Value | None:
    """A label, one's own words, a list of them where several may be chosen; None for no answer."""
    text = line.strip()
    if not text:
        return None
    labels = [str(option["label"]) for option in question.get("options") or []]
    numbers = [int(word) for word in re.split(r"[,\s]+", text)] if re.fullmatch(r"\d+([,\s]+\d+)*", text) else []
    if not labels or not numbers:
        return [text] if question.get("multi") else text
    if not all(1 <= number <= len(labels) for number in numbers):
        raise Unclear(f"There are the numbers 1 to {len(labels)}.")
    chosen = [labels[number - 1] for number in dict.fromkeys(numbers)]
    if question.get("multi"):
        return chosen
    if len(chosen) > 1:
        raise Unclear("Only one can be chosen.")
    return chosen[0]
