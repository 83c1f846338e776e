"""What the scripted model says in the tests: a word in the question chooses the scene."""

from __future__ import annotations

import json
import os
import re
import threading
from collections import Counter
from collections.abc import Iterator

from paliadin.demo.api_messages import (
    ApiError,
    Broken,
    Conversation,
    Cut,
    Message,
    Pause,
    Text,
    Thinking,
    ToolUse,
    Usage,
    text,
)

TRAILER = "\n\n---\n[paliadin-meta]\nused_tools: {tools}\nrows_seen: {rows}\nclassifier_tag: {tag}\n[/paliadin-meta]\n"

STEADY = [f"Line {number}." for number in range(40)]
HEAVY = "\n".join(os.urandom(40).hex() for _ in range(2_500))  # 200 KB that cannot be compressed


def answer(
    prose: str, tools: str = "none", rows: str = "none", tag: str = "other", *, pace: float = 0.02, stated: str = ""
) -> Message:
    trailer = TRAILER.format(tools=tools, rows=rows, tag=tag).replace("[/", f"{stated}[/")
    return Message((text(prose + trailer, pace),), Usage(100, 20, 3, 4))


def play(conversation: Conversation) -> Message | ApiError:
    question, results = asked(conversation), conversation.results
    word = question.rpartition("scene:")[2].split()[0] if "scene:" in question else ""
    scene = SCENES.get(word)
    if scene:
        return scene(conversation)
    return answer(f"You said {len(question)} characters.\nTools so far: {len(results)}.")


HIDDEN = ("Output token limit hit", "Stop hook feedback", "Your response above was stopped")
"""How the prompts begin that Claude Code makes to go on by itself."""


def asked(conversation: Conversation) -> str:
    """What a person asked last: behind it may be prompts with which Claude Code goes on by itself."""
    prompts = [prompt for prompt in conversation.prompts if not prompt.startswith(HIDDEN)]
    return prompts[-1] if prompts else ""


def gone_on(conversation: Conversation) -> int:
    """How often Claude Code has gone on by itself since somebody asked."""
    count = 0
    for prompt in reversed(conversation.prompts):
        if not prompt.startswith(HIDDEN):
            break
        count += 1
    return count


def limit(conversation: Conversation) -> Message:
    """An answer that runs into the output limit as often as `scene:limit` says; `tool`: behind a tool's result."""
    _, *words = asked(conversation).rpartition("scene:")[2].split()
    cuts, part = int(words[0]), gone_on(conversation) + 1
    if "tool" in words and part == 1 and not conversation.results:
        return Message((text("Let me look.\n"), ToolUse("Read", {"file_path": _workdir(conversation) + "data.csv"})))
    if part <= cuts:
        lines = (f"Part {part}, line one.\n", f"Part {part}, line two.\n", f"Part {part}, bro")
        return Message((Text(lines, 0.05),), stop_reason="max_tokens")
    return answer(f"ken off.\nPart {part} is the last.")


def refusal(conversation: Conversation) -> Message:
    """A response that a classifier stops; 2.1.330 goes on once."""
    if gone_on(conversation) == 0:
        return Message((Text(("I would begin.\n", "But"), 0.05),), stop_reason="refusal")
    return answer("Something else then.")


def goes_on(conversation: Conversation) -> Message:
    """An answer that says how often Claude was made to go on. `ask`: at the second time it asks for a permission."""
    count = gone_on(conversation)
    if "ask" in asked(conversation).split() and count == 1 and not conversation.results:
        path = _workdir(conversation) + "goes_on.txt"
        return Message((text("I write it down.\n"), ToolUse("Write", {"file_path": path, "content": "done\n"})))
    return answer(f"Round {count}.\nI am done.")


def read(conversation: Conversation) -> Message:
    """Two messages with a tool between them, and a chip that the tool's result bears out."""
    if not conversation.results:
        path = _workdir(conversation) + "data.csv"
        return Message((text("Let me look.\n"), ToolUse("Read", {"file_path": path})), Usage(100, 20, 3, 4))
    prose = "Found it [#deadline-OPEN:c47bd2].\nNot this one [#deadline-OPEN:ffffff]."
    return answer(prose, "Read", "2", "data")


