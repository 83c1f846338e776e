r"""The prompt that is typed into Claude Code: the user's message in an envelope with the turn's id and page context.

    [PALIADIN:<turn_id>] [ctx route=<name> entity=<type>:<id> view=<mode> filter="…" selection="…"] <message>

A ctx value is quoted unless it is plain (letters, digits and `._:/-`). Inside quotes a backslash escapes `"`, `\` and
`@` (Claude Code attaches a file for an `@` after a space), and a newline is written as `\n`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from paliadin.prompt.context import Context

_UUID = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_PLAIN = re.compile(r"[\w.:/-]+")
_HEAD = re.compile(rf"\[PALIADIN:({_UUID})\] ?")
_CTX = re.compile(r'\[ctx((?: \w++=(?:"(?:\\.|[^"\\])*+"|[\w.:/-]++))*+)\] ?', re.DOTALL)
_CTX_LIKE = re.compile(r"\s*\[\s*ctx", re.IGNORECASE)
_ESCAPES = str.maketrans({"\\": r"\\", '"': r"\"", "@": r"\@", "\n": r"\n"})


@dataclass(frozen=True)
class Envelope:
    """The parts of a prompt. `ctx` is the text between `[ctx ` and its `]`, as written; None without such a block."""

    turn_id: str
    ctx: str | None
    message: str


def build_prompt(turn_id: str, message: str, context: Context) -> str:
    """Build the prompt of a turn. `message` must have passed `check_message`."""
    block = _ctx_block(context)
    # Without our own ctx block, a message that begins with `[ctx` would be parsed as one, so an empty block goes before
    # it.
    if not block and _CTX_LIKE.match(message):
        block = "[ctx] "
    return f"[PALIADIN:{turn_id}] {block}{message}"


def parse_envelope(prompt: str) -> Envelope | None:
    """Take a prompt apart; None when it does not begin with an envelope. A second envelope is part of the message."""
    head = _HEAD.match(prompt)
    if head is None:
        return None
    ctx = _CTX.match(prompt, head.end())
    message = prompt[(ctx or head).end() :]
    return Envelope(head[1].lower(), ctx[1].removeprefix(" ") if ctx else None, message)


def _ctx_block(context: Context) -> str:
    entity = context.primary_entity_type or ""
    if context.primary_entity_id:
        entity += f":{context.primary_entity_id}"
    values = {
        "route": context.route_name,
        "entity": entity,
        "view": context.view_mode,
        "filter": context.filter_summary,
        "selection": context.user_selection_text,
    }
    pairs = [f"{name}={_quoted(value)}" for name, value in values.items() if value]
    return f"[ctx {' '.join(pairs)}] " if pairs else ""


def _quoted(value: str) -> str:
    return value if _PLAIN.fullmatch(value) else f'"{value.translate(_ESCAPES)}"'
