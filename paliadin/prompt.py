"""What is typed into Claude: cleaned text, the page's context, the envelope around both.

    [PALIADIN:<turn_id>] [ctx route=<name> entity=<type>:<id> view=<mode> filter="…" selection="…"] <message>

A ctx value is quoted unless it is plain (letters, digits and `._:/-`); inside quotes a backslash escapes `"`, `\\`, `@`
(an `@` after a blank attaches a file) and writes a newline as `\\n`.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, fields

from paliadin.errors import EmptyMessage, InvalidField, MessageTooLong

MAX_MESSAGE = 100_000
MAX_RAW_MESSAGE = 4 * MAX_MESSAGE
MAX_VALUE = 300
MAX_SELECTION = 1_000

_NEWLINE = re.compile("\r\n?|[\u0085\u2028\u2029]")
_PLANE_ENDS = "".join(chr(plane << 16 | last) for plane in range(17) for last in (0xFFFE, 0xFFFF))
# U+200B, U+200F and U+FEFF: one version of the CLI drops them, so both get the text without. ZWJ and ZWNJ stay.
_REMOVED = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b\u200f\ufeff\ud800-\udfff\ufdd0-\ufdef" + _PLANE_ENDS + "]",
)

_UUID = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_PLAIN = re.compile(r"[\w.:/-]+")
_HEAD = re.compile(rf"\[PALIADIN:({_UUID})\] ?")
_CTX = re.compile(r'\[ctx((?: \w++=(?:"(?:\\.|[^"\\])*+"|[\w.:/-]++))*+)\] ?', re.DOTALL)
_CTX_LIKE = re.compile(r"\s*\[\s*ctx", re.IGNORECASE)
_ESCAPES = str.maketrans({"\\": r"\\", '"': r"\"", "@": r"\@", "\n": r"\n"})


def clean_text(text: str) -> str:
    """The text as both versions of the CLI take it: LF, no control characters, four blanks a tab, NFC, end trimmed."""
    text = _REMOVED.sub("", _NEWLINE.sub("\n", text)).replace("\t", "    ")
    return unicodedata.normalize("NFC", text).rstrip()


def check_message(value: object) -> str:
    """The cleaned message of a request. Raises InvalidField, EmptyMessage, MessageTooLong."""
    if not isinstance(value, str):
        raise InvalidField("user_message is not a string")
    if len(value) > MAX_RAW_MESSAGE:
        raise MessageTooLong(f"user_message is longer than {MAX_MESSAGE:,} characters")
    message = clean_text(value)
    if not message:
        raise EmptyMessage("user_message is empty")
    if len(message) > MAX_MESSAGE:
        raise MessageTooLong(f"user_message has {len(message):,} characters, more than {MAX_MESSAGE:,}")
    return message


def same_text(sent: str, reported: str) -> bool:
    """Is what UserPromptSubmit reports what was typed? Blanks at the end and the CLI's own changes do not count."""
    return clean_text(sent) == clean_text(reported)


@dataclass(frozen=True)
class Context:
    """Where in the host application the question was asked. Data that a page gave: never instructions."""

    route_name: str | None = None
    primary_entity_type: str | None = None
    primary_entity_id: str | None = None
    view_mode: str | None = None
    filter_summary: str | None = None
    user_selection_text: str | None = None
    page_origin: str | None = None
    selection_cut: bool = False

    @classmethod
    def parse(cls, value: object) -> Context:
        """From the request's `context`: an object or nothing; unknown keys are ignored.

        Raises InvalidField for a value that is no string or longer than 300 characters. A selection is cut at 1,000.
        """
        if value is None:
            return cls()
        if not isinstance(value, dict):
            raise InvalidField("context is not an object")
        texts = {field.name: _text(value, field.name) for field in fields(cls) if field.name != "selection_cut"}
        selection = texts.pop("user_selection_text") or ""
        for name, text in texts.items():
            if text and len(text) > MAX_VALUE:
                raise InvalidField(f"context.{name} is longer than {MAX_VALUE} characters")
        return cls(
            **texts,
            user_selection_text=selection[:MAX_SELECTION].rstrip() or None,
            selection_cut=len(selection) > MAX_SELECTION,
        )

    def as_json(self) -> dict[str, object]:
        """What is known, under the request's own names; `selection_cut` only where it is true."""
        return {field.name: value for field in fields(self) if (value := getattr(self, field.name))}


@dataclass(frozen=True)
class Envelope:
    """A prompt of ours, taken apart. `ctx` is what stands between `[ctx ` and its `]`, as written."""

    turn_id: str
    ctx: str | None
    message: str


def envelope(turn_id: str, message: str, context: Context) -> str:
    """What is typed for a turn; `message` comes from `check_message`."""
    block = _ctx_block(context)
    # Without a block of ours a message that begins like one would pass for it: an empty one goes first.
    if not block and _CTX_LIKE.match(message):
        block = "[ctx] "
    return f"[PALIADIN:{turn_id}] {block}{message}"


def parse_envelope(prompt: str) -> Envelope | None:
    """Our turn_id, ctx and message, if the prompt begins with an envelope; only the first one counts."""
    head = _HEAD.match(prompt)
    if head is None:
        return None
    ctx = _CTX.match(prompt, head.end())
    message = prompt[(ctx or head).end() :]
    return Envelope(head[1].lower(), ctx[1].removeprefix(" ") if ctx else None, message)


def _text(value: dict[object, object], name: str) -> str | None:
    text = value.get(name)
    if text is None:
        return None
    if not isinstance(text, str):
        raise InvalidField(f"context.{name} is not a string")
    return clean_text(text).strip() or None


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
    written = [f"{name}={_quoted(value)}" for name, value in values.items() if value]
    return f"[ctx {' '.join(written)}] " if written else ""


def _quoted(value: str) -> str:
    return value if _PLAIN.fullmatch(value) else f'"{value.translate(_ESCAPES)}"'
