"""usage.py [EVENT] TRANSCRIPT PROMPT_ID LOG: add up the tokens of one prompt, and append the sum to the turn's log.

Claude Code writes an assistant entry for each content block, each with the usage of its whole API message: so each
message id counts once. A prompt's entries lie between its user entry and that of the next prompt; subagents have files
of their own. Where no message is found the sum is unknown, not 0, and `usage` is empty.

2.1.197 may write the first turn only after Stop, and its entries in another order than they follow each other, its end
first: so the file is waited for, and with the end all that it follows.

EVENT is the hook that tells the turn's end, before the transcript does: the entry that ends it is then waited for.
After Stop it always comes, usually within 0.3 s: turn_duration, or that of an Escape while Stop's hook ran. Without it
messages are missing and the sum is unknown. After StopFailure it need not come (2.1.330 writes none): what there is
counts. Standard library only.
"""

import json
import os
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from log_event import append
from note import note_failure

FIELDS = {  # of the log → of the transcript
    "input_tokens": "input_tokens",
    "output_tokens": "output_tokens",
    "cache_read_tokens": "cache_read_input_tokens",
    "cache_write_tokens": "cache_creation_input_tokens",
}
CHAINED = b'"parentUuid"'  # in every entry that is looked at
INTERRUPTED = "[Request interrupted by user"  # the text of the entry that Escape leaves
MOST_FILES, LONGEST_PATH = 50, 500  # characters, from its end
MAX_JOINED = 20_000  # characters of a prompt that joined the turn
MAX_WAIT = {"Stop": 10.0, "StopFailure": 2.0}  # seconds
POLL_INTERVAL = 0.01  # seconds


class Chain:
    """The entries of a transcript, each of which names the one that it follows: which belong to one prompt's turn.

    2.1.330 may write what was typed while a turn was stopped before that turn's interruption, and under the id of what
    was typed: so only what an entry follows tells what was interrupted.
    """

    def __init__(self):
        self.parents = {}  # uuid of an entry -> that of the entry that it follows
        self.last = None  # uuid of the last entry that has come
        self.prompt = None  # uuid of the prompt's entry
        self.others = set()  # uuids of the entries of other prompts
        self.answers = set()  # uuids of what Claude has said since the prompt

    def add(self, entry):
        """Take an entry. A compaction begins anew, and names an entry before it that need not have been written."""
        uuid = entry.get("uuid")
        if not isinstance(uuid, str):
            return
        before = self.last if entry.get("subtype") == "compact_boundary" else None
        self.parents[uuid], self.last = entry.get("parentUuid") or before, uuid
        if self.prompt is not None and entry.get("type") == "assistant":
            self.answers.add(uuid)

    def above(self, uuid):
        """Yield the entry and those that it follows, one after another, as far as they have come."""
        seen = set()
        while uuid in self.parents and uuid not in seen:
            yield uuid
            seen.add(uuid)
            uuid = self.parents[uuid]

    def is_whole(self, end):
        """True once all entries have come that the turn's end follows: up to the prompt, or to the one before it."""
        return self.prompt is not None and any(each == self.prompt or each in self.others for each in self.above(end))

    def is_of_turn(self, uuid):
        """True if the entry follows the prompt or its answer, False if another one; None if that is not known."""
        for each in self.above(uuid):
            if each == self.prompt or each in self.answers:
                return True
            if each in self.others:
                return False
        return None


