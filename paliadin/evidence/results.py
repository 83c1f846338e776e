"""What a tool's call returned, as text to search and as tables to count in; and what it only echoes. Pure."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from itertools import islice
from typing import Literal

from paliadin.base.checked_numbers import count_of
from paliadin.evidence.commands import only_reads_files
from paliadin.evidence.layout import LONG, Layout
from paliadin.evidence.model import Source
from paliadin.evidence.notation import find_number_words, find_numbers, read_unit
from paliadin.evidence.quoting import normalise_source, words_of
from paliadin.evidence.tables import (
    Table,
    count_rows,
    count_text_rows,
    decode,
    tables_of_json,
    tables_of_text,
)
from paliadin.evidence.units import find_lengths, in_base_unit
from paliadin.evidence.vocabulary import PATTERNS

Outcome = Literal["ok", "failed", "refused", "invalid"]

CONTEXT = "context"  # the id of what the page sent, as if a call had returned it
CUT_MARK = "[cut by Paliadin: "  # skill/hooks/log_event.py puts it where a long string was cut
_SERVER_PREFIX = re.compile(r"mcp__.+?__(?=.)")
_ERROR = re.compile(r"\s*<tool_use_error>(.*?)(?:</tool_use_error>\s*)?", re.DOTALL)  # a long one lacks its end

PICTURE_KEY = "paliadin_picture"  # skill/hooks/pictures.py puts a file's name there, in place of a picture's bytes
MAX_PICTURES = 60  # of one result
_PICTURE_NAME = re.compile("[0-9a-f]{32}")
_PICTURE_PLACE = re.compile(r"\[Image: source: [^\n]{1,4096}\]\s*")

SUBAGENTS = frozenset({"task", "agent"})
NO_DATA = frozenset(
    {"askuserquestion", "skill", "todowrite", "exitplanmode", "enterplanmode", "toolsearch", "slashcommand"}
)
"""Tools that return no data: questions, skills, lists of what is to do. By `plain_name`, in small letters."""

_ECHOED: Mapping[str, frozenset[str]] = {  # tool → the fields of its result that repeat its input
    "write": frozenset({"filePath", "content", "structuredPatch"}),
    "edit": frozenset({"filePath", "oldString", "newString", "structuredPatch", "edits"}),
    "multiedit": frozenset({"filePath", "oldString", "newString", "structuredPatch", "edits"}),
    "notebookedit": frozenset({"new_source", "notebook_path", "cell_id"}),
    "todowrite": frozenset({"oldTodos", "newTodos"}),
    "websearch": frozenset({"query"}),
    "webfetch": frozenset({"url"}),
    "task": frozenset({"prompt", "description"}),
    "agent": frozenset({"prompt", "description"}),
}
WRITES_FILES = frozenset({"write", "edit", "multiedit", "notebookedit"})
_WRITERS = WRITES_FILES | {"bash"}
MAX_LAID_OUT = 60_000  # characters of JSON; a longer one is shown as it is
MAX_DECODED = 3  # levels of objects in whose texts JSON is looked for
MAX_OF_QUANTITIES = 200_000  # characters of a result in which numbers are read with their units
_UNSEEN_TYPES = frozenset({"image", "pdf", "document", "audio", "base64", "parts"})


def plain_name(tool: str) -> str:
    """The name of a tool without its MCP server (`mcp__server__tool`), in small letters."""
    return _SERVER_PREFIX.sub("", tool, count=1).casefold()


@dataclass(frozen=True)
class Call:
    """A call of a tool: `input` and `result` are JSON values. `cut`: a part of the result is missing.

    `turn_id` is the earlier turn of the conversation that made it; None for the turn that is checked.
    """

    id: str
    name: str
    input: object
    result: object
    outcome: Outcome
    cut: bool = False
    turn_id: str | None = None

    @property
    def source(self) -> Source:
        """The source that the whole result is."""
        return Source("context") if self.id == CONTEXT else Source("call", self.id, self.turn_id)

    @property
    def is_echo_free(self) -> bool:
        """True if nothing of the input comes back in the result unless it was there before: a search in files."""
        return plain_name(self.name) in {"grep", "glob", "ls"}

    @property
    def may_write(self) -> bool:
        """True if what the input says may be read back later."""
        name = plain_name(self.name)
        if name == "bash" and isinstance(self.input, Mapping):
            return not only_reads_files(str(self.input.get("command", "")))
        return name in _WRITERS or (self.name.startswith("mcp__") and not PATTERNS["reading_name"].search(name))

    @cached_property
    def input_text(self) -> str:
        """All values of the input, one in a line."""
        value = self.input
        if isinstance(value, Mapping) and plain_name(self.name) in {"edit", "multiedit"}:
            value = {key: item for key, item in value.items() if key != "old_string"}  # it was in the file
        return "\n".join(texts_of(value, keys=True))

    @cached_property
    def layout(self) -> Layout:
        """The result as it is shown and as it is searched."""
        layout = Layout()
        echoed = _ECHOED.get(plain_name(self.name), frozenset())
        if self._file is not None:
            layout.add_text(str(self._file["content"]), is_searched=False)
        _lay_out(layout, self.result, echoed, is_shown=self._file is None)
        return layout

    @cached_property
    def text(self) -> str:
        """The text of the result, as it is shown beside the call: JSON laid out; of a file that was read, its lines."""
        return "\n".join(self.layout.shown)

    @property
    def first_line(self) -> int:
        """The number of the first line of `text`: that of the file, where only a part of it was read."""
        begin = self._file.get("startLine") if self._file is not None else 1
        return begin if isinstance(begin, int) and begin > 0 else 1

    @property
    def _file(self) -> Mapping[str, object] | None:
        """What Read returned of a text file."""
        if self.name != "Read" or not isinstance(self.result, Mapping):
            return None  # another tool's result may have more beside such a field
        file = self.result.get("file")
        return file if isinstance(file, Mapping) and isinstance(file.get("content"), str) else None

    @cached_property
    def searched(self) -> str:
        """The text of the result that is searched: JSON is decoded, what repeats the input is left out."""
        return "\n".join(self.layout.searched)

    @cached_property
    def folded(self) -> str:
        """The searched text in small letters."""
        return self.searched.casefold()

    @cached_property
    def normalised(self) -> str:
        """The searched text in the form in which quotations are compared."""
        return normalise_source(self.searched)

    @cached_property
    def words(self) -> str:
        """The words of the searched text, as `words_of` has them."""
        return words_of(self.folded)

    @cached_property
    def quantities(self) -> Mapping[str, Sequence[tuple[Decimal, tuple[int, int]]]]:
        """The numbers at the beginning of what is searched, by the base unit of their kind, each with its place.

        The smallest stands first; a number without a unit is of the kind "".
        """
        text = self.searched[:MAX_OF_QUANTITIES]
        found: dict[str, list[tuple[Decimal, tuple[int, int]]]] = {}
        for number in (*find_numbers(text), *find_number_words(text)):
            unit = read_unit(text, number.start, number.end)
            kind, size = in_base_unit(unit.factor, unit.unit) or (unit.unit or "", unit.factor)
            place = (unit.start, unit.end)
            for value in number.values:
                found.setdefault(kind, []).append((abs(value) * size, place))
        for match, seconds in find_lengths(text):
            found.setdefault("s", []).append((seconds, match.span()))
        return {kind: sorted(each) for kind, each in found.items()}

    def quantity_near(self, kind: str, value: Decimal, reach: Decimal) -> tuple[int, int] | None:
        """The place of the quantity of a kind that is at least `value - reach` and at most `value + reach`."""
        known = self.quantities.get(kind, ())
        at = bisect_left(known, (value - reach, (0, 0)))
        return known[at][1] if at < len(known) and known[at][0] <= value + reach else None

    @cached_property
    def is_incomplete(self) -> bool:
        """True if a part of the result is missing, or is no text: a picture, a document."""
        return self.cut or CUT_MARK in self.text or _has_unseen(self.result)

    @cached_property
    def tables(self) -> tuple[Table, ...]:
        """The tables in the result, and its lists."""
        return tuple(_tables(self.result))

    @cached_property
    def rows(self) -> int | None:
        """The rows, lines or hits that the call returned; None for a tool that returns no list."""
        return count_of(tool_rows(self.name, self.result)) if self.outcome == "ok" else None


def result_text(response: object) -> str:
    """Flatten a tool's whole result to text.

    Claude Code puts an error of its own into tags for the model; a person gets the text between them. The bytes of a
    picture or a document are left out: they are no text, and could hold any id by chance.
    """
    if isinstance(response, str):
        error = _ERROR.fullmatch(response)
        return error[1] if error else response
    if isinstance(response, Mapping):
        return "\n".join(result_text(response[key]) for key in _text_keys(response))
    if isinstance(response, list):
        return "\n".join(result_text(item) for item in response)
    return "" if response is None or isinstance(response, bool) else str(response)


def _text_keys(response: Mapping[str, object]) -> Iterator[str]:
    bytes_at = "data" if response.get("type") == "base64" else "base64"
    return (key for key in response if key not in {bytes_at, PICTURE_KEY})


def _lay_out(
    layout: Layout, value: object, echoed: Container[str] = (), depth: int = 0, *, is_shown: bool, label: str = ""
) -> None:
    """Add a result, with the keys of objects in what is searched: they may be ids. `echoed`: keys that only repeat."""
    if isinstance(value, Mapping) and _is_text_block(value):
        _lay_text_out(layout, str(value["text"]), depth, "", is_shown=is_shown)
    elif isinstance(value, Mapping):
        for key in _text_keys(value):
            is_echo = key in echoed
            inner = Layout() if is_echo else layout
            _lay_out(inner, value[key], (), depth + 1, is_shown=is_shown, label=key)
            if is_echo and is_shown:
                layout.add_text("\n".join(inner.shown), is_searched=False)
    elif isinstance(value, list):
        for item in value:
            _lay_out(layout, item, (), depth + 1, is_shown=is_shown)
    elif value is not None and not isinstance(value, bool):
        _lay_text_out(layout, str(value), depth, label, is_shown=is_shown)


def _lay_text_out(layout: Layout, text: str, depth: int, label: str, *, is_shown: bool) -> None:
    error = _ERROR.fullmatch(text)
    text = error[1] if error else text
    is_short = len(text) <= MAX_LAID_OUT
    decoded = decode(text) if depth < MAX_DECODED and (is_short or "\\" in text) else None
    if label and ("\n" in text or len(text) >= LONG or decoded is not None):
        layout.add_text(f'"{label}"', is_shown=False)
    elif label:
        layout.add_labelled(label, text, is_shown=is_shown)
        return
    if decoded is None:
        layout.add_text(text, is_shown=is_shown, line=None if is_shown else 0)
    elif is_short and is_shown:
        layout.add_json(decoded)
    else:
        inner = Layout()
        inner.add_json(decoded)
        layout.add_text("\n".join(inner.searched), is_shown=False)
        layout.add_text(text, is_searched=False)


def texts_of(value: object, *, keys: bool = False) -> Iterator[str]:
    """Yield the texts and numbers in a JSON value; `keys`: those of objects, too."""
    if isinstance(value, Mapping):
        for key, item in value.items():
            if keys:
                yield str(key)
            yield from texts_of(item, keys=keys)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from texts_of(item, keys=keys)
    elif value is not None and not isinstance(value, bool):
        yield str(value)


def pictures_of(result: object) -> list[str]:
    """The pictures in a result: for each one the name of its file in the turn's folder, "" if it is not kept."""
    return list(islice(_pictures(result), MAX_PICTURES))


