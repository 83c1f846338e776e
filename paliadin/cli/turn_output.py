"""Printers of a turn's events: as text (the answer on stdout, its steps on stderr), or as JSON lines."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, ClassVar, Protocol, TextIO

from rich.console import Console
from rich.live import Live
from rich.spinner import Spinner
from rich.text import Text

from paliadin.base.terminal_text import clean, json_line, one_line
from paliadin.cli.client import ReceivedEvent
from paliadin.cli.console import console
from paliadin.cli.echo import echo
from paliadin.cli.facts import evidence_lines
from paliadin.cli.markdown import AnswerPrinter, MarkdownAnswerPrinter, PlainAnswerPrinter
from paliadin.cli.turn_summary import chip_detail, summary
from paliadin.toolboxes.toolbox import full_name

JsonObject = Mapping[str, Any]

RESOLUTIONS = {
    "terminal": "resolved in Claude's terminal",
    "timeout": "no reply in time",
    "cancel": "no reply",
    "background": "still open",
    "changed": "changed meanwhile: asked anew",
}
SUGGESTS = re.compile(full_name("[a-z-]+", "suggest_"))
"""With this begin the names of tools of a toolbox that suggest something."""


class TurnPrinter(Protocol):
    """Prints a turn while it runs. `attached` has the ids of the question's files, with the name of each."""

    attached: Mapping[str, str]

    def show(self, event: ReceivedEvent) -> None:
        """Print the event."""

    def note(self, text: str) -> None:
        """Print a line about the turn on stderr."""

    def pause(self) -> None:
        """Complete what is being drawn, so that other output can follow."""


class JsonPrinter:
    """Prints each event as a JSON object on a line of its own."""

    attached: Mapping[str, str] = MappingProxyType({})

    def show(self, event: ReceivedEvent) -> None:
        if event.id is not None:
            echo(json_line({"id": event.id, "event": event.name, "data": event.data}))

    def note(self, text: str) -> None:
        echo(one_line(text), err=True)

    def pause(self) -> None:
        pass