def claims(conversation: Conversation) -> Message:
    """An answer on a file's rows: what they say in other words, what follows from them, and two inventions."""
    if not conversation.results:
        return Message((ToolUse("Read", {"file_path": _workdir(conversation) + "deadlines.csv"}),))
    prose = (
        "There are three deadlines, two of them open.\n"
        "DL-2044 is due on **31 December 2031** and claims 4.711,00 EUR.\n"
        "DL-2051 is due on 2032-01-14, so 14 days later.\n"
        "DL-9999 was never read, and 250 EUR neither.\n"
        "All claim 4,970.75 EUR together, 1,700.00 EUR on average."
    )
    stated = "calculated:\n- 4,970.75 EUR = sum(amount)\n- 1,700.00 EUR = avg(amount)\n- two = count(state = open)\n"
    return answer(prose, "Read", "4", "data", stated=stated)


def known_before(_conversation: Conversation) -> Message:
    """An answer without a tool, on what an earlier turn's tool returned; and an invention."""
    return answer("It was DL-2044 [#deadline-OPEN:DL-2044], not DL-9998.", tag="data")


def calls(conversation: Conversation) -> Message:
    """Call the tools that the question names, one after the other, then say what they returned.

    The question ends with a JSON list: `scene:calls [["mcp__paliad__lookup_court", {"q": "Munich"}], …]`.
    """
    wanted = json.loads(conversation.user_text.partition("scene:calls")[2])
    done = len(conversation.results)
    if done < len(wanted):
        name, tool_input = wanted[done]
        return Message((ToolUse(name, tool_input),))
    prose = "\n\n".join(result.content for result in conversation.results)
    return answer(f"```\n{prose}\n```\n", ", ".join(name for name, _ in wanted), "1", "data", pace=0.0)


def open_files(conversation: Conversation) -> Message:
    """Open each of the attached files that the prompt says are to be opened."""
    _, _, named = conversation.user_text.partition("to be opened with Read: ")
    paths = re.findall(r'"([^"]*)"', named.partition("]")[0]) if named else []
    done = len(conversation.results)
    if done < len(paths):
        part = {"offset": 1, "limit": 5} if paths[done].endswith(".csv") else {}
        return Message((ToolUse("Read", {"file_path": paths[done], **part}),))
    return answer(f"I opened {done} files.", "Read", "1", "data")


def permission(conversation: Conversation) -> Message:
    if not conversation.results:
        path = _workdir(conversation) + "written.txt"
        return Message((text("I would write.\n"), ToolUse("Write", {"file_path": path, "content": "hello\n"})))
    outcome = "refused" if conversation.results[-1].is_error else "done"
    return answer(f"It was {outcome}.", "Write", "1", "other")


def question(conversation: Conversation) -> Message:
    if not conversation.results:
        options = [{"label": "Red", "description": "warm"}, {"label": "Blue", "description": "cold"}]
        asked = {"question": "Which colour?", "header": "Colour", "multiSelect": False, "options": options}
        return Message((ToolUse("AskUserQuestion", {"questions": [asked]}),))
    return answer(f"Claude was told: {conversation.results[-1].content.splitlines()[0]}")


PLAN = "# Plan\n\n1. Look at `data.csv`.\n2. Write **the note**.\n"
SHORTER_PLAN = "# Shorter\n\n1. Write the note.\n"


def plan(conversation: Conversation) -> Message:
    """A plan, and a shorter one when that is refused; then a file. With `written`, the plans are in Claude's plan file.

    With `bare`, there is none.
    """
    last = conversation.results[-1] if conversation.results else None
    prose = conversation.notes + "".join(each.content for each in conversation.results)
    file = re.search(r"/\S+/plans/[\w-]+\.md", prose)
    text = SHORTER_PLAN if any(each.name == "ExitPlanMode" for each in conversation.results) else PLAN
    if last is None:
        return Message((ToolUse("EnterPlanMode", {}),))
    if last.name == "Write" and not str(last.input.get("file_path")).endswith(".md"):
        return answer("It is carried out.", "Write", "1", "other")
    if last.name == "ExitPlanMode" and not last.is_error:
        return Message((ToolUse("Write", {"file_path": _workdir(conversation) + "note.txt", "content": "A note.\n"}),))
    if "written" in conversation.user_text and last.name != "Write" and file:
        return Message((ToolUse("Write", {"file_path": file[0], "content": text}),))
    given = {} if {"written", "bare"} & set(conversation.user_text.split()) else {"plan": text}
    return Message((ToolUse("ExitPlanMode", given),))


def row(conversation: Conversation) -> Message:
    """A question, a permission and another question, one after another."""
    asked = {
        "header": "Which",
        "multiSelect": False,
        "options": [{"label": "A", "description": ""}, {"label": "B", "description": ""}],
    }
    match len(conversation.results):
        case 0:
            return Message((ToolUse("AskUserQuestion", {"questions": [{"question": "The first?", **asked}]}),))
        case 1:
            return Message((ToolUse("Read", {"file_path": "/etc/hostname"}),))
        case 2:
            return Message((ToolUse("AskUserQuestion", {"questions": [{"question": "The second?", **asked}]}),))
    return answer(f"Claude was told: {conversation.results[-1].content.splitlines()[0]}")


