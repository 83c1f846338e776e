from __future__ import annotations

import re
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from paliadin.events.answer_filter import AnswerFilter, _Scanner, _Token
from paliadin.events.chips import Chip, is_cut_off_chip
from paliadin.events.trailer import Trailer

BLOCK = "[paliadin-meta]\nused_tools: µ\nrows_seen: 3\nclassifier_tag: data\n[/paliadin-meta]"
A = Chip("a", "open", id="1")
NAV = Chip("nav", "nav", value="/x")


def read(pieces: list[str]) -> tuple[list[str | Chip], Trailer | None]:
    """All text and chips in order, neighbouring texts joined, and the trailer."""
    answer_filter = AnswerFilter()
    outputs = [out for piece in pieces for out in answer_filter.feed(piece)] + answer_filter.finish()
    joined: list[str | Chip] = []
    for out in outputs:
        if isinstance(out, str) and joined and isinstance(joined[-1], str):
            joined[-1] += out
        else:
            joined.append(out)
    return joined, answer_filter.trailer


def visible(text: str) -> str:
    return "".join(out for out in read([text])[0] if isinstance(out, str))


FRAGMENTS = [
    *"¤ \n\t\r[]()`*_-#>~\\:/.,=x",
    "¤¤ word",
    "\n\n",
    "---",
    "\n---\n",
    "\n***\n",
    "\n___\n",
    "- ",
    "```",
    "\n```\n",
    "\n```yaml\n",
    "~~~~",
    "**",
    "[paliadin-meta]",
    "[/paliadin-meta]",
    "[ Paliadin_Meta ]",
    "\\[/paliadin meta\\]",
    "**[paliadin-meta]**",
    "`[/paliadin-meta]`",
    "[paliadin",
    "-meta]",
    "[pal",
    "[/",
    BLOCK,
    f"```\n{BLOCK}\n```",
    f"\n\n---\n{BLOCK}\n",
    "classifier_tag: ",
    "data",
    "[#a-OPEN:1]",
    "**[#a-OPEN:1]**",
    "[#a-OPEN:",
    "[#",
    "[chip:nav:/x]",
    "[chip:filter:",
    "[chip:",
    "1]",
    "[" + "a" * 320,
    "[chip:nav:" + "a" * 288,
    "\U0001f469\u200d\U0001f4bb",
    "\u00a0\u2028",
    "`" * 79,
    "-" * 81,
]
answers = st.lists(st.sampled_from(FRAGMENTS) | st.text(max_size=4), max_size=14).map("".join)


@st.composite
def cut_answers(draw: st.DrawFn) -> list[str]:
    answer = draw(answers)
    cuts = draw(st.lists(st.integers(0, len(answer)), max_size=12))
    edges = [0, *sorted(cuts), len(answer)]
    return [answer[start:end] for start, end in pairwise(edges)]


@settings(max_examples=10 * settings().max_examples)
@given(cut_answers())
def test_cuts_change_nothing(pieces: list[str]) -> None:
    whole = read(["".join(pieces)])
    assert read(pieces) == whole


@settings(max_examples=5 * settings().max_examples)
@given(answers)
@example("[chip:nav:" + "a" * 288 + "1]")
@example("`" * 79 + "--x")
def test_character_by_character_is_the_same(answer: str) -> None:
    assert read(list(answer)) == read([answer])


MARK = r"\[[ ]?{}[ ]?[Pp]aliadin[-_ ][Mm]eta[ ]?\\?\]"
ANY_BLOCK = re.compile(MARK.format("") + r".*?(?:" + MARK.format("/") + r"|\Z)", re.DOTALL)
tame = st.lists(st.sampled_from([f for f in FRAGMENTS if f not in ("-meta]", "[paliadin", "[pal", "[/")]), max_size=14)


@settings(max_examples=5 * settings().max_examples)
@given(tame.map("".join))
@example("[chip:nav:" + "a" * 288 + "¤")  # at its end an answer may be cut off in a chip, which is not shown
@example("[chip:filter:¤[paliadin-meta]")  # before a block that is no cut, and is shown
def test_nothing_of_a_block_is_shown_and_no_word_outside_is_lost(answer: str) -> None:
    pieces, trailer = read([answer])
    texts = [piece for piece in pieces if isinstance(piece, str)]
    assert not any("µ" in text or "paliadin-meta" in text for text in texts)
    shown = "".join(texts) + "".join(piece.value or "" for piece in pieces if isinstance(piece, Chip))
    words = ANY_BLOCK.sub("", answer)
    last = max((block.end() for block in ANY_BLOCK.finditer(answer)), default=0)
    cut_off = re.search(r"\[[^\[\]\r\n]*\Z", answer[last:])
    if cut_off and is_cut_off_chip(cut_off[0]):
        words = words.removesuffix(cut_off[0])
    assert shown.count("¤") == words.count("¤")
    assert (trailer is not None) == (ANY_BLOCK.search(answer) is not None)


