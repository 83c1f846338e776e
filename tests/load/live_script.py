"""What the model says in the part `live` of `make load`: generated answers, written in tokens that are cut anywhere."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass

from paliadin.demo.api_messages import Block, Conversation, Cut, Message, Pause, Text, ToolUse
from tests.worlds.script import TRAILER

MARK = "live:"  # in a question, before <kind>:<script>:<number of the turn>
ID = "c47bd2"  # stands in data.csv, so a chip with it is verified

WEIGHTS = {"plain": 3, "child": 4, "parent": 3, "daemon": 1, "cut": 3, "ended": 2, "abort": 3, "reload": 3}
"""How often each kind of turn comes: nothing happens; the pass-through's child or its parent is killed, or the daemon;
the API breaks off within a block, so that Claude asks again, or behind one; Stop is pressed; the page is reloaded."""

THINKS = 0.25  # seconds after a tool; within 0.1 s a new text may belong before the tool (docs/architecture.md)
EARLY = "early"
"""A kind for comparison only: the API breaks off in the message before the tool. 2.1.197 displays nothing of it."""

WORDS = (  # noqa: SIM905  # one a line would be a page
    "the of and date hearing claim Frist Gebühr Anwältin court 期限 naïve file — «quoted» _so_ **bold** `code` x[1] "
    "[link](https://example.com/a_b) 3,50 € 🙂 👩‍⚖️ and/or e.g. --flag a*b ### #7 [note] (see) 2026-11-24"
).split()


@dataclass(frozen=True)
class Answer:
    """A script: the tokens of its messages, and the seconds between two of them. With two there is a tool between."""

    messages: tuple[tuple[str, ...], ...]
    pace: float
    cut: int  # tokens of the last message before it breaks off


def answer(script: int) -> Answer:
    """The script of this number; always the same."""
    chance = random.Random(script)  # noqa: S311  # no secret
    with_tool = chance.random() < 0.4
    trailer = TRAILER.format(tools="Read" if with_tool else "none", rows="2" if with_tool else "none", tag="data")
    texts = [prose(chance, 1)] if with_tool else []
    texts.append(prose(chance, chance.randint(1, 4)) + trailer)
    messages = tuple(tokens(chance, text) for text in texts)
    return Answer(messages, chance.uniform(0.004, 0.02), chance.randint(1, len(messages[-1]) - 1))


def prose(chance: random.Random, paragraphs: int) -> str:
    parts = []
    for _ in range(paragraphs):
        words = [chance.choice(WORDS) for _ in range(chance.randint(8, 45))]
        if chance.random() < 0.4:
            words.insert(chance.randrange(len(words)), f"[#deadline-OPEN:{chance.choice((ID, 'ffffff'))}]")
        lines = " ".join(words).split(" of ")
        parts.append(chance.choice(("", "", "- ", "> ", "## ")) + chance.choice((" of ", "\n", ".\n- ")).join(lines))
    return "\n\n".join(parts) + ".\n"


def tokens(chance: random.Random, text: str) -> tuple[str, ...]:
    pieces = []
    while text:
        length = chance.randint(1, 9)
        pieces.append(text[:length])
        text = text[length:]
    return tuple(pieces)


_asked: Counter[str] = Counter()


def play(conversation: Conversation) -> Message:
    """The next message of the turn that the question names."""
    question = conversation.user_text
    kind, script, _ = question.rpartition(MARK)[2].split()[0].split(":")
    said = answer(int(script))
    _asked[question] += 1
    if len(said.messages) > 1 and not conversation.results:
        first = said.messages[0]
        if kind == EARLY and _asked[question] == 1:
            return Message((Text(first[: len(first) // 2], said.pace), Cut()))
        path = question.rpartition("in:")[2].split()[0] + "data.csv"
        return Message((Text(first, said.pace), ToolUse("Read", {"file_path": path})))
    _asked[question + "…"] += 1
    whole = said.messages[-1]
    pause = Pause(THINKS if conversation.results else 0.0)
    blocks: tuple[Block, ...] = (Text(whole, said.pace),)
    if kind == "ended":
        blocks = (Text(whole[: said.cut], said.pace), Cut(within=False))
    elif kind == "cut" and _asked[question + "…"] == 1:
        blocks = (Text(whole[: said.cut], said.pace), Cut())
    return Message((pause, *blocks))