def questions(conversation: Conversation) -> Message:
    if not conversation.results:
        letters = [{"label": "A", "description": "first"}, {"label": "B", "description": "second"}]
        one = {"question": "Which letter?", "header": "Letter", "multiSelect": False, "options": letters}
        many = {"question": "Which letters?", "header": "Letters", "multiSelect": True, "options": letters}
        return Message((ToolUse("AskUserQuestion", {"questions": [one, many]}),))
    return answer(f"Claude was told: {conversation.results[-1].content.splitlines()[0]}")


def two(conversation: Conversation) -> Message:
    """Two permissions at once."""
    if not conversation.results:
        return Message((ToolUse("Read", {"file_path": "/etc/hostname"}), ToolUse("Read", {"file_path": "/etc/hosts"})))
    return answer(f"Results: {len(conversation.results)}.", "Read", "1", "data")


def slow(_conversation: Conversation) -> Message:
    return Message((text("".join(f"Line {number}.\n" for number in range(200)), 0.15),))


class Held:
    """The scene of an answer that goes on, as `slow`, until its test says that it is enough."""

    def __init__(self) -> None:
        self.said = 0  # lines of the last such answer so far
        self.enough = threading.Event()

    def __call__(self, _conversation: Conversation) -> Message:
        self.said = 0
        self.enough.clear()
        return Message((Text(self._lines(), 0.15),))  # type: ignore[arg-type]  # each line when its turn has come

    def _lines(self) -> Iterator[str]:
        while self.said < 200 and not self.enough.is_set():
            self.said += 1
            yield f"Line {self.said - 1}.\n"


HELD = Held()


class Steady:
    """The scene of an answer of four seconds, whose every line is known; less once its test says `go_on`."""

    def __init__(self) -> None:
        self._quick = threading.Event()

    def __call__(self, _conversation: Conversation) -> Message:
        self._quick.clear()
        whole = answer("\n".join(STEADY)).blocks[0]
        assert isinstance(whole, Text)
        return Message((Text(self._pieces(whole.chunks), 0.1),), Usage(100, 20, 3, 4))  # type: ignore[arg-type]

    def go_on(self) -> None:
        """What the test does in mid-answer is done: the rest takes less than a second."""
        self._quick.set()

    def _pieces(self, lines: tuple[str, ...]) -> Iterator[str]:
        rest = list(lines)
        while rest:
            count = 6 if self._quick.is_set() else 1
            yield "".join(rest[:count])
            del rest[:count]


STEADILY = Steady()


def heavy(_conversation: Conversation) -> Message:
    return answer(HEAVY, pace=0)


def thinking(_conversation: Conversation) -> Message:
    return Message((Pause(30), text("Late.\n")))


def tool_slow(conversation: Conversation) -> Message:
    if not conversation.results:
        # 2.1.329 refuses a plain `sleep` before it asks for a permission.
        command = {"command": "python3 -c 'import time; time.sleep(25)'", "description": "Wait"}
        return Message((text("I wait.\n"), ToolUse("Bash", command)))
    return answer("Waited.")


def snoop(conversation: Conversation) -> Message:
    """Commands that look for the daemon's own files and for the daemon: one that asks nobody, and one that asks."""
    commands = ["grep -rn digest --include=access.json .", "python3 - < looks.py"]
    done = len(conversation.results)
    if done < len(commands):
        return Message((text(f"I look ({done}).\n"), ToolUse("Bash", {"command": commands[done]})))
    return answer("\n".join(result.content for result in conversation.results))


def background(conversation: Conversation) -> Message:
    """A command that goes on behind an idle screen until its test makes the file that it waits for."""
    if not conversation.results:
        command = "while [ ! -e enough ]; do sleep 0.1; done"
        call = {"command": command, "description": "Wait", "run_in_background": True}
        return Message((text("I wait.\n"), ToolUse("Bash", call)))
    return answer("It goes on.", "Bash", "none", "other")