def _pictures(value: object, depth: int = 0) -> Iterator[str]:
    if depth > 8:
        return
    if isinstance(value, list):
        for item in value:
            yield from _pictures(item, depth + 1)
    elif isinstance(value, Mapping):
        name = value.get(PICTURE_KEY)
        inner = (
            [] if isinstance(name, str) else [each for item in value.values() for each in _pictures(item, depth + 1)]
        )
        if isinstance(name, str):
            yield name if _PICTURE_NAME.fullmatch(name) else ""
        elif inner:
            yield from inner
        elif value.get("isImage") is True or (value.get("type") == "image" and len(value) > 1):
            yield ""  # its bytes were cut, or are of a kind that is not shown


def _has_unseen(value: object) -> bool:
    """True if a result has bytes of a picture or a document."""
    if isinstance(value, Mapping):
        if value.get("type") in _UNSEEN_TYPES and (len(value) > 1):
            return True
        return value.get("isImage") is True or any(map(_has_unseen, value.values()))
    return isinstance(value, list) and any(map(_has_unseen, value))


def _tables(value: object) -> Iterator[Table]:
    texts: list[str] = []
    if isinstance(value, str):
        texts = [value]
    elif isinstance(value, list) and value and all(_is_text_block(item) for item in value):
        texts = [str(item["text"]) for item in value]
        if len(texts) > 1:
            yield Table((), tuple((text,) for text in texts))
    elif isinstance(value, Mapping):
        yield from tables_of_json(value)
        texts = [text for text in _long_texts(value) if "\n" in text or text.lstrip()[:1] in {"[", "{"}]
    else:
        yield from tables_of_json(value)
    for text in texts:
        decoded = decode(_json_part(text))
        yield from tables_of_text(text) if decoded is None else tables_of_json(decoded)