class TextPrinter:
    """Prints the answer to stdout, everything else to stderr; on a terminal with Markdown and a spinner."""

    def __init__(self, *, evidence: bool = False) -> None:
        """Print, with `evidence`, all facts of the answer with their sources; else those that were not found."""
        out, self._steps = console(), console(stderr=True)
        drawn = _can_draw(out, sys.stdout)
        self._answer: AnswerPrinter = MarkdownAnswerPrinter(out) if drawn else PlainAnswerPrinter()
        self._spinner: Live | None = None
        self._spins = _can_draw(self._steps, sys.stderr)
        self._provisional = ProvisionalText()
        self._message_id: str | None = None
        self._chips: list[JsonObject] = []
        self._evidence: JsonObject = {}
        self._tells_all = evidence
        self._suggests = False
        self._tools: dict[str, str] = {}  # a call's id → its tool
        self.attached: Mapping[str, str] = {}

    def show(self, event: ReceivedEvent) -> None:
        handle = self._EVENTS.get(event.name)
        if handle:
            handle(self, event.data)

    def note(self, text: str) -> None:
        self._answer.pause()
        self._steps.print(clean(text.replace("\n", " ")), style="dim", soft_wrap=True)

    def pause(self) -> None:
        self._answer.pause()
        self._stop_spinner()

    def _status(self, data: JsonObject) -> None:
        if data.get("held_by"):
            self.note(f"{data['message']}, held by {', '.join(data['held_by'])}")
        if not self._spins or data["phase"] in {"answering", "waiting"}:
            return
        self._answer.pause()
        text = Text(one_line(str(data["message"]), max(20, self._steps.width - 4)), style="dim")
        if self._spinner is None:
            self._spinner = Live(console=self._steps, transient=True, redirect_stdout=False, redirect_stderr=False)
            self._spinner.start()
        self._spinner.update(Spinner("dots", text))

    def _activity(self, data: JsonObject) -> None:
        tool, phase = data.get("tool"), data.get("phase")
        if phase in {"thinking", "tool"}:
            self._status({"phase": phase, "message": f"{tool} …" if tool else "Thinking"})

    def _preview(self, data: JsonObject) -> None:
        count = self._provisional.count
        tail = self._provisional.take(int(data["message"]), int(data["offset"]), str(data["text"]))
        if tail and count and data["message"] == count:
            self._answer.pause()  # another message begins
        if tail or self._provisional.was_shown:
            self._stop_spinner()
            self._answer.add("", tail)

    def _text(self, data: JsonObject) -> None:
        self._stop_spinner()
        if self._message_id not in {None, data["message_id"]}:
            self._answer.next_message()
        self._message_id = data["message_id"]
        text = str(data["text"])
        self._answer.add(text, self._provisional.confirm(str(self._message_id), text))

    def _void(self, data: JsonObject) -> None:
        self.note(f"{data['reason']}:")

    def _tool_call(self, data: JsonObject) -> None:
        self._tools[str(data["id"])] = str(data["name"])
        self.note(f"● {data['name']}: {data['summary']}")

    def _tool_result(self, data: JsonObject) -> None:
        took = f"{data['duration_ms'] / 1000:.1f} s" if data.get("duration_ms") else ""
        self._suggests |= bool(data["ok"]) and SUGGESTS.match(str(data["name"])) is not None
        rows = "" if data.get("rows") is None else f"{data['rows']} rows"
        facts = ", ".join(fact for fact in (rows, took) if fact)
        self.note(f"  {'✓' if data['ok'] else '✗'} {data['name']}: {data['summary']}{f' ({facts})' if facts else ''}")

    def _interrupt(self, _data: JsonObject) -> None:
        self.pause()

    def _resolved(self, data: JsonObject) -> None:
        value = data.get("value")
        reply = f"reply: {value if isinstance(value, str) else json_line(value)}"
        self.note(f"  {RESOLUTIONS.get(str(data['by']), reply)}")

    def _chip(self, data: JsonObject) -> None:
        self._chips.append(data)

    def _keep_evidence(self, data: JsonObject) -> None:
        self._evidence = data

    def _end(self, data: JsonObject) -> None:
        self.pause()
        for chip in self._chips:
            self.note(f"→ {chip['label']}{chip_detail(chip)}")
        unopened = [self.attached[each] for each in self._evidence.get("unopened", []) if each in self.attached]
        if unopened:
            self.note(f"Claude did not open {', '.join(unopened)}")
        if self._suggests:  # here nobody can decide: a command of Claude's could
            self.note(
                "What was suggested waits for a decision on the page, `paliadin open`, or in the application's inbox"
            )
        for line in evidence_lines(self._evidence, self._tools, everything=self._tells_all):
            self.note(line)
        self.note(summary(self._evidence, data))

    def _unconfirmed(self, _data: JsonObject) -> None:
        self.pause()
        self.note("stopped here; Claude Code did not confirm the last words")

    def _joined(self, data: JsonObject) -> None:
        self.pause()
        self.note(f"typed in the terminal meanwhile: {one_line(data['text'])}")

    def _failed(self, _data: JsonObject) -> None:
        self.pause()

    def _stop_spinner(self) -> None:
        if self._spinner is not None:
            self._spinner.stop()
            self._spinner = None

    _EVENTS: ClassVar[Mapping[str, Callable[[TextPrinter, JsonObject], None]]] = {
        "status": _status,
        "activity": _activity,
        "preview": _preview,
        "content_delta": _text,
        "content_reset": _void,
        "unconfirmed": _unconfirmed,
        "joined": _joined,
        "tool_call": _tool_call,
        "tool_result": _tool_result,
        "interrupt": _interrupt,
        "interrupt_resolved": _resolved,
        "chip": _chip,
        "evidence": _keep_evidence,
        "end": _end,
        "error": _failed,
    }


class ProvisionalText:
    """What is known of the message that is being written, beyond what is confirmed of it (docs/http.md, `preview`)."""

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
        """Take a `content_delta` event; returns what is still provisional."""
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


def _can_draw(console: Console, file: TextIO) -> bool:
    """Return whether the console is a terminal with a cursor. With FORCE_COLOR rich mistakes a pipe for one."""
    return file.isatty() and console.is_terminal and not console.is_dumb_terminal