class Behind:
    """The scene of an agent in the background that asks for a permission when its test says so, and then reports.

    `slowly`: Claude itself takes its time, so that the agent, which asks at once, comes before its turn's end.
    """

    def __init__(self) -> None:
        self.asks = threading.Event()

    def __call__(self, conversation: Conversation) -> Message:
        folder = _workdir(conversation)
        if "You are the agent" in conversation.user_text:
            if conversation.results:
                return Message((text(f"The tool said: {conversation.results[-1].content}\n"),))
            write = ToolUse("Write", {"file_path": folder + "behind.txt", "content": "written behind\n"})
            return Message((Text(self._until_it_asks(), 0.05), write))  # type: ignore[arg-type]
        if conversation.results:
            pause = Pause(1.5 if "slowly" in conversation.user_text else 0)
            return Message((pause, *answer("It works behind me.", "Agent", "none", "other").blocks))
        if "slowly" not in conversation.user_text:
            self.asks.clear()
        prompt = f"You are the agent. scene:behind in:{folder}"
        call = {"description": "Write a file", "prompt": prompt, "subagent_type": "general-purpose"}
        return Message((text("I ask an agent.\n"), ToolUse("Agent", {**call, "run_in_background": True})))

    def _until_it_asks(self) -> Iterator[str]:
        while not self.asks.is_set():
            yield "."


BEHIND = Behind()


def waits_for_file(conversation: Conversation) -> Message:
    """A command that says that it runs, and then waits in the foreground until its test makes a file."""
    if not conversation.results:
        command = "touch begun; while [ ! -e enough ]; do sleep 0.1; done; rm begun enough"
        return Message((text("I wait.\n"), ToolUse("Bash", {"command": command, "description": "Wait"})))
    return answer("It is there.", "Bash", "none", "other")


def fills_up(conversation: Conversation) -> Message:
    """The context is full in the middle of the turn: Claude Code compacts it, and asks then without its words."""
    looks = ToolUse("Read", {"file_path": _workdir(conversation) + "data.csv"})
    if not conversation.results:
        return Message((text("I look.\n"), looks))
    return Message((text("Much is known.\n"), ToolUse("Glob", {"pattern": "*.csv"})), usage=Usage(input_tokens=990_000))


def refused(conversation: Conversation) -> Message:
    """A call that Claude Code refuses by itself: no PreToolUse, no PostToolUse."""
    if not conversation.results:
        return Message((text("I try.\n"), ToolUse("Read", {"no_such_field": 1})))
    return answer("It did not work.", "none", "none", "other")


def big(conversation: Conversation) -> Message:
    """A tool that returns megabytes."""
    if not conversation.results:
        content = "x" * 3_000_000
        path = _workdir(conversation) + "big.txt"
        return Message((ToolUse("Write", {"file_path": path, "content": content}),))
    return answer("Big one done.", "Write", "1", "other")


def api(conversation: Conversation) -> Message | ApiError:
    """The error that the question names: `scene:api 529 overloaded_error`; `once`: asked again, there is an answer.

    Its words quote what nobody else should read.
    """
    status, kind, *more = conversation.user_text.partition("scene:api")[2].split()
    _failed[conversation.user_text] += 1
    if "once" in more and _failed[conversation.user_text] > 1:
        return answer("At last.")
    return ApiError(int(status), kind, "invalid x-api-key: key-of-the-tests", "0.01")


def breaks(_conversation: Conversation) -> Message:
    """The API says in mid-answer that it cannot go on."""
    return Message((Text(("Line one.\n",)), Broken("overloaded_error", "Overloaded: key-of-the-tests")))


def refuses(_conversation: Conversation) -> Message:
    return Message((Text(("I would rather",)),), stop_reason="refusal")


def too_long(_conversation: Conversation) -> Message:
    return Message((Text(("And so on and so",)),), stop_reason="max_tokens")


def loop(conversation: Conversation) -> Message:
    """One call after another, and never an answer."""
    path = _workdir(conversation) + "data.csv"
    return Message((text(f"Look {len(conversation.results)}.\n"), ToolUse("Read", {"file_path": path})))


def both(conversation: Conversation) -> Message:
    """Two calls at once of a tool that waits for its file, and one of a tool that is not there."""
    if not conversation.results:
        paths = [_workdir(conversation) + name for name in ("one", "two")]
        calls = [ToolUse("Slow", {"file_path": path}) for path in paths]
        return Message((*calls, ToolUse("Nothing", {})))
    return answer(" ".join(result.content for result in conversation.results), "Slow, Slow", "1, 1")


def failure(_conversation: Conversation) -> ApiError:
    return ApiError(400, "invalid_request_error", "the script says no")


def cut(_conversation: Conversation) -> Message:
    return Message((Text(("Line one.\n", "Line two.\n"), 0.2), Cut(within=False)))


