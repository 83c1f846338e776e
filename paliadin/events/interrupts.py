"""Questions back to the user in mid-turn: what is asked, and what an answer means to Claude Code. Pure.

Both come through the PermissionRequest hook: a permission, and AskUserQuestion. The decision is what the waiting hook
prints; `permission_suggestions` are never echoed, they may hold a switch of the permission mode.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import cast

from paliadin.errors import InvalidField
from paliadin.tools import ASKING, call_summary

Json = Mapping[str, object]
Decision = dict[str, object]

NO_ANSWER = "The user gave no answer to this. Go on without it, or say what you would need to know."
DENIED = "The user said no to this."
ALLOW = {"id": "allow", "label": "Allow", "description": "Once, just this"}
DENY = {"id": "deny", "label": "Deny", "description": "Claude is told no, and goes on"}
_FILES = {"Read": "Read", "Edit": "Edit", "Write": "Edit", "MultiEdit": "Edit"}  # the tool that a rule names
_PATTERN = re.compile(r"[*?\[\]{}!()\\\n]")  # a rule reads these as more than themselves


def describe(interrupt_id: str, hook: Json) -> dict[str, object]:
    """The data of an `interrupt` event."""
    tool, tool_input = str(hook.get("tool_name", "")), hook.get("tool_input")
    questions = _questions(hook)
    if questions:
        first = questions[0]
        return {
            "id": interrupt_id,
            "kind": "question" if first["options"] else "text",
            "message": first["question"],
            "options": first["options"],
            "multi": first["multi"],
            "questions": questions,
            "tool": tool,
            "input": tool_input,
        }
    return {
        "id": interrupt_id,
        "kind": "permission",
        "message": f"Claude wants to use {tool}: {call_summary(tool_input)}",
        "options": [ALLOW, *_for_the_session(tool, tool_input), DENY],
        "multi": False,
        "questions": [],
        "tool": tool,
        "input": tool_input,
    }


def decide(hook: Json, value: object, *, cancel: bool = False) -> Decision:
    """The hook's decision for the user's answer; InvalidField when the answer does not fit the question.

    `value` is "allow", "allow_session", "deny" or {"deny": reason} for a permission; for a question a label, free text,
    a list of them (multi), or one of
    these per question text.
    """
    questions = _questions(hook)
    if cancel:
        return {"behavior": "deny", "message": NO_ANSWER if questions else DENIED}
    if not questions:
        return _permission(hook, value)
    given = value if isinstance(value, Mapping) else {questions[0]["question"]: value}
    answers = {str(item["question"]): _answer(item, given.get(item["question"])) for item in questions}
    return {"behavior": "allow", "updatedInput": {**cast("Json", hook.get("tool_input")), "answers": answers}}


def _permission(hook: Json, value: object) -> Decision:
    rule = session_rule(str(hook.get("tool_name", "")), hook.get("tool_input"))
    if value == "allow":
        return {"behavior": "allow"}
    if value == "allow_session" and rule:
        added = {"type": "addRules", "rules": [rule], "behavior": "allow", "destination": "session"}
        return {"behavior": "allow", "updatedPermissions": [added]}
    if value == "deny":
        return {"behavior": "deny", "message": DENIED}
    if isinstance(value, Mapping) and isinstance(value.get("deny"), str):
        return {"behavior": "deny", "message": f"{DENIED} Their words: {value['deny'].strip()[:1000]}"}
    raise InvalidField('value must be "allow", "allow_session", "deny" or {"deny": "why"} for a permission')


def session_rule(tool: str, tool_input: object) -> dict[str, str] | None:
    """The narrowest rule that allows this again until Claude ends; None where no rule says just this.

    A command: that very one. A file: that one. A tool of an MCP server: the tool.
    """
    if tool.startswith("mcp__"):
        return {"toolName": tool}
    given = tool_input if isinstance(tool_input, Mapping) else {}
    if tool == "Bash":
        command = given.get("command")
        plain = isinstance(command, str) and not re.search(r"[*\n]", command)
        return {"toolName": tool, "ruleContent": str(command)} if plain else None
    path = given.get("file_path")
    if tool not in _FILES or not isinstance(path, str) or not path.startswith("/") or _PATTERN.search(path):
        return None
    return {"toolName": _FILES[tool], "ruleContent": f"/{path}"}


def _for_the_session(tool: str, tool_input: object) -> list[dict[str, str]]:
    rule = session_rule(tool, tool_input)
    if rule is None:
        return []
    what = rule.get("ruleContent", "").removeprefix("/") if tool in _FILES else rule.get("ruleContent", tool)
    return [{"id": "allow_session", "label": "Allow for this session", "description": f"Until Claude ends: {what}"}]


def _answer(question: Json, value: object) -> str:
    if isinstance(value, str) and value.strip():
        return value
    if question["multi"] and isinstance(value, list) and value and all(isinstance(item, str) for item in value):
        return ", ".join(value)  # how Claude Code itself joins several labels
    raise InvalidField(f"value has no answer to the question {question['question']!r}")


def _questions(hook: Json) -> list[dict[str, object]]:
    tool_input = hook.get("tool_input")
    if hook.get("tool_name") != ASKING or not isinstance(tool_input, Mapping):
        return []
    asked = tool_input.get("questions")
    return [_question(item) for item in asked if isinstance(item, Mapping)] if isinstance(asked, list) else []


def _question(item: Json) -> dict[str, object]:
    options = item.get("options")
    return {
        "question": str(item.get("question", "")),
        "header": str(item.get("header", "")),
        "multi": bool(item.get("multiSelect")),
        "options": [
            {
                "id": str(option.get("label", "")),
                "label": str(option.get("label", "")),
                "description": str(option.get("description", "")),
            }
            for option in (options if isinstance(options, list) else [])
            if isinstance(option, Mapping)
        ],
    }
