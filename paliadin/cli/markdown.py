"""Printers of an answer while it is streamed: Markdown on a terminal, plain text into a pipe."""

from __future__ import annotations

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock, blockquote, list_block
from rich.console import Console, ConsoleOptions, RenderResult
from rich.live import Live
from rich.markdown import Markdown
from rich.segment import Segment
from rich.text import Text

from paliadin.base.terminal_text import clean
from paliadin.cli.echo import echo

LONGEST_DRAWN = 10_000  # characters of a growing block that are drawn as Markdown, ten times a second
DEEPEST = 16  # levels; a quotation is one, a list two. From 20 on, the parser would drop the rest of the text


class PlainAnswerPrinter:
    """Writes the text of an answer, which may consist of several messages, to stdout as it is."""

    def __init__(self) -> None:
        self._last = "\n"

    def add(self, text: str, provisional: str = "") -> None:  # noqa: ARG002  # what is written cannot be taken back
        """Print the next piece of the message; `provisional` is what follows it, and may still change."""
        if text:
            echo(text, nl=False)
            self._last = text[-1]

    def pause(self) -> None:
        """Complete the current line, so that other output can follow."""
        if self._last != "\n":
            self.add("\n")

    def next_message(self) -> None:
        """Begin another message, separated by a blank line."""
        self.pause()
        self.add("\n")


class MarkdownAnswerPrinter:
    """Renders the answer's Markdown.

    Complete blocks are printed once; only the block that still grows is drawn again and again.
    """

    def __init__(self, console: Console) -> None:
        self._console = console
        self._live: Live | None = None
        self._blocks = BlockSplitter()
        self._printed = False

    def add(self, text: str, provisional: str = "") -> None:
        self._print(self._blocks.add(clean(text)))
        if self._live is None:
            self._live = Live(
                console=self._console, transient=True, refresh_per_second=10, redirect_stdout=False,
                redirect_stderr=False,
            )  # fmt: skip
            self._live.start()
        self._live.update(_Block(self._blocks.open + clean(provisional), growing=True))

    def pause(self) -> None:
        if self._live is not None:
            self._live.stop()
            self._live = None
        self._print(self._blocks.finish())

    def next_message(self) -> None:
        self.pause()

    def _print(self, text: str) -> None:
        if text.strip():
            if self._printed:
                self._console.print()
            self._console.print(_Block(text))
            self._printed = True


class _Block:
    """Markdown without blank lines around it.

    While it grows, only the last lines that fit on the screen are drawn, and those of a long one as plain text.
    """

    def __init__(self, text: str, *, growing: bool = False) -> None:
        long = growing and len(text) > LONGEST_DRAWN
        self._content = Text(text[-LONGEST_DRAWN:]) if long else BoundedMarkdown(text)
        self._growing = growing

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        lines = console.render_lines(self._content, options, pad=False)
        filled = [number for number, line in enumerate(lines) if any(segment.text.strip() for segment in line)]
        first, last = (filled[0], filled[-1] + 1) if filled else (0, 0)
        if self._growing:
            first = max(first, last - max(1, console.height - 3))
        for line in lines[first:last]:
            yield from line
            yield Segment.line()
        if self._growing:
            yield Segment.line()  # a line for the cursor: a ^C echoed at the end of a full line would shift the rest


def split_blocks(text: str) -> tuple[str, str]:
    """Split off the last block of Markdown, the only one that further text can still change."""
    starts = [token.map[0] for token in _PARSER.parse(text) if token.level == 0 and token.map]
    lines = text.splitlines(keepends=True)
    cut = starts[-1] if starts else 0
    return "".join(lines[:cut]), "".join(lines[cut:])


class BlockSplitter:
    """Splits Markdown that grows into its complete blocks and the last one, which is still open.

    What is open is parsed again only when it has grown by an eighth, so the work stays in proportion to the text
    however small the pieces are.
    """

    def __init__(self) -> None:
        self.open = ""
        self.parsed = 0  # characters, counted again each time
        self._enough = 0  # length of the open text at which it is parsed again

    def add(self, text: str) -> str:
        """Take the next piece; return the blocks that are complete now."""
        self.open += text
        if len(self.open) < self._enough:
            return ""
        self.parsed += len(self.open)
        complete, self.open = split_blocks(self.open)
        self._enough = len(self.open) + len(self.open) // 8
        return complete

    def finish(self) -> str:
        """Return the rest: the message is complete."""
        rest, self.open, self._enough = self.open, "", 0
        return rest


def _bounded_parser() -> MarkdownIt:
    """Make a parser that reads quotations and lists below DEEPEST as text."""

    def quotation(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        return state.level < DEEPEST and blockquote(state, start, end, silent)

    def items(state: StateBlock, start: int, end: int, silent: bool) -> bool:
        return state.level < DEEPEST and list_block(state, start, end, silent)

    parser = MarkdownIt().enable("strikethrough").enable("table")
    parser.block.ruler.at("blockquote", quotation, {"alt": ["paragraph", "reference", "blockquote", "list"]})
    parser.block.ruler.at("list", items, {"alt": ["paragraph", "reference", "blockquote"]})
    return parser


_PARSER = _bounded_parser()


class BoundedMarkdown(Markdown):
    """Markdown with bounded nesting. A link's address is shown, not hidden behind its text: the model chose both."""

    def __init__(self, text: str) -> None:
        super().__init__("", hyperlinks=False)
        self.parsed = _PARSER.parse(text)


class ProvisionalText:
    """The text of the message that is being written, beyond the part that is confirmed (docs/http.md, `preview`)."""

    def __init__(self) -> None:
        self.was_shown = False  # there was some, before the last change
        self._messages: list[str] = []  # ids of those of which something is confirmed
        self._confirmed = ""  # text of the last of them
        self._known = ""  # text of the message `_number`, with what is provisional
        self._number = 0

    def take(self, number: int, offset: int, text: str) -> str:
        """Take a `preview` event; returns the provisional text."""
        self.was_shown = bool(self._tail)
        if number != self._number:
            self._number, self._known = number, self._confirmed_of(number)
        self._known = self._known[:offset] + text
        return self._tail

    def confirm(self, message_id: str, text: str) -> str:
        """Take a `content_delta` event; returns the text that is still provisional."""
        if message_id not in self._messages:
            self._messages.append(message_id)
            self._confirmed = ""
        if message_id == self._messages[-1]:
            self._confirmed += text
        last = self.count - 1
        if last > self._number or (last == self._number and not self._known.startswith(self._confirmed)):
            self._number, self._known = last, self._confirmed
        return self._tail

    @property
    def count(self) -> int:
        """The number of messages of which something is confirmed."""
        return len(self._messages)

    @property
    def _tail(self) -> str:
        return self._known[len(self._confirmed_of(self._number)) :]

    def _confirmed_of(self, number: int) -> str:
        return self._confirmed if number == self.count - 1 else ""
