"""Interrupts: permissions and questions that the model puts to the user in the middle of a turn. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from paliadin.base.errors import InvalidField
from paliadin.base.strict_json import JsonObject
from paliadin.events.model import Interrupt, as_json
from paliadin.events.tool_summaries import call_summary
from paliadin.steps.claude_code import PLAN_TOOL, QUESTION_TOOL
from paliadin.steps.model import DialogOpened, Interrupted

NO_REPLY = "The user gave no reply to this. Go on without it, or say what you would need to know."
"""The model's message when its question was dismissed."""

MAX_REASON = 10_000  # characters of the user's words to a "no"
ALLOW = {"id": "allow", "label": "Allow", "description": "Once, just this"}
DENY = {"id": "deny", "label": "Deny", "description": "Claude is told no, and goes on"}
BEGIN = {"id": "allow", "label": "Allow", "description": "Claude leaves plan mode, and begins"}
KEEP_PLANNING = {"id": "deny", "label": "Keep planning", "description": "Claude stays in plan mode"}
_RULE_TOOLS = {"Read": "Read", "Edit": "Edit", "Write": "Edit", "MultiEdit": "Edit"}  # file tool → tool of its rules
_COVERED = {"Bash": "command", "Edit": "changes", "Read": "reading"}  # tool of a rule → what the rule covers
_ASKED_THERE = {
    "permission": "it asks for a permission",
    "question": "it has a question",
    "login": "it asks for a login",
    "trust": "it asks whether to trust something",
}
_WILDCARDS = re.compile(r"[*?\[\]{}!()\\\n]")  # characters with a meaning of their own in a rule for a path


def describe(step: Interrupted) -> Interrupt:
    """Build the `interrupt` event."""
    questions = _questions(step)
    if questions:
        first = questions[0]
        return Interrupt(
            id=step.id,
            kind="question" if first.options else "text",
            message=first.question,
            options=[_option_json(option) for option in first.options],
            multi=first.multi,
            questions=[_question_json(question) for question in questions],
            tool=step.tool,
            input=step.input,
            cut=step.cut,
            agent=step.agent,
        )
    if is_plan(step):
        message = "Claude wants to leave plan mode, and to begin with its plan"
    else:
        message = f"Claude wants to use {step.tool}: {call_summary(step.input, both_ends=True)}"
    return Interrupt(
        id=step.id,
        kind="permission",
        message=message,
        options=[BEGIN, KEEP_PLANNING] if is_plan(step) else [ALLOW, *_session_option(step), DENY],
        multi=False,
        questions=[],
        tool=step.tool,
        input=step.input,
        cut=step.cut,
        folder=step.folder,
        exists=step.exists,
        leads_to=step.leads_to,
        session_covers=_session_covers(step),
        agent=step.agent,
    )


def describe_dialog(step: DialogOpened) -> Interrupt:
    """Build the `interrupt` event of a dialog that nobody can reply to from here."""
    return Interrupt(
        id=step.id,
        kind="dialog",
        message=f"Claude waits in its terminal: {_ASKED_THERE.get(step.asks, 'a dialog is open there')}",
        options=[],
        multi=False,
        questions=[],
        tool="",
        input={"screen": step.text, "asks": step.asks},
    )


@dataclass(frozen=True, slots=True)
class Reply:
    """A parsed reply of the user's. `texts`: the reply to each question; the other fields are about a permission."""

    allowed: bool
    for_session: bool = False  # also every later call of the same kind
    reason: str = ""  # the user's words to a "no"
    texts: Mapping[str, str] = field(default_factory=dict)


def is_question(step: Interrupted) -> bool:
    """True when the user is asked something, False for a permission."""
    return bool(_questions(step))


def is_plan(step: Interrupted) -> bool:
    """True when the user is asked whether Claude may begin with its plan."""
    return step.tool == PLAN_TOOL