class Transcript:
    """Collects the API messages of one prompt from one transcript file, which may still grow."""

    def __init__(self, path, prompt_id):
        self.path, self.prompt_id = path, prompt_id
        self.offset, self.rest = 0, b""
        self.chain = Chain()
        self.begun = False  # an entry of some prompt has come
        self.forget()

    def forget(self):
        """Drop what has come: it belonged to another prompt."""
        self.inside = True  # the last entry belongs to the prompt
        self.end = None  # uuid of the entry that ends the turn
        self.interrupted = False  # it is that of an interruption
        self.files = []  # paths of those whose content Claude Code has put into the request
        self.stop_hooks = None  # how many Stop hooks Claude Code has run at the turn's end
        self.call = None  # id of the last tool call that has come
        self.joined = []  # prompts that were typed meanwhile and have joined the turn: {"text", "after": a call's id}
        self.messages = {}  # API message id -> (model, usage)

    def is_whole(self):
        """True once all entries have come that the turn's end follows."""
        return self.chain.is_whole(self.end)

    def read(self):
        """Read the entries that were added since the last call."""
        with open(self.path, "rb") as file:
            file.seek(self.offset)
            data = file.read()
        self.offset += len(data)
        *whole, self.rest = (self.rest + data).split(b"\n")
        for raw in whole:
            if CHAINED in raw:
                try:
                    self.add(json.loads(raw))
                except (ValueError, AttributeError, TypeError):
                    continue

    def add(self, entry):
        """Take one entry of the transcript."""
        uuid = entry.get("uuid")
        self.chain.add(entry)
        if entry.get("type") == "user" and entry.get("promptId"):
            self.add_prompt(entry)
        elif self.inside and entry.get("type") == "assistant":
            message = entry.get("message") or {}
            for block in blocks_of(entry):
                self.call = block.get("id") if block.get("type") == "tool_use" else self.call
            usage = message.get("usage")
            if usage and isinstance(usage, dict) and message.get("model") != "<synthetic>":
                self.messages[message.get("id")] = (message.get("model"), usage)
        elif self.inside and entry.get("type") == "attachment":
            self.add_attachment(entry.get("attachment") or {})
        elif self.inside and entry.get("subtype") == "stop_hook_summary":
            self.stop_hooks = entry.get("hookCount")
        elif self.inside and entry.get("subtype") == "turn_duration":
            self.end, self.interrupted = uuid, False

    def add_prompt(self, entry):
        """Take a prompt, the result of a tool, or an interruption."""
        is_own, uuid = entry["promptId"] == self.prompt_id, entry.get("uuid")
        if not is_own and not self.begun:
            self.forget()
        self.inside, self.begun = is_own, True
        if is_own and self.chain.prompt is None and not is_result(entry):
            self.chain.prompt = uuid  # it may be any text
        elif is_interruption(entry):
            is_of_turn = self.chain.is_of_turn(uuid)
            if self.chain.prompt is not None and (is_own if is_of_turn is None else is_of_turn):
                self.end, self.interrupted = uuid, True
        elif not is_own and not is_result(entry):
            self.chain.others.add(uuid)

    def add_attachment(self, attachment):
        """Take a file that went with the question, or a prompt that was typed meanwhile and has joined the turn."""
        path, prompt, origin = (attachment.get(name) for name in ("filename", "prompt", "origin"))
        if isinstance(path, str) and len(self.files) < MOST_FILES:
            self.files.append(path[-LONGEST_PATH:])
        by_person = isinstance(origin, dict) and origin.get("kind") == "human"
        if attachment.get("type") == "queued_command" and by_person and isinstance(prompt, str):
            self.joined.append({"text": prompt[:MAX_JOINED], "after": self.call})


def blocks_of(entry):
    """The blocks of an entry's message, without a text that is no block."""
    content = (entry.get("message") or {}).get("content")
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def is_interruption(entry):
    """True for the entry that Claude Code writes when the user stops it."""
    return any(str(block.get("text")).startswith(INTERRUPTED) for block in blocks_of(entry))


def is_result(entry):
    """True for the result of a tool."""
    return any(block.get("type") == "tool_result" for block in blocks_of(entry))


def read_subagents(transcript, prompt_id):
    """Yield the messages of each subagent's transcript."""
    folder = os.path.join(os.path.splitext(transcript)[0], "subagents")
    if not os.path.isdir(folder):
        return
    for name in sorted(os.listdir(folder)):
        if name.endswith(".jsonl"):
            reader = Transcript(os.path.join(folder, name), prompt_id)
            reader.read()
            if reader.begun:
                yield reader.messages


def total(messages, key):
    """The sum of a field of all messages' usage; None if one of them has something there that is no count."""
    values = [used.get(key) or 0 for _, used in messages.values()]
    return sum(values) if all(type(value) is int and value >= 0 for value in values) else None


def main(arguments):
    *event, path, prompt_id, log = arguments
    if event and hasattr(os, "setsid"):
        try:
            os.setsid()  # what ends the hook's process group does not end this
        except OSError:  # whoever started it has done so already
            pass
    transcript = Transcript(path, prompt_id)
    deadline = time.monotonic() + sum(MAX_WAIT[name] for name in event)
    while not transcript.is_whole():
        late = time.monotonic() >= deadline
        try:
            transcript.read()
        except FileNotFoundError:
            if late:
                raise
        if late:
            break
        time.sleep(POLL_INTERVAL)
    own = transcript.messages if transcript.begun else {}
    messages = dict(own)
    for subagent in read_subagents(path, prompt_id):
        messages.update(subagent)
    counts = {name: total(messages, key) for name, key in FIELDS.items()}
    is_known = messages and (transcript.is_whole() or event != ["Stop"])
    line = {
        "usage": counts if is_known else {},
        "model": [model for model, _ in own.values()][-1] if own else None,
        "complete": transcript.end is not None,
        "stop_hooks": transcript.stop_hooks,
    }
    joined = {"joined": transcript.joined} if transcript.joined else {}
    interrupted = {"interrupted": True} if transcript.interrupted else {}
    append(log, line | joined | interrupted | ({"files": transcript.files} if transcript.is_whole() else {}))


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except BaseException as error:
        try:
            note_failure("usage", error)
        finally:
            os._exit(0)
