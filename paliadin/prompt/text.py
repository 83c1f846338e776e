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
# Default ignorable and format characters can hide an instruction from the reader, and a terminal has no place for them.
# Claude Code 2.1.330 removes most of them, too.
_INVISIBLE = (
    "\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u200e\u200f"
    "\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0d\ufeff\uffa0\ufff0-\ufffb\U000110bd\U000110cd\U00013430-\U0001345f"
    "\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e001f\U000e0080-\U000e0fff"
)
_REMOVED = re.compile(
    f"[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufdd0-\ufdef{_INVISIBLE}{_PLANE_ENDS}]"
    "|(?<![\U0001f3f4\U000e0020-\U000e007f])[\U000e0020-\U000e007f]+"  # tags: only a flag is made of them
)
_STRAY_SELECTORS = re.compile("(?<![0-9#*\u00a9\u00ae\u203c-\U0010ffff])[\ufe0e\ufe0f]+")  # text or emoji: of a sign
_STRAY_JOINERS = re.compile(  # they join emoji, and letters of scripts from Hebrew on
    "(?<![\u0590-\U0010ffff])[\u200c\u200d]+|(?<![\u200c\u200d])[\u200c\u200d]+(?![\u0590-\U0010ffff])"
)
_JOINERS = re.compile("[\u200c\u200d\ufe0e\ufe0f\U000e0020-\U000e007f]")  # 2.1.330 keeps some, 2.1.197 all

_UUID = r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}"
_PLAIN = re.compile(r"[\w.:/-]+")
_HEAD = re.compile(rf"\[PALIADIN:({_UUID})\] ?")
_CTX = re.compile(r'\[ctx((?: \w++=(?:"(?:\\.|[^"\\])*+"|[\w.:/-]++))*+)\] ?', re.DOTALL)
_CTX_LIKE = re.compile(r"\s*\[\s*ctx", re.IGNORECASE)
_ESCAPES = str.maketrans({"\\": r"\\", '"': r"\"", "@": r"\@", "\n": r"\n"})


def clean_text(text: str) -> str:
    """The text as both versions of the CLI take it: LF, no control characters, four blanks a tab, NFC, end trimmed."""
    text = _REMOVED.sub("", unicodedata.normalize("NFC", _NEWLINE.sub("\n", text))).replace("\t", "    ")
    text = _STRAY_JOINERS.sub("", _STRAY_SELECTORS.sub("", text))
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
    """Is what UserPromptSubmit reports what was typed? Joiners and blanks at the end don't count."""
    return _JOINERS.sub("", clean_text(sent)) == _JOINERS.sub("", clean_text(reported))


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
