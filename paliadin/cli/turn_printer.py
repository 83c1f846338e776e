"""Printers of a turn's events: as text (the answer on stdout, its steps on stderr), or as JSON lines."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import ClassVar, TextIO

from rich.console import Console
from rich.live import Live
from rich.spinner import Spinner
from rich.text import Text

from paliadin.base.terminal_text import clean, json_line, one_line
from paliadin.cli.client import JsonObject, ReceivedEvent
from paliadin.cli.console import console, seconds
from paliadin.cli.echo import echo, echo_json
from paliadin.cli.facts import difference_lines, evidence_lines, tool_names
from paliadin.cli.markdown import MarkdownAnswerPrinter, PlainAnswerPrinter, ProvisionalText
from paliadin.cli.texts import phrase
from paliadin.toolboxes.toolbox import full_name
from paliadin.words.tool_names import row_count, tool_name

SUGGESTS = re.compile(full_name("[a-z-]+", "suggest_"))
"""With this begin the names of tools of a toolbox that suggest something."""


class JsonPrinter:
    """Prints each event as a JSON object on a line of its own."""

    attached: Mapping[str, str] = MappingProxyType({})  # the ids of the question's files, with the name of each

    def show(self, event: ReceivedEvent) -> None:
        """Print the event."""
        if event.id is not None:
            echo_json({"id": event.id, "event": event.name, "data": event.data})

    def note(self, text: str) -> None:
        """Print a line about the turn on stderr."""
        echo(one_line(text), err=True)

    def pause(self) -> None:
        """Complete the present drawing, so that other output can follow."""


class TextPrinter:
    """Prints the answer to stdout, everything else to stderr; on a terminal with Markdown and a spinner."""

    def __init__(self, *, evidence: bool = False) -> None:
        """Print, with `evidence`, all facts of the answer with their sources; else those that were not found."""
        out, self._steps = console(), console(stderr=True)
        self._answer = MarkdownAnswerPrinter(out) if _can_draw(out, sys.stdout) else PlainAnswerPrinter()
        self._spinner: Live | None = None
        self._spins = _can_draw(self._steps, sys.stderr)
        self._provisional = ProvisionalText()
        self._message_id: str | None = None
        self._chips: list[JsonObject] = []
        self._evidence: JsonObject = {}
        self._tells_all = evidence
        self._suggests = False
        self._tools: dict[str, str] = {}  # a call's id → its tool
        self._latest_call = ""  # in words
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
        message = (data["phase"] == "tool" and self._latest_call) or str(data["message"])
        text = Text(one_line(message, max(20, self._steps.width - 4)), style="dim")
        if self._spinner is None:
            self._spinner = Live(console=self._steps, transient=True, redirect_stdout=False, redirect_stderr=False)
            self._spinner.start()
        self._spinner.update(Spinner("dots", text))

    def _activity(self, data: JsonObject) -> None:
        tool, phase = data.get("tool"), data.get("phase")
        if phase in {"thinking", "tool"}:
            self._latest_call = f"{tool_name(str(tool))} …" if tool else "Thinking"
            self._status({"phase": phase, "message": self._latest_call})

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
        self._latest_call = f"{tool_name(str(data['name']))}: {data['summary']}"
        self.note(f"● {self._latest_call}")

    def _tool_result(self, data: JsonObject) -> None:
        took = seconds(data.get("duration_ms") or None)
        self._suggests |= bool(data["ok"]) and SUGGESTS.match(str(data["name"])) is not None
        name = str(data["name"])
        rows = "" if data.get("rows") is None else row_count(name, int(data["rows"]))
        outcome = "" if data["ok"] else "refused" if data.get("refused") else "failed"
        facts = " · ".join(fact for fact in (tool_name(name), outcome, rows, took) if fact)
        self.note(f"  {'✓' if data['ok'] else '✗'} {facts}: {data['summary']}")

    def _resolved(self, data: JsonObject) -> None:
        value = data.get("value")
        reply = f"reply: {value if isinstance(value, str) else json_line(value)}"
        self.note("  " + phrase(f"settled.by.{data['by']}", reply))

    def _take_chip(self, data: JsonObject) -> None:
        self._chips.append(data)

    def _take_evidence(self, data: JsonObject) -> None:
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
        "interrupt": lambda printer, _data: printer.pause(),
        "interrupt_resolved": _resolved,
        "chip": _take_chip,
        "evidence": _take_evidence,
        "end": _end,
        "error": lambda printer, _data: printer.pause(),
    }


def _can_draw(console: Console, file: TextIO) -> bool:
    """Return whether the console is a terminal with a cursor. With FORCE_COLOR rich mistakes a pipe for one."""
    return file.isatty() and console.is_terminal and not console.is_dumb_terminal


TurnPrinter = JsonPrinter | TextPrinter


def chip_detail(chip: JsonObject) -> str:
    """Return a chip's address, or that no tool bears it out, in brackets after a blank; "" if there is neither."""
    if chip.get("action") in {"nav", "filter"}:
        return f" ({chip['href']}; suggested by Claude, no tool named it)" if chip.get("href") else ""
    detail = chip.get("href") or ("" if chip["verified"] else "not verified: no tool returned it")
    return f" ({detail})" if detail else ""


def summary(evidence: JsonObject, end: JsonObject) -> str:
    """Sum up a turn, as `3.2 s · 1,204 tokens read, 33 written · data · File read, Files searched`.

    `evidence` and `end` are the data of those events. The tools that the answer claims are added if others ran, and
    the rows if others were seen.
    """
    usage = {name: count for name, count in (end.get("usage") or {}).items() if count is not None}
    parts = [
        seconds(end.get("duration_ms")),
        f"{_input_tokens(usage):,} tokens read, {usage.get('output_tokens', 0):,} written" if usage else "",
        str(evidence.get("classifier_tag") or ""),
        tool_names(evidence.get("observed_tools") or []) or "no tools",
        _claimed(evidence),
        "stopped" if end.get("aborted") else "",
    ]
    return " · ".join(part for part in parts if part)


def _claimed(evidence: JsonObject) -> str:
    if evidence.get("agrees") is not False:
        return ""
    differences = evidence.get("differences") or []
    if differences and all(each["what"] == "rows" for each in differences):
        return "; ".join(difference_lines(differences))
    return f"claims {tool_names(evidence['used_tools']) or 'none'}"


def _input_tokens(usage: JsonObject) -> int:
    return sum(usage.get(key, 0) for key in ("input_tokens", "cache_read_tokens", "cache_write_tokens"))