def read_reply(step: Interrupted, value: object) -> Reply:
    """Read the user's reply; raises InvalidField when it does not fit the interrupt.

    `value` is the reply. To a permission: "allow", "allow_session", "deny" or {"deny": reason}. To a question: an
    option's label, free text, or a list of them (multi); to several questions, {question text: such a value}.
    """
    questions = _questions(step)
    if not questions:
        return _read_permission(step, value)
    replies = value if isinstance(value, Mapping) else {questions[0].question: value}
    return Reply(True, texts={item.question: _reply_text(item, replies.get(item.question)) for item in questions})


def _read_permission(step: Interrupted, value: object) -> Reply:
    if value in ("allow", "deny"):
        return Reply(value == "allow")
    if isinstance(value, Mapping) and isinstance(value.get("deny"), str):
        return Reply(False, reason=_check_reason(value["deny"].strip()))
    if value == "allow_session" and _rule_for(step):
        return Reply(True, for_session=True)
    if value == "allow_session":
        raise InvalidField('this call cannot be allowed for the whole session: reply "allow" or "deny"')
    raise InvalidField('value must be "allow", "allow_session", "deny" or {"deny": "why"} for a permission')


def _check_reason(reason: str) -> str:
    if len(reason) > MAX_REASON:
        raise InvalidField(f'the words to a "no" have {len(reason):,} characters, more than {MAX_REASON:,}')
    return reason


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


def _rule_for(step: Interrupted) -> dict[str, str] | None:
    """Return the rule for this very call; None for a call of which a part is missing."""
    return None if step.cut else session_rule(step.tool, step.input)


def _session_option(step: Interrupted) -> list[JsonObject]:
    rule = _rule_for(step)
    if rule is None:
        return []
    content = rule.get("ruleContent", step.tool)
    subject = content.removeprefix("/") if step.tool in _RULE_TOOLS else content
    return [{"id": "allow_session", "label": "Allow for this session", "description": f"Until Claude ends: {subject}"}]


def _session_covers(step: Interrupted) -> str | None:
    rule = _rule_for(step)
    return _COVERED.get(rule["toolName"], "tool") if rule else None


@dataclass(frozen=True, slots=True)
class _Option:
    id: str
    label: str
    description: str
    preview: str  # Markdown, or ""


@dataclass(frozen=True, slots=True)
class _Question:
    question: str
    header: str
    multi: bool
    options: tuple[_Option, ...]


def _reply_text(question: _Question, value: object) -> str:
    if isinstance(value, str) and value.strip():
        return value
    if question.multi and isinstance(value, list) and value and all(isinstance(item, str) for item in value):
        return ", ".join(value)  # Claude Code itself joins several labels in this way
    raise InvalidField(f"value has no reply to the question {question.question!r}")


def _questions(step: Interrupted) -> list[_Question]:
    items = _object(step.input).get("questions") if step.tool == QUESTION_TOOL else None
    return [_question(item) for item in items if isinstance(item, Mapping)] if isinstance(items, list) else []


def _question(item: JsonObject) -> _Question:
    options = item.get("options")
    return _Question(
        question=str(item.get("question", "")),
        header=str(item.get("header", "")),
        multi=bool(item.get("multiSelect")),
        options=tuple(
            _option(option) for option in (options if isinstance(options, list) else []) if isinstance(option, Mapping)
        ),
    )


def _option(option: JsonObject) -> _Option:
    label, preview = str(option.get("label", "")), option.get("preview")
    return _Option(label, label, str(option.get("description", "")), preview if isinstance(preview, str) else "")


def _option_json(option: _Option) -> JsonObject:
    """Return the option as clients get it: without a preview where it has none."""
    fields: JsonObject = as_json(option)
    return {name: value for name, value in fields.items() if name != "preview" or value}


def _question_json(question: _Question) -> JsonObject:
    return {**as_json(question), "options": [_option_json(option) for option in question.options]}


def _object(value: object) -> JsonObject:
    return value if isinstance(value, Mapping) else {}