@given(answers)
def test_an_answer_begins_and_ends_without_blank_space(answer: str) -> None:
    text = visible(answer)
    assert text == text.strip()


@given(st.lists(st.sampled_from(["word", " ", "\n", "(x)", "é", "- ", "**b**", "]", "2 * 3"])))
def test_plain_words_pass_at_once(words: list[str]) -> None:
    answer_filter = AnswerFilter()
    text = "".join(words) + "end"
    assert "".join(map(str, answer_filter.feed(text))) == text.lstrip()
    assert answer_filter.feed(" \n") == []
    assert answer_filter.feed("[link") == [" \n[link"]


@pytest.mark.parametrize(
    "around",
    [
        "{}",
        "\n\n---\n{}\n",
        "\n***\n\n{}",
        "\n\n___\n```\n{}\n```\n",
        "\n```yaml\n---\n{}\n```",
        "\n~~~~\n{}\n~~~~~\n",
        " {} ",
        "\n> {}",
        "\n### {}\n",
        "\n- - -\n{}",
        " \r\n\r\n---\r\n{}\r\n",
    ],
)
def test_a_block_goes_with_what_leads_to_it(around: str) -> None:
    assert read(["The answer." + around.format(BLOCK)]) == (
        ["The answer."],
        Trailer(BLOCK, True, ("µ",), (3,), classifier_tag="data"),
    )


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        ("**[paliadin-meta]**\nclassifier_tag: data\n**[/paliadin-meta]**", ""),
        ("x\n`[paliadin-meta] used_tools: a [/paliadin-meta]`", "x"),
        ("x\n```[paliadin-meta]\n[/paliadin-meta]```", "x"),
        ("x\n\\[paliadin-meta\\]\n\\[/paliadin-meta\\]", "x"),
        ("**x**[paliadin-meta]", "**x**"),
        ("x\n\n[paliadin-meta]\nno end\n```\n---", "x"),
        ("x\n---\n[paliadi", "x"),
        ("x\n---\n[pa", "x\n---\n[pa"),
        ("x [/paliadin-meta]", "x"),
        ("x **[/paliadin-meta]** y", "x y"),
        (f"x\n---\n{BLOCK}\n\ny", "x\n\ny"),
        (f"x\n{BLOCK}y", "x\ny"),
        (f"x {BLOCK}.", "x."),
        (f"{BLOCK}\n\nx", "x"),
        (f"```\ncode\n```\n{BLOCK}", "```\ncode\n```"),
        (f"```\ncode\n{BLOCK}\n```\nx", "```\ncode\n```\nx"),
        (f"x\n```\n{BLOCK}\n```\n```py\ny\n```", "x\n```py\ny\n```"),
        (f"```\n{BLOCK}\nx\n```\ny\n```", "x\n```\ny\n```"),
        (f"```\ncode\n```\n```\n{BLOCK}\n```\ny", "```\ncode\n```\ny"),
        (f"~~~\n```\n```\n{BLOCK}\ny", "~~~\n```\n```\ny"),
        (f"```\n{BLOCK}\n```\nx\n```\n{BLOCK}\n```\ny", "x\ny"),
        (f"```\n{BLOCK}\n{BLOCK}\n```\ny", "y"),
        (f"x ---\n{BLOCK}", "x ---"),
        (f"x {BLOCK} ---\n{BLOCK}", "x"),
        (f"x\n{'-' * 80}\n{BLOCK}", "x"),
        (f"x\n{'-' * 81}\n{BLOCK}", f"x\n{'-' * 81}"),
        (f"x\n\n{BLOCK}y", "x\n\ny"),
        (f"x\n---\n{BLOCK}y", "x\ny"),
        ("x **[/paliadin-meta]**: y", "x: y"),
        ("x\n**_[paliadin-meta]_**\n**_[/paliadin-meta]_** y", "x y"),
        ("x\n\n---\n", "x\n\n---"),
        ("x\n\n---\ny", "x\n\n---\ny"),
        ("\n \n  x\n", "x"),
        ("- [ ] todo [link](/x) a[0] [paliadin] [[x]]", "- [ ] todo [link](/x) a[0] [paliadin] [[x]]"),
        ("", ""),
    ],
)
def test_what_is_seen(answer: str, text: str) -> None:
    assert visible(answer) == text
    assert read(list(answer)) == read([answer])


@pytest.mark.parametrize(
    ("answer", "raw", "complete"),
    [
        (f"a{BLOCK}b[paliadin-meta]2[/paliadin-meta]", "[paliadin-meta]2[/paliadin-meta]", True),
        (f"a{BLOCK}b[paliadin-meta]2", BLOCK, True),
        ("a\n[paliadin-meta]\n2\n", "[paliadin-meta]\n2\n", False),
        ("**[Paliadin_meta]**2**[ / paliadin meta]**", "[Paliadin_meta]**2**[ / paliadin meta]", True),
    ],
)
def test_the_last_complete_block_is_kept_as_written(answer: str, raw: str, complete: bool) -> None:
    trailer = read([answer])[1]
    assert trailer is not None
    assert (trailer.raw, trailer.complete) == (raw, complete)


