"""The answer on a terminal: split into blocks while it grows, and drawn."""

import io

import pytest
from rich.console import Console

from paliadin.cli.markdown import BlockSplitter, MarkdownAnswerPrinter

DEEP = {
    "quotations": "> " * 2_500 + "deep",
    "quotations without blanks": ">" * 2_500 + " deep",
    "lists": "- " * 2_500 + "deep",
    "numbered lists": "1. " * 2_500 + "deep",
    "both": "> - " * 1_000 + "deep",
    "emphasis": "*a " * 1_000 + "deep" + " a*" * 1_000,
    "brackets": "[" * 2_500 + "deep" + "](y)" * 2_500,
    "tags": "<b>" * 2_500 + "deep",
}


def printed(pieces: list[str]) -> str:
    screen = io.StringIO()
    printer = MarkdownAnswerPrinter(Console(file=screen, width=80, force_terminal=True))
    for piece in pieces:
        printer.add(piece)
    printer.pause()
    return screen.getvalue()


@pytest.mark.parametrize("what", DEEP)
def test_deep_nesting_leaves_the_rest_of_the_answer_as_it_is(what: str) -> None:
    for pieces in (["Before.\n\n", DEEP[what], "\n\nThe **end**.\n"], [f"Before.\n\n{DEEP[what]}\n\nThe **end**.\n"]):
        shown = printed(pieces)
        for text in ("Before.", "deep", "The \x1b[1mend\x1b[0m."):
            assert text in shown


def test_blocks_are_those_of_the_whole_however_the_text_is_cut() -> None:
    text = "# Title\n\nOne\ntwo\n\n- a\n- b\n\n```\ncode\n\nmore\n```\n\n> quoted\n"
    for size in (1, 3, 7, 1_000):
        blocks = BlockSplitter()
        done = "".join(blocks.add(text[start : start + size]) for start in range(0, len(text), size))
        assert done + blocks.open == text
        assert done + blocks.finish() == text
        assert blocks.open == ""


@pytest.mark.parametrize("line", ["- a\n", "| b | c |\n", "word ", "> - a\n"])
def test_a_block_that_grows_is_parsed_in_proportion_to_its_length(line: str) -> None:
    blocks = BlockSplitter()
    for _ in range(2_000):
        blocks.add(line)
    assert blocks.parsed < 20 * 2_000 * len(line)