_broken: Counter[str] = Counter()
_failed: Counter[str] = Counter()


PARAGRAPH = " ".join(f"Word {number} of a paragraph without a line's end," for number in range(30)) + " and so on."


def tokens_of(prose: str) -> tuple[str, ...]:
    """The text as a model writes it: a word at a time."""
    return tuple(f"{word} " for word in prose.split(" "))


PACES = {"quick": 0.003, "slowly": 0.05}  # seconds between two words, by a word of the question


def paragraph(conversation: Conversation) -> Message:
    """1,400 characters without a newline, a word at a time, and a chip and the trailer a few characters at a time."""
    end = "See [#deadline-OPEN:c47bd2]." + TRAILER.format(tools="none", rows="none", tag="concept")
    pieces = tuple(end[start : start + 3] for start in range(0, len(end), 3))
    pace = next((pace for word, pace in PACES.items() if word in conversation.user_text), 0.01)
    return Message((Text((*tokens_of(PARAGRAPH), *pieces), pace),), Usage(100, 20, 3, 4))


def kinds(conversation: Conversation) -> Message:
    """Thinking, then text and a tool whose input takes its time; then another message."""
    if not conversation.results:
        path = _workdir(conversation) + "data.csv"
        thought = Thinking(("Let me ", "think ", "about it. "), 0.1)
        return Message((thought, text("I look into it.\n", 0.1), ToolUse("Read", {"file_path": path}, pace=0.2)))
    return answer("I found it.\nThat is all.", "Read", "2", "data")


def helper(conversation: Conversation) -> Message:
    """A subagent, whose own text is none of the answer."""
    if "You are the helper" in conversation.user_text:
        return Message((Text(tokens_of("The helper's own words, which nobody should see."), 0.02),))
    if not conversation.results:
        call = {"description": "Help", "prompt": "You are the helper. scene:helper", "subagent_type": "general-purpose"}
        return Message((text("I ask a helper.\n"), ToolUse("Agent", call)))
    return answer("The helper is done.", "Agent", "none", "other")


def cut_paragraph(conversation: Conversation) -> Message:
    """A paragraph whose stream breaks once in its middle; asked again, all of it comes."""
    _broken[conversation.user_text] += 1
    words = tokens_of("First line.\nThe beginning of a paragraph that breaks off in its middle and then goes on.")
    if _broken[conversation.user_text] == 1:
        return Message((Text(words[:10], 0.05), Cut()))
    return Message((Text(words, 0.05),))


def cut_once(conversation: Conversation) -> Message:
    """The connection breaks in mid-answer; asked again, the whole answer comes."""
    _broken[conversation.user_text] += 1
    if _broken[conversation.user_text] == 1:
        return Message((Text(("Line one.\n", "Line two.\n"), 0.2), Cut()))
    return answer("Line one.\nLine two.\nLine three.")


def remember(conversation: Conversation) -> Message:
    return answer(f"I remember {len(conversation.prompts)} prompts.")


def two_texts(_conversation: Conversation) -> Message:
    """One message of two text blocks: Stop names the last only."""
    return Message((text("The first part.\n"), text("The second part.\n")))


def silent(_conversation: Conversation) -> Message:
    """No trailer at all."""
    return Message((text("Just this.\n"),))


SCENES = {
    "limit": limit,
    "refusal": refusal,
    "goes_on": goes_on,
    "waits_for_file": waits_for_file,
    "fills_up": fills_up,
    "api": api,
    "breaks": breaks,
    "refuses": refuses,
    "too_long": too_long,
    "loop": loop,
    "both": both,
    "read": read,
    "claims": claims,
    "calls": calls,
    "known_before": known_before,
    "open_files": open_files,
    "permission": permission,
    "plan": plan,
    "question": question,
    "questions": questions,
    "row": row,
    "two": two,
    "slow": slow,
    "held": HELD,
    "steady": STEADILY,
    "heavy": heavy,
    "thinking": thinking,
    "tool_slow": tool_slow,
    "snoop": snoop,
    "background": background,
    "behind": BEHIND,
    "refused": refused,
    "big": big,
    "failure": failure,
    "cut": cut,
    "cut_once": cut_once,
    "cut_paragraph": cut_paragraph,
    "paragraph": paragraph,
    "kinds": kinds,
    "helper": helper,
    "remember": remember,
    "silent": silent,
    "two_texts": two_texts,
}


def _workdir(conversation: Conversation) -> str:
    """Tests tell the folder in the question: `in:/path`."""
    return asked(conversation).rpartition("in:")[2].split()[0].rstrip("/") + "/"