@pytest.mark.parametrize("answer", ["", "x", "x [pal", "x [/paliadin-meta]", "[paliadin]"])
def test_without_a_block_there_is_no_trailer(answer: str) -> None:
    assert read([answer])[1] is None


@pytest.mark.parametrize(
    ("answer", "pieces"),
    [
        ("see [#a-OPEN:1] now", ["see", A, " now"]),
        ("see [#a-OPEN:1].", ["see", A, "."]),
        ("see [#a-OPEN:1]\nnow", ["see", A, "\nnow"]),
        ("see [#a-OPEN:1]now", ["see", A, " now"]),
        ("see[#a-OPEN:1]now", ["see", A, "now"]),
        ("see [#a-OPEN:1] [chip:nav:/x]!", ["see", A, NAV, "!"]),
        ("(see [#a-OPEN:1])", ["(see", A, ")"]),
        ("x:\n\n- [#a-OPEN:1] one\n- [chip:nav:/x]", ["x:\n\n-", A, " one\n-", NAV]),
        ("\n[#a-OPEN:1] x", [A, "x"]),
        ("x\n\n---\n[#a-OPEN:1]\n" + BLOCK, ["x\n\n---", A]),
        ("x [#a-OPEN:1]\n\n---\n" + BLOCK, ["x", A]),
        ("[chip:nav:" + "a" * 289 + "]", [Chip("nav", "nav", value="a" * 289)]),
        ("[chip:nav:" + "a" * 290 + "]", ["[chip:nav:" + "a" * 290 + "]"]),
        ("x [#a-OPEN:1", ["x"]),
        ("x [#a", ["x"]),
        ("x\n\n- **[chip:nav:/x", ["x\n\n-"]),
        ("x\n```\n[CHIP:", ["x\n```"]),
        ("x [#a-OPEN:1] [#b-OPEN:2", ["x", A]),
        ("x [#", ["x [#"]),
        ("x [chip", ["x [chip"]),
        ("x [#a-OPEN:1\n", ["x [#a-OPEN:1"]),
        ("x [chip:nav:\n/x]", ["x [chip:nav:\n/x]"]),
        ("[[#a-OPEN:1]]", ["[", A, "]"]),
        ("**[#a-OPEN:1]**", [A]),
        ("see **[#a-OPEN:1]** now", ["see", A, " now"]),
        ("- `[#a-OPEN:1]`: one\n- **_[chip:nav:/x]_**.", ["-", A, ": one\n-", NAV, "."]),
        ("x **[#a-OPEN:1]** **[chip:nav:/x]**\n" + BLOCK, ["x", A, NAV]),
        ("**[#a-OPEN:1] now**", ["**", A, " now**"]),
        ("**[#a-OPEN:1]*", ["**", A, "*"]),
        ("**[#a-OPEN:1]", ["**", A]),
        ("--[#a-OPEN:1]--", ["--", A, "--"]),
        ("x\n \t[#a-OPEN:1] y", ["x\n", A, " y"]),
        (f"x [#a-OPEN:1]---\n{BLOCK}", ["x", A, " ---"]),
        (f"x [#a-OPEN:1]{BLOCK}y", ["x", A, " y"]),
        ("[paliadin-meta][#a-OPEN:1]", []),
    ],
)
def test_chips_are_cut_out_where_they_stand(answer: str, pieces: list[str | Chip]) -> None:
    assert read([answer])[0] == pieces


@pytest.mark.parametrize(
    "unit",
    ["[", "-", " ", "\n", "- ", "**[", "[#a", "[chip:nav:", "[" + " " * 320, "[#a-OPEN:1]", "---\n", "```\n", "a **"],
)
@pytest.mark.parametrize("size", [1, 7, 100_000])
def test_work_grows_with_the_length_only(unit: str, size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    looked = 0
    plain_read = _Scanner._read

    def counting(self: _Scanner, buffer: str, start: int) -> _Token | None:
        nonlocal looked
        token = plain_read(self, buffer, start)
        looked += len(token.text) if token else len(buffer) - start
        return token

    monkeypatch.setattr(_Scanner, "_read", counting)
    text = (unit * 20_000)[:20_000]
    answer_filter = AnswerFilter()
    for start in range(0, len(text), size):
        answer_filter.feed(text[start : start + size])
        assert len(answer_filter._scanner._rest) <= 300 + 80
    answer_filter.finish()
    assert looked <= len(text) * (1 + 300 // size) + 400
