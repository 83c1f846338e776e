"""Read facts about a running turn that only Claude Code's transcript has, and no hook reports.

Its entries form a chain by their `parentUuid`, which need not be their order: 2.1.197 may write a conversation's first
turn in any order. A message that was cut off by the output limit has an entry, one whose connection broke has none.
There are entries for prompts that were typed meanwhile and have joined the turn, for the words of a hook that stopped
it, and for an interruption.
"""

from __future__ import annotations

import contextlib
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from paliadin.base.errors import PaliadinError
from paliadin.relays.terminal.transcript_files import Environment, locate, reading

MAX_READ = 8 * 1024 * 1024  # bytes at one look
MAX_AGAIN = 32 * 1024 * 1024  # bytes from the end in which a daemon that was started anew looks for the turn
MAX_WORDS = 2000  # characters of a hook's words
MAX_JOINED = 20_000  # characters of a prompt that joined
_CHAINED = b'"parentUuid"'  # in every entry that is looked at
_IS_BLOCKED, _ORIGINAL = "UserPromptSubmit operation blocked by hook:", "\n\nOriginal prompt: "
_PREFIX = re.compile(rf"\A(?:{_IS_BLOCKED}\s*(?:\[[^\]\n]*\]: )?|Operation stopped by hook:\s*)")
_INTERRUPTED = "[Request interrupted by user"

Entry = Mapping[str, object]


@dataclass
class Chain:
    """The chain of a transcript's entries, each of which names its parent: tells which belong to one prompt's turn.

    2.1.330 may write a prompt that was typed while a turn was stopped before that turn's interruption, and gives the
    interruption that prompt's id: so only the parent tells which turn was interrupted. The hook usage.py does the same.
    """

    prompt: object = None  # uuid of the prompt's entry
    others: set[object] = field(default_factory=set)  # uuids of the entries of other prompts
    answers: set[object] = field(default_factory=set)  # uuids of what Claude has said since the prompt
    _parents: dict[object, object] = field(default_factory=dict)  # uuid of an entry → that of the one that it follows
    _last: object = None  # uuid of the last entry that was read

    def add(self, entry: Entry) -> None:
        """Take an entry. A compaction begins a new chain, and names a parent that need not have been written."""
        uuid = entry.get("uuid")
        if not isinstance(uuid, str):
            return
        before = self._last if entry.get("subtype") == "compact_boundary" else None
        self._parents[uuid], self._last = entry.get("parentUuid") or before, uuid
        if self.prompt is not None and entry.get("type") == "assistant":
            self.answers.add(uuid)

    def above(self, uuid: object) -> Iterator[object]:
        """Yield the entry and its ancestors, as far as they are written."""
        ancestors = set[object]()
        while isinstance(uuid, str) and uuid in self._parents and uuid not in ancestors:
            yield uuid
            ancestors.add(uuid)
            uuid = self._parents[uuid]

    def is_whole(self, end: object) -> bool:
        """True once all ancestors of the turn's end are written, up to the prompt or the entry before it."""
        return self.prompt is not None and any(each == self.prompt or each in self.others for each in self.above(end))

    def is_of_turn(self, uuid: object) -> bool | None:
        """True if the entry follows the prompt or its answer, False if another prompt; None if that is not known."""
        for each in self.above(uuid):
            if each == self.prompt or each in self.answers:
                return True
            if each in self.others:
                return False
        return None


class JoinedPrompt(NamedTuple):
    """A prompt that was typed meanwhile; Claude got it with the results of the call `after` and earlier ones."""

    text: str
    after: str | None


