"""Interrupts: permissions and questions that Claude puts to the user in the middle of a turn. Pure.

Both arrive as a PermissionRequest hook; a question's tool is AskUserQuestion. The user gives a reply, and the waiting
hook prints the decision that follows from it. The hook's `permission_suggestions` are never sent back, since they may
change the permission mode.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import cast

from paliadin.base.errors import InvalidField
from paliadin.events.tool_summaries import QUESTION_TOOL, call_summary

Json = Mapping[str, object]
Decision = dict[str, object]
"""The `decision` that a PermissionRequest hook prints: {"behavior": "allow" or "deny", …}."""

# Texts for Claude: the reason of a "deny".
NO_REPLY = "The user gave no reply to this. Go on without it, or say what you would need to know."
DENIED = "The user said no to this."
ALLOW = {"id": "allow", "label": "Allow", "description": "Once, just this"}
DENY = {"id": "deny", "label": "Deny", "description": "Claude is told no, and goes on"}
_RULE_TOOLS = {"Read": "Read", "Edit": "Edit", "Write": "Edit", "MultiEdit": "Edit"}  # file tool → tool of its rules
_WILDCARDS = re.compile(r"[*?\[\]{}!()\\\n]")  # characters with a meaning of their own in a rule for a path


def describe(interrupt_id: str, hook: Json) -> dict[str, object]:
    """Build the data of an `interrupt` event from the payload of a PermissionRequest hook."""
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
        "options": [ALLOW, *_session_option(tool, tool_input), DENY],
        "multi": False,
        "questions": [],
        "tool": tool,
        "input": tool_input,
    }


def decide(hook: Json, value: object, *, cancel: bool = False) -> Decision:
    """Translate the user's reply into the hook's decision; raises InvalidField when it does not fit the question.

    `value` is the reply. To a permission: "allow", "allow_session", "deny" or {"deny": reason}. To a question: an
    option's label, free text, or a list of them (multi); to several questions, {question text: such a value}.
    `cancel`: dismissed without a reply; a permission then counts as denied.
    """
    questions = _questions(hook)
    if cancel:
        return {"behavior": "deny", "message": NO_REPLY if questions else DENIED}
    if not questions:
        return _decide_permission(hook, value)
    replies = value if isinstance(value, Mapping) else {questions[0]["question"]: value}
    texts = {str(item["question"]): _reply_text(item, replies.get(item["question"])) for item in questions}
    return {"behavior": "allow", "updatedInput": {**cast("Json", hook.get("tool_input")), "answers": texts}}


def _decide_permission(hook: Json, value: object) -> Decision:
    rule = session_rule(str(hook.get("tool_name", "")), hook.get("tool_input"))
    if value == "allow":
        return {"behavior": "allow"}
    if value == "allow_session" and rule:
        update = {"type": "addRules", "rules": [rule], "behavior": "allow", "destination": "session"}
        return {"behavior": "allow", "updatedPermissions": [update]}
    if value == "deny":
        return {"behavior": "deny", "message": DENIED}
    if isinstance(value, Mapping) and isinstance(value.get("deny"), str):
        return {"behavior": "deny", "message": f"{DENIED} Their words: {value['deny'].strip()[:1000]}"}
    if value == "allow_session":
        raise InvalidField('this call cannot be allowed for the whole session: reply "allow" or "deny"')
    raise InvalidField('value must be "allow", "allow_session", "deny" or {"deny": "why"} for a permission')


def session_rule(tool: str, tool_input: object) -> dict[str, str] | None:
    """Build the permission rule that allows a call again until Claude Code ends; None when no rule is narrow enough.

    It allows exactly the same command, any use of the same file, or the same tool of an MCP server.
    """
    if tool.startswith("mcp__"):
        return {"toolName": tool}
    arguments = tool_input if isinstance(tool_input, Mapping) else {}
    if tool == "Bash":
        command = arguments.get("command")
        plain = isinstance(command, str) and not re.search(r"[*\n]", command)
        return {"toolName": tool, "ruleContent": str(command)} if plain else None
    path = arguments.get("file_path")
    if tool not in _RULE_TOOLS or not isinstance(path, str) or not path.startswith("/") or _WILDCARDS.search(path):
        return None
    return {"toolName": _RULE_TOOLS[tool], "ruleContent": f"/{path}"}  # a second slash: an absolute path


def _session_option(tool: str, tool_input: object) -> list[dict[str, str]]:
    rule = session_rule(tool, tool_input)
    if rule is None:
        return []
    subject = rule.get("ruleContent", "").removeprefix("/") if tool in _RULE_TOOLS else rule.get("ruleContent", tool)
    return [{"id": "allow_session", "label": "Allow for this session", "description": f"Until Claude ends: {subject}"}]


def _reply_text(question: Json, value: object) -> str:
    if isinstance(value, str) and value.strip():
        return value
    if question["multi"] and isinstance(value, list) and value and all(isinstance(item, str) for item in value):
        return ", ".join(value)  # Claude Code itself joins several labels in this way
    raise InvalidField(f"value has no reply to the question {question['question']!r}")


def _questions(hook: Json) -> list[dict[str, object]]:
    tool_input = hook.get("tool_input")
    if hook.get("tool_name") != QUESTION_TOOL or not isinstance(tool_input, Mapping):
        return []
    items = tool_input.get("questions")
    return [_question(item) for item in items if isinstance(item, Mapping)] if isinstance(items, list) else []


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
