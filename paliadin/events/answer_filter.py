"""An answer on its way to the user: text without the trailer and the chips, however the stream cuts it.

Two steps. `_Scanner` cuts the stream into tokens and keeps back only what the next character may still change: part of
a `[…]` marker, or a word of Markdown punctuation. `AnswerFilter` holds blank space, rules and an opening fence until
it is known whether a trailer follows them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from typing import Literal, NamedTuple

from paliadin.chips import MAX_MARKER, Chip, may_be_chip, parse_chip
from paliadin.trailer import Trailer, is_cut_off_mark, may_be_meta_mark, meta_mark, parse_trailer

Kind = Literal["text", "space", "lead", "chip", "open", "close", "cut"]

_SPACE = re.compile(r"\s+")
_BRACKET = re.compile(rf"\[[^\[\]\r\n]{{0,{MAX_MARKER - 2}}}\]?")
_MAX_RUN = 80
_RUN = re.compile(r"[-*_#>+`~\\]+")
_LEAD = re.compile(rf"(?:(?:`{{3,{_MAX_RUN}}}|~{{3,{_MAX_RUN}}})[\w.+-]{{0,40}}|[-*_#>+`~\\]{{1,{_MAX_RUN}}})(?=\s|\Z)")
_FENCE = re.compile(r"(`{3,}|~{3,})[\w.+-]*")
# Words with one blank between them pass in one piece; a word that begins like a run is looked at by itself.
_TEXT = re.compile(r"[^\s\[]+(?: [^\s\[\-*_#>+`~\\][^\s\[]*+)*+")
_CLOSES_UP = frozenset(".,;:!?\u2026)]}\u00bb\u201d\u2019")


class _Token(NamedTuple):
    kind: Kind
    text: str


class _Scanner:
    """Tokens whose joined texts are the input; only `text` and `space` tokens may be cut differently by other feeds.

    `lead`: at a line's start, a word of nothing but Markdown punctuation, or a fence with its language.
    `open`, `close`: a mark of the trailer with the punctuation that clings to it (`**[paliadin-meta]`).
    `cut`: such a mark, cut off by the end of the answer.
    """

    def __init__(self) -> None:
        self._rest = ""
        self._at: Literal["line", "word", "inside"] = "line"
        self._ended = False

    def feed(self, text: str) -> Iterator[_Token]:
        buffer, position = self._rest + text, 0
        while position < len(buffer) and (token := self._read(buffer, position)):
            position += len(token.text)
            self._move(token)
            yield token
        self._rest = buffer[position:]

    def finish(self) -> Iterator[_Token]:
        self._ended = True
        return self.feed("")

    def _move(self, token: _Token) -> None:
        if token.kind == "space":
            if "\n" in token.text:
                self._at = "line"
            elif self._at == "inside":
                self._at = "word"
        elif token.kind in ("text", "chip"):
            self._at = "inside"
        elif token.kind != "lead":
            self._at = "line"

    def _read(self, buffer: str, start: int) -> _Token | None:
        """The token at `start`; None if more must come first."""
        if space := _match(_SPACE, buffer, start):
            return _Token("space", space)
        if self._at != "inside" and 0 < len(run := _match(_RUN, buffer, start)) <= _MAX_RUN:
            return self._read_run(buffer, start, run)
        if buffer[start] == "[":
            return self._read_bracket(buffer, start)
        return _Token("text", _match(_TEXT, buffer, start))

    def _read_run(self, buffer: str, start: int, run: str) -> _Token | None:
        end = start + len(run)
        if buffer.startswith("[", end):
            mark = self._read_bracket(buffer, end)
            if mark is None:
                return None
            return _Token("text", run) if mark.kind in ("text", "chip") else _Token(mark.kind, run + mark.text)
        lead = _match(_LEAD, buffer, start) if self._at == "line" else ""
        if start + len(lead or run) == len(buffer) and not self._ended:
            return None
        return _Token("lead", lead) if lead else _Token("text", _match(_TEXT, buffer, start))

    def _read_bracket(self, buffer: str, start: int) -> _Token | None:
        part = _match(_BRACKET, buffer, start)
        if part.endswith("]"):
            return _Token(meta_mark(part) or ("chip" if parse_chip(part) else "text"), part)
        if start + len(part) == len(buffer):
            if self._ended and is_cut_off_mark(part):
                return _Token("cut", part)
            if not self._ended and (may_be_meta_mark(part) or may_be_chip(part)):
                return None
        return _Token("text", "[")


class AnswerFilter:
    """Feed it an answer in any pieces; it gives the visible text and the chips in order, and at the end the trailer.

    The block is hidden from its opening mark to its closing one, or to the end. So are the blank lines, rules and the
    opening fence directly before it, the fence that closes that one, and Markdown punctuation clinging to its marks.
    Text after it is text again. Of several blocks the last complete one is the `trailer`, else the last.
    Blanks before a chip go where the text goes on with a blank, a newline or a closing punctuation mark. Blank space at
    both ends of the answer goes.
    """

    def __init__(self) -> None:
        self.trailer: Trailer | None = None
        self._scanner = _Scanner()
        self._out: list[str | Chip] = []
        self._started = False
        self._held: list[str] = []
        self._chips: list[tuple[str, Chip]] = []  # held as well, each with the blank space before it
        self._gap = ""  # blank space before something cut out: it comes back if words would touch
        self._block: list[str] = []
        self._clinging = ""
        self._fence = ""  # the fence that is open in the visible text
        self._fence_held = False
        self._fence_hidden = ""

    def feed(self, text: str) -> list[str | Chip]:
        """What may be shown now."""
        for token in self._scanner.feed(text):
            self._take(token)
        return self._give()

    def finish(self) -> list[str | Chip]:
        """The rest; from now on `trailer` holds."""
        for token in self._scanner.finish():
            self._take(token)
        if self._block:
            self._end_block(complete=False)
        self._held = ["".join(self._held).rstrip()]
        if self._held[0]:
            self._flush("")
        else:
            self._hide()
        return self._give()

    def _give(self) -> list[str | Chip]:
        out, self._out = self._out, []
        return _joined(out)

    def _take(self, token: _Token) -> None:
        if self._block:
            self._block.append(token.text)
            if token.kind == "close":
                self._clinging = _clinging(token) or self._clinging
                self._end_block(complete=True)
            return
        text = self._without_clinging(token.text)
        if not text:
            return
        match token.kind:
            case "space":
                self._held.append(text)
            case "lead":
                self._take_lead(text)
            case "chip":
                self._take_chip(text)
            case "text":
                self._flush(text)
            case _:
                self._hide()
                self._clinging = _clinging(token)
        if token.kind == "open":
            self._block = [text[text.index("[") :]]

    def _end_block(self, *, complete: bool) -> None:
        if complete or self.trailer is None:
            self.trailer = parse_trailer("".join(self._block), complete=complete)
        self._block = []

    def _without_clinging(self, text: str) -> str:
        """The text without what mirrors the punctuation of the mark just before it: the end of its bold or code."""
        mirrored, self._clinging = self._clinging, ""
        return text.removeprefix(mirrored)

    def _take_lead(self, text: str) -> None:
        fence = _FENCE.fullmatch(text)
        if fence and _closes(text, self._fence_hidden):
            self._fence_hidden = ""
            self._held.clear()
        elif fence and self._fence:
            self._fence = "" if _closes(text, self._fence) else self._fence
            self._flush(text)
        else:
            if fence:
                self._fence, self._fence_held = fence[1], True
            self._held.append(text)

    def _take_chip(self, text: str) -> None:
        before = "".join(self._held)
        visible = before.rstrip()
        self._held.clear()
        if visible:
            self._flush(visible)
        if chip := parse_chip(text):
            self._chips.append((before[len(visible) :], chip))

    def _flush(self, text: str) -> None:
        """Text goes on: all that was held is visible."""
        for before, chip in self._chips:
            kept = before.rstrip(" \t")
            self._show(kept)
            self._gap = self._gap or before[len(kept) :]
            self._out.append(chip)
        self._chips.clear()
        self._show("".join(self._held) + text)
        self._held.clear()
        self._fence_held, self._fence_hidden = False, ""

    def _hide(self) -> None:
        """A trailer, or the end of the answer, follows: of what was held only the chips stay."""
        for before, chip in self._chips:
            self._gap = self._gap or before
            self._out.append(chip)
        self._chips.clear()
        held = "".join(self._held)
        self._gap = self._gap or held[: len(held) - len(held.lstrip())]
        self._held.clear()
        if self._fence_held:
            self._fence, self._fence_held, self._fence_hidden = "", False, self._fence

    def _show(self, text: str) -> None:
        if not self._started:
            text, self._gap = text.lstrip(), ""
        if text:
            touching = not text[0].isspace() and text[0] not in _CLOSES_UP
            self._out.append(self._gap + text if touching else text)
            self._gap, self._started = "", True


def _clinging(token: _Token) -> str:
    return token.text[: token.text.index("[")][::-1]


def _closes(word: str, fence: str) -> bool:
    return bool(fence) and set(word) == {fence[0]} and len(word) >= len(fence)


def _joined(pieces: list[str | Chip]) -> list[str | Chip]:
    joined: list[str | Chip] = []
    for kind, run in groupby(pieces, type):
        if kind is str:
            joined.append("".join(map(str, run)))
        else:
            joined.extend(run)
    return joined


def _match(pattern: re.Pattern[str], buffer: str, start: int) -> str:
    match = pattern.match(buffer, start)
    return match[0] if match else ""