@dataclass
class TurnTranscript:
    """The facts about the turn `turn_id` from its transcript; `read` takes the entries that were added."""

    turn_id: str
    environment: Environment
    question: str = ""  # what somebody typed in the terminal; in other prompts the turn's id stands
    begun: bool = False  # the turn's prompt is there
    interrupted: bool = False  # somebody pressed Escape
    joined: list[JoinedPrompt] = field(default_factory=list)  # those that have become a part of the turn
    stopped_by: str = ""  # the words of a hook that blocked the prompt or stopped the turn
    chain: Chain = field(default_factory=Chain)
    _texts: dict[str, str] = field(default_factory=dict)  # id of an API message → its text, as far as it is there
    _path: str | None = None
    _offset: int | None = None  # None: not read yet
    _rest: bytes = b""
    _inside: bool = False  # the last entry belongs to the turn
    _end: object = None  # uuid of the entry that ends the turn
    _last_call: str | None = None  # id of the last tool call that is there

    def skip(self, path: str | None) -> None:
        """Skip the transcript's present entries: the turn has not begun."""
        self._path, self._offset = path, 0
        if path is not None:
            with contextlib.suppress(PaliadinError, OSError), reading(locate(path, self.environment)) as file:
                self._offset = file.seek(0, 2)

    def read(self, path: str | None, prompt_id: str) -> None:
        """Read the entries that were added; none of a transcript that is missing, or not Claude Code's."""
        if path is None:
            return
        if path != self._path:  # as after /clear, or where Claude was started anew
            self._offset = None if self._offset is None else 0
            self._path, self._rest = path, b""
        with contextlib.suppress(PaliadinError, OSError), reading(locate(path, self.environment)) as file:
            if self._offset is None:
                self._offset = max(file.seek(0, 2) - MAX_AGAIN, 0)
            file.seek(self._offset)
            self._inside = self._inside or (self._offset == 0 and not self.begun)
            data = file.read(MAX_READ)
            self._offset += len(data)
            *whole, self._rest = (self._rest + data).split(b"\n")
            for line in whole:
                self._take(line, prompt_id)

    def count(self, bare: str) -> int:
        """Count the turn's messages that have this text, blanks left out."""
        return sum("".join(text.split()) == bare for text in self._texts.values())

    @property
    def over(self) -> bool:
        """True once the turn's end and all its ancestors are written, which 2.1.197 may do in any order."""
        return self.chain.is_whole(self._end)

    def _take(self, line: bytes, prompt_id: str) -> None:
        if _CHAINED not in line:
            return
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError):
            return
        if not isinstance(entry, dict) or entry.get("isSidechain") is True:
            return
        self.chain.add(entry)
        if isinstance(prompt := entry.get("promptId"), str) and entry.get("type") == "user":
            self._take_prompt(entry, is_own=prompt == prompt_id)
        elif entry.get("preventContinuation") is True:
            self._take_refusal(entry)
        elif self._inside:
            self._take_own(entry)

    def _take_prompt(self, entry: Entry, is_own: bool) -> None:
        """Take a prompt, the result of a tool, or an interruption."""
        if not is_own and not self.begun:  # what came before was another one's
            self._texts, self.joined, self._end, self._last_call = {}, [], None, None
        self._inside, uuid = is_own, entry.get("uuid")
        if is_own and not self.begun and not any(_blocks_of(entry, "tool_result")):
            self.begun, self.chain.prompt, self.stopped_by = True, uuid, ""
        elif any(str(block.get("text")).startswith(_INTERRUPTED) for block in _blocks_of(entry, "text")):
            is_of_turn = self.chain.is_of_turn(uuid)
            ends_it = self.begun and (is_own if is_of_turn is None else is_of_turn)
            self.interrupted = self.interrupted or ends_it
        elif not is_own and not any(_blocks_of(entry, "tool_result")):
            self.chain.others.add(uuid)

    def _take_own(self, entry: Entry) -> None:
        message, attachment = entry.get("message"), entry.get("attachment")
        if entry.get("type") == "assistant" and isinstance(message, dict):
            key = str(message.get("id"))
            self._texts[key] = self._texts.get(key, "") + "".join(_texts_of(entry))
            for block in _blocks_of(entry, "tool_use"):
                self._last_call = str(block.get("id"))
        elif entry.get("subtype") == "turn_duration":
            self._end = entry.get("uuid")
        elif isinstance(attachment, dict):
            self._take_attachment(attachment)

    def _take_attachment(self, attachment: Entry) -> None:
        origin = attachment.get("origin")
        by_person = isinstance(origin, dict) and origin.get("kind") == "human"
        match attachment.get("type"):
            case "queued_command" if by_person and isinstance(text := attachment.get("prompt"), str):
                self.joined.append(JoinedPrompt(text[:MAX_JOINED], self._last_call))
            case "hook_stopped_continuation" if attachment.get("hookEvent") != "Stop":
                self.stopped_by = str(attachment.get("message"))[:MAX_WORDS]

    def _take_refusal(self, entry: Entry) -> None:
        """Take the words of a hook that refused a prompt, if it was this turn's.

        A blocked prompt has no entry, and is quoted behind the words; one that the hook has stopped has an entry.
        """
        content = str(entry.get("content"))
        if self.begun:
            is_own = self._inside and not content.startswith(_IS_BLOCKED)  # that was another one, typed meanwhile
        elif self.question:
            is_own = content.rstrip().endswith(_ORIGINAL + self.question.strip())
        else:
            is_own = self.turn_id in content.partition(_ORIGINAL)[2]
        if is_own:
            self.stopped_by = _PREFIX.sub("", content.partition(_ORIGINAL)[0])[:MAX_WORDS].strip()


def _texts_of(entry: Entry) -> Iterator[str]:
    message = entry.get("message")
    if isinstance(message, dict) and isinstance(content := message.get("content"), str):
        yield content
    for block in _blocks_of(entry, "text"):
        if isinstance(text := block.get("text"), str):
            yield text


def _blocks_of(entry: Entry, kind: str) -> Iterator[Entry]:
    message = entry.get("message")
    content = message.get("content") if isinstance(message, dict) else None
    for block in content if isinstance(content, list) else ():
        if isinstance(block, dict) and block.get("type") == kind:
            yield block
