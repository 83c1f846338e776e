"""Scenes for the page, beside those of tests/worlds/script.py: a word in the question chooses."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator

from paliadin.demo.api_messages import ApiError, Conversation, Message, Text, ToolUse, Usage, text
from tests.browser.helpers.rich_answer import RICH
from tests.worlds import script
from tests.worlds.script import TRAILER, _workdir, answer, read

LINES = [f"Line {number} of many.\n" for number in range(1, 21)]
CHIPPED = "See [#deadline-OPEN:ffffff] and [chip:nav:/projects/7] and [chip:filter:due=today] in it.\n"
HOSTILE = """
<script>window.hacked = "script"</script>

<img src="x" onerror="window.hacked = 'img'">

<svg onload="window.hacked = 'svg'"></svg> <iframe src="https://evil.example/"></iframe>

<form action="https://evil.example/"><button>raw button</button></form> <style>* { display: none }</style>

<a href="javascript:window.hacked = 'raw'">raw link</a> and [a link](javascript:window.hacked='link') and
[another](JaVaScRiPt:window.hacked='case') and [data](data:text/html,<script>parent.hacked='data'</script>) and
[split](<java\tscript:window.hacked='split'>) and <b onclick="window.hacked = 'click'">bold</b>

![pixel](https://evil.example/pixel.png) [#deadline-OPEN:"><img src=x onerror=hacked=1>] [chip:nav:javascript:hacked=1]

[chip:nav://evil.example/] [a real link](https://example.com/page)
"""
FILES = "See `lines.py:1234`, chart.png and ![far](https://pictures.invalid/x.png) or `../secret.txt:1`.\n"
HOSTILE_COMMAND = "touch '<img src=x onerror=\"window.hacked = 1\">' # \u202etxt.exe"
WIDE = f"""# A heading of a good length, so that it needs more than one line on a small screen

| {" | ".join(f"column {n}" for n in range(9))} |
|{"---|" * 9}
| {" | ".join("value" * 3 for _ in range(9))} |

```python
{"a_long_line_of_code(" + "argument, " * 30})
```

{"Unbreakable" * 20} and `{"code" * 40}` and https://example.com/{"path/" * 40}

1. One
   - nested {"word" * 30}
   - [x] done
2. Two

> quoted **bold** and *italic* text
"""


def play(conversation: Conversation) -> Message | ApiError:
    word = conversation.user_text.rpartition("scene:")[2].split()[0] if "scene:" in conversation.user_text else ""
    return SCENES.get(word, script.play)(conversation)


def stream(_conversation: Conversation) -> Message:
    """Three seconds of lines; markers and trailer come in pieces of a few characters."""
    tail = CHIPPED + "The last line.\n" + TRAILER.format(tools="none", rows="none", tag="concept")
    pieces = [tail[start : start + 11] for start in range(0, len(tail), 11)]
    return Message((Text((*LINES, *pieces), 0.1),), Usage(100, 20, 3, 4))


def words(_conversation: Conversation) -> Message:
    """5,000 words: headings, paragraphs, lists, tables and code."""
    pieces = [piece for number in range(52) for piece in chapter(number)]
    return Message((Text(tuple(pieces), 0.005),), Usage(100, 20, 3, 4))


def chapter(number: int) -> Iterator[str]:
    yield f"## Chapter {number}\n\n"
    yield "A paragraph of many words that goes on and on, as long answers do. " * 4 + "\n\n"
    yield "- one point of the list\n- another point, with `code`\n  - nested below it\n\n"
    yield "| a | b |\n|---|---|\n" + "| some value | another value |\n" * 3 + "\n"
    yield "```python\nfor line in lines:\n    print(line)\n```\n\n"
    yield "The **last** words of this chapter, [with a link](https://example.com/page).\n\n"


def hostile(conversation: Conversation) -> Message:
    if not conversation.results:
        return Message((ToolUse("Bash", {"command": HOSTILE_COMMAND, "description": "<b>Say</b> something"}),))
    return answer(HOSTILE, "Bash", "1", "other")


def chips(conversation: Conversation) -> Message:
    message = read(conversation)
    if not conversation.results:
        return message
    prose = "A link [#deadline-OPEN:c47bd2].\nNo tool saw [#deadline-OPEN:ffffff].\nNo page for [#termin-OPEN:c47bd2]."
    return answer(prose, "Read", "2", "data")


def paths(_conversation: Conversation) -> Message:
    """Chips with paths of Claude's own, and no tool that ran."""
    prose = "Out [chip:nav:/logout?confirm=1].\nThe words [chip:nav:/glossary].\nDue [chip:filter:x=1]."
    return answer(prose, "none", "none", "navigation")


def differs(conversation: Conversation) -> Message:
    """Claims another tool than ran, one that did not, and other rows."""
    if not conversation.results:
        read_it = ToolUse("Read", {"file_path": _workdir(conversation) + "data.csv"})
        return Message((read_it, ToolUse("Bash", {"command": "ls", "description": "List"})))
    return answer("Found it.", "Read, Grep", "5, 1", "data")


def wide(_conversation: Conversation) -> Message:
    return answer(WIDE, "Read", "1", "data")


def session(conversation: Conversation) -> Message:
    """Writes the same file in each turn."""
    if not conversation.results:
        path = _workdir(conversation) + "session.txt"
        return Message((ToolUse("Write", {"file_path": path, "content": conversation.user_text}),))
    return answer("Written.", "Write", "1", "other")


def edit(conversation: Conversation) -> Message:
    path = _workdir(conversation) + "edit.txt"
    if not conversation.results:
        return Message((ToolUse("Read", {"file_path": path}),))
    if len(conversation.results) == 1:
        change = {"file_path": path, "old_string": "kept\nold line\n", "new_string": "kept\nnew line\n"}
        return Message((ToolUse("Edit", change),))
    return answer(f"Claude was told: {conversation.results[-1].content}", "Read", "2", "other")


def long_permission(conversation: Conversation) -> Message:
    if not conversation.results:
        command = "python3 -c '" + "print(1); " * 150 + "x" * 300 + "'"
        return Message((text("I would run it.\n"), ToolUse("Bash", {"command": command, "description": "Run"})))
    return answer("That was it.")


def padded(conversation: Conversation) -> Message:
    """A command whose point stands below 299 empty lines and behind 100 blanks."""
    if not conversation.results:
        command = "touch harmless" + "\n" * 300 + "touch unseen" + " " * 100 + "# the\u202e end"
        return Message((ToolUse("Bash", {"command": command, "description": "Say something"}),))
    return answer("That was it.")


def lengthy(conversation: Conversation) -> Message:
    """A command of many lines on the screen, in one line, so that it can be allowed for the session."""
    if not conversation.results:
        return Message((ToolUse("Bash", {"command": "echo" + " word" * 2_000 + " > /dev/null; cat data.csv | wc -l"}),))
    return answer("That was it.")


def call(conversation: Conversation) -> Message:
    """Calls the tool that the question names, with the input that it gives: `scene:call Write {"file_path": …} in:`."""
    if not conversation.results:
        name, _, rest = conversation.user_text.rpartition("scene:call ")[2].partition(" ")
        return Message((ToolUse(name, json.loads(rest.rpartition(" in:")[0])),))
    return answer("That was it.")


def many_questions(conversation: Conversation) -> Message:
    """Three questions, more than a card can show at once."""
    if not conversation.results:
        options = [
            {"label": f"Choice {letter}", "description": "What this would mean, in a sentence that takes some room."}
            for letter in "ABCD"
        ]
        asked = [
            {"question": f"What about the {what}?", "header": what, "multiSelect": what == "second", "options": options}
            for what in ("first", "second", "third")
        ]
        return Message((ToolUse("AskUserQuestion", {"questions": asked}),))
    return answer(f"Claude was told: {conversation.results[-1].content.splitlines()[0]}")


class Flaky:
    """An error of the API for each question that is new, an answer when it is asked again."""

    def __init__(self) -> None:
        self._first: dict[str, str] = {}

    def __call__(self, conversation: Conversation) -> Message | ApiError:
        envelope, _, asked = conversation.user_text.partition("] ")
        if self._first.setdefault(asked, envelope) != envelope:
            return answer("This time it worked.")
        return ApiError(400, "invalid_request_error", "the service stumbled")  # whenever Claude Code itself tries again


SCENES: dict[str, Callable[[Conversation], Message | ApiError]] = {
    "named": lambda _conversation: answer(FILES, "none", "none", "concept"),
    "stream": stream,
    "hostile": hostile,
    "words": words,
    "chips": chips,
    "paths": paths,
    "differs": differs,
    "wide": wide,
    "rich": lambda _conversation: answer(RICH, "none", "none", "concept"),
    "long_permission": long_permission,
    "padded": padded,
    "lengthy": lengthy,
    "session": session,
    "edit": edit,
    "call": call,
    "many_questions": many_questions,
    "flaky": Flaky(),
}
