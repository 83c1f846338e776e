"""A streaming filter that separates an answer's visible text from its chips and its trailer.

It has two stages. `_Scanner` splits the stream into tokens, and holds back only what the next character may still
change: a part of a `[…]` marker, or a run of Markdown punctuation. `AnswerFilter` holds back blank space, rules and an
opening code fence until it is known if a trailer follows them. How the stream is cut into pieces makes no difference.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby
from typing import Literal, NamedTuple

from paliadin.events.chips import MAX_MARKER, Chip, is_cut_off_chip, may_be_chip, parse_chip
from paliadin.events.trailer import Trailer, is_cut_off_mark, may_be_meta_mark, parse_meta_mark, parse_trailer

TokenKind = Literal["text", "space", "lead", "chip", "open", "close", "cut", "cut chip"]

_SPACE = re.compile(r"\s+")
_BRACKET = re.compile(rf"\[[^\[\]\r\n]{{0,{MAX_MARKER - 2}}}\]?")
_BRACKETS = re.compile(r"\[+(?=\[)")  # none of these begins a marker: only the last one may
_MAX_RUN = 80  # characters; a longer run is ordinary text
_MAX_HELD_CHIPS = 100  # with nothing but blank space between them, until it is known what follows
_RUN = re.compile(r"[-*_#>+`~\\]+")  # Markdown punctuation
_LEAD = re.compile(rf"(?:(?:`{{3,{_MAX_RUN}}}|~{{3,{_MAX_RUN}}})[\w.+-]{{0,40}}|[-*_#>+`~\\]{{1,{_MAX_RUN}}})(?=\s|\Z)")
_EMPHASIS = re.compile(r"[*_~`]{1,6}")  # what may stand around a chip
_FENCE = re.compile(r"(`{3,}|~{3,})[\w.+-]*")
# Words with one blank between them are one token; a word that begins like a run is a token of its own.
_TEXT = re.compile(r"[^\s\[]+(?: [^\s\[\-*_#>+`~\\][^\s\[]*+)*+")
_NO_BLANK_BEFORE = frozenset(".,;:!?\u2026)]}\u00bb\u201d\u2019")


class _Token(NamedTuple):
    kind: TokenKind
    text: str

    def behind(self, punctuation: str) -> _Token:
        """Return the token with the punctuation directly before it."""
        return _Token(self.kind, punctuation + self.text)


class _Scanner:
    """Splits a stream into tokens whose joined texts are the stream.

    `lead`: at the start of a line, a word of nothing but Markdown punctuation, or a code fence with its language.
    `chip`: its marker, with the bold or code that surrounds just it (`**[#a-OPEN:1]**`).
    `open`, `close`: a mark of the trailer, with the punctuation before it (`**[paliadin-meta]`).
    `cut`, `cut chip`: a mark and a chip that the end of the answer cut off.
    Where the pieces of the stream end decides only how `text` and `space` tokens are divided.
    """

    def __init__(self) -> None:
        self._rest = ""
        self._position: Literal["line start", "word start", "in word"] = "line start"
        self._ended = False

    def feed(self, text: str) -> Iterator[_Token]:
        """Take the next piece of the stream; yield the tokens that are certain now."""
        buffer, start = self._rest + text, 0
        while start < len(buffer) and (token := self._read(buffer, start)):
            start += len(token.text)
            self._move(token)
            yield token
        self._rest = buffer[start:]

    def finish(self) -> Iterator[_Token]:
        """Yield the rest: the stream is over."""
        self._ended = True
        return self.feed("")

    def _move(self, token: _Token) -> None:
        if token.kind == "space":
            if "\n" in token.text:
                self._position = "line start"
            elif self._position == "in word":
                self._position = "word start"
        elif token.kind in ("text", "chip"):
            self._position = "in word"
        else:
            self._position = "line start"

    def _read(self, buffer: str, start: int) -> _Token | None:
        """Read the token at `start`; None while it depends on further text."""
        if space := _match(_SPACE, buffer, start):
            return _Token("space", space)
        if self._position != "in word" and 0 < len(run := _match(_RUN, buffer, start)) <= _MAX_RUN:
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
            return self._read_emphasized(buffer, start, run, mark) if mark.kind == "chip" else mark.behind(run)
        lead = _match(_LEAD, buffer, start) if self._position == "line start" else ""
        if start + len(lead or run) == len(buffer) and not self._ended:
            return None
        return _Token("lead", lead) if lead else _Token("text", _match(_TEXT, buffer, start))

    def _read_emphasized(self, buffer: str, start: int, run: str, chip: _Token) -> _Token | None:
        """Read a chip with the run around it, or just the run if that does not end behind the chip."""
        end = start + len(run) + len(chip.text)
        after = buffer[end : end + len(run)]
        if _EMPHASIS.fullmatch(run) and run[::-1].startswith(after):
            if len(after) == len(run):
                return _Token("chip", run + chip.text + after)
            if not self._ended:
                return None
        return _Token("text", run)

    def _read_bracket(self, buffer: str, start: int) -> _Token | None:
        if brackets := _match(_BRACKETS, buffer, start):
            return _Token("text", brackets)
        part = _match(_BRACKET, buffer, start)
        if part.endswith("]"):
            return _Token(parse_meta_mark(part) or ("chip" if parse_chip(part) else "text"), part)
        if start + len(part) == len(buffer):
            if self._ended and is_cut_off_mark(part):
                return _Token("cut", part)
            if self._ended and is_cut_off_chip(part):
                return _Token("cut chip", part)
            if not self._ended and (may_be_meta_mark(part) or may_be_chip(part)):
                return None
        return _Token("text", "[")


class AnswerFilter:
    """Takes an answer in pieces of any size; returns its visible text and chips in order. `finish` knows the trailer.

    Hidden is the trailer, from its opening mark to its closing one or to the end of the answer, and what surrounds it:
    blank lines, rules and the opening code fence directly before it, the fence that closes that one, and Markdown
    punctuation around its marks. Text after it is visible. Of several trailers the last complete one counts, or
    without a complete one the last.

    Spaces before a chip are removed if the text goes on with a space, a newline or a closing punctuation mark. Blank
    space at both ends of the answer is removed.
    """

    def __init__(self) -> None:
        self.trailer: Trailer | None = None
        self._scanner = _Scanner()
        self._out: list[str | Chip] = []
        self._started = False  # some text was shown
        self._held: list[str] = []
        self._held_chips: list[tuple[str, Chip]] = []  # each with the blank space before it
        self._gap = ""  # blank space before something that was removed; shown if words would touch without it
        self._block: list[str] = []  # the trailer that is being read
        self._mirrored = ""  # punctuation that would close the bold or code around the last mark
        self._fence = ""  # the code fence that is open in the visible text
        self._fence_held = False  # it is among what is held
        self._fence_hidden = ""  # an opening fence that was hidden with a trailer: its closing one goes, too

    def feed(self, text: str) -> list[str | Chip]:
        """Take the next piece of the answer; return the text and chips that are certain now."""
        for token in self._scanner.feed(text):
            self._take(token)
        return self._drain()

    def finish(self) -> list[str | Chip]:
        """Return the rest: the answer is complete, and `trailer` is final."""
        for token in self._scanner.finish():
            self._take(token)
        if self._block:
            self._end_block(complete=False)
        self._held = ["".join(self._held).rstrip()]
        if self._held[0]:
            self._flush("")
        else:
            self._hide()
        return self._drain()

    def _drain(self) -> list[str | Chip]:
        out, self._out = self._out, []
        return _join_texts(out)

    def _take(self, token: _Token) -> None:
        if self._block:
            self._block.append(token.text)
            if token.kind == "close":
                self._mirrored = _mirrored_punctuation(token) or self._mirrored
                self._end_block(complete=True)
            return
        text = self._without_mirrored(token.text)
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
            case "cut chip":
                pass  # half a marker tells nothing; what is held before it is shown
            case _:
                self._hide()
                self._mirrored = _mirrored_punctuation(token)
        if token.kind == "open":
            self._block = [text[text.index("[") :]]

    def _end_block(self, *, complete: bool) -> None:
        if complete or self.trailer is None:
            self.trailer = parse_trailer("".join(self._block), complete=complete)
        self._block = []

    def _without_mirrored(self, text: str) -> str:
        """Return the text directly after a mark without the punctuation that closes the bold or code around it."""
        mirrored, self._mirrored = self._mirrored, ""
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
        held = "".join(self._held)
        visible = held.rstrip()
        self._held.clear()
        if visible:
            self._flush(visible)
        if chip := parse_chip(text[text.index("[") : text.index("]") + 1]):
            self._held_chips.append((held[len(visible) :], chip))
            if len(self._held_chips) > _MAX_HELD_CHIPS:
                self._show_chip(*self._held_chips.pop(0))

    def _flush(self, text: str) -> None:
        """Show all held text, then `text`: no trailer follows directly."""
        for space, chip in self._held_chips:
            kept_space = space.rstrip(" \t")
            self._show(kept_space)
            self._gap = self._gap or space[len(kept_space) :]
            self._out.append(chip)
        self._held_chips.clear()
        self._show("".join(self._held) + text)
        self._held.clear()
        self._fence_held, self._fence_hidden = False, ""

    def _hide(self) -> None:
        """Drop the held text, but show its chips: a trailer or the end of the answer follows."""
        for space, chip in self._held_chips:
            self._show_chip(space, chip)
        self._held_chips.clear()
        held = "".join(self._held)
        self._gap = self._gap or held[: len(held) - len(held.lstrip())]
        self._held.clear()
        if self._fence_held:
            self._fence, self._fence_held, self._fence_hidden = "", False, self._fence

    def _show_chip(self, space: str, chip: Chip) -> None:
        self._gap = self._gap or space
        self._out.append(chip)

    def _show(self, text: str) -> None:
        if not self._started:
            text, self._gap = text.lstrip(), ""
        if text:
            needs_gap = not text[0].isspace() and text[0] not in _NO_BLANK_BEFORE
            self._out.append(self._gap + text if needs_gap else text)
            self._gap, self._started = "", True


def _mirrored_punctuation(token: _Token) -> str:
    """Reverse the punctuation before a mark, since it may also follow the mark (`**[paliadin-meta]**`)."""
    return token.text[: token.text.index("[")][::-1]


def _closes(word: str, fence: str) -> bool:
    return bool(fence) and set(word) == {fence[0]} and len(word) >= len(fence)


def _join_texts(pieces: list[str | Chip]) -> list[str | Chip]:
    """Join neighbouring texts into one."""
    joined: list[str | Chip] = []
    for kind, run in groupby(pieces, type):
        if kind is str:
            joined.append("".join(map(str, run)))
        else:
            joined.extend(run)
    return joined


def _match(pattern: re.Pattern[str], buffer: str, start: int) -> str:
    """Return the text that matches at `start`; empty without a match."""
    match = pattern.match(buffer, start)
    return match[0] if match else ""