def _is_text_block(item: object) -> bool:
    return isinstance(item, Mapping) and item.get("type") == "text" and isinstance(item.get("text"), str)


def _long_texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _long_texts(item)
    elif isinstance(value, list):
        for item in value:
            yield from _long_texts(item)


def _json_part(text: str) -> str:
    """A text without the sentence before its JSON: `Found 3 deadlines:`."""
    first = re.search(r"^[\[{]", text, re.MULTILINE)
    return text[first.start() :] if first and first.start() < 500 else text


def tool_rows(name: str, response: object) -> int | None:
    """Count the rows, lines or hits of a result that is a list or holds their number; None for any other.

    The field names are those of Claude Code's own tools: Read (file.content), Grep (numLines, numMatches), Glob and
    Grep (numFiles, filenames), Bash (stdout), WebSearch (results[].content). An MCP server's tool returns text blocks.
    """
    plain = plain_name(name)
    if plain in NO_DATA | SUBAGENTS or plain in {"write", "edit", "multiedit", "notebookedit", "webfetch"}:
        return None
    if isinstance(response, str):
        return count_text_rows(_json_part(response))
    if isinstance(response, list):
        return _rows_of_blocks(response)
    if not isinstance(response, Mapping) or response.get("type") == "image" or response.get("isImage") is True:
        return None  # a picture has no rows
    file = response.get("file")
    if isinstance(file, Mapping) and isinstance(file.get("content"), str):
        return len(str(file["content"]).splitlines())
    if isinstance(response.get("stdout"), str):
        return count_text_rows(str(response["stdout"]))
    if plain == "websearch" and isinstance(results := response.get("results"), list):
        return sum(
            len(each["content"]) for each in results if isinstance(each, Mapping) and _is_list(each.get("content"))
        )
    if plain in {"grep", "glob"}:
        counts = [response.get(key) for key in ("numMatches", "numLines", "numFiles")]
        whole = [count for count in counts if isinstance(count, int) and count and not isinstance(count, bool)]
        return whole[0] if whole else count_rows(response) or 0
    if _is_list(response.get("content")):
        return _rows_of_blocks(_as_list(response["content"]))
    return count_rows(response)


def _is_list(value: object) -> bool:
    return isinstance(value, list)


def _as_list(value: object) -> Sequence[object]:
    return value if isinstance(value, list) else []


def _rows_of_blocks(blocks: Sequence[object]) -> int | None:
    others = [block for block in blocks if not (isinstance(block, Mapping) and block.get("type") == "image")]
    if len(others) < len(blocks):  # 2.1.330 puts a text behind each picture: where it has kept that
        others = [block for block in others if not (_is_text_block(block) and _PICTURE_PLACE.fullmatch(block["text"]))]  # type: ignore[index]
    if len(others) == 1 and _is_text_block(others[0]):
        return count_text_rows(_json_part(str(others[0]["text"])))  # type: ignore[index]  # a text block is a mapping
    return len(others) if others or not blocks else None
