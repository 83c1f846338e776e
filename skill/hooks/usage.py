"""usage.py [EVENT] TRANSCRIPT PROMPT_ID LOG: add up the tokens of one prompt, and append the sum to the turn's log.

Claude Code writes an assistant entry for each content block, each with the usage of its whole API message: so each
message id counts once. A prompt's entries lie between its user entry and that of the next prompt; subagents have files
of their own. Where no message is found the sum is unknown, not 0, and `usage` is empty.

2.1.197 may write the first turn only after Stop, and then its end (stop_hook_summary, which follows the last message,
and turn_duration) before its messages: the file is waited for, and so is that message.

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
NAMES = (
    b'"promptId"',
    b'"usage"',
    b'"filename"',
    b"queued_command",
    b"turn_duration",
    b"stop_hook_summary",
)  # in the entries that are looked at
INTERRUPTED = "[Request interrupted by user"  # the text of the entry that Escape leaves
MOST_FILES, LONGEST_PATH = 50, 500  # characters, from its end
MAX_JOINED = 20_000  # characters of a prompt that joined the turn
MAX_WAIT = {"Stop": 10.0, "StopFailure": 2.0}  # seconds
POLL_INTERVAL = 0.01  # seconds


class Transcript:
    """Collects the API messages of one prompt from one transcript file, which may still grow."""

    def __init__(self, path, prompt_id):
        self.path, self.prompt_id = path, prompt_id
        self.offset, self.rest = 0, b""
        self.inside = False  # the last entry belongs to the prompt
        self.ended = False  # all entries of the turn have come
        self.begun = False  # an entry of some prompt has come
        self.files = []  # paths of those whose content Claude Code has put into the request
        self.stop_hooks = None  # how many Stop hooks Claude Code has run at the turn's end
        self.joined = []  # prompts that were typed meanwhile and have become a part of the turn
        self.last_uuid = None  # of the first turn's last message, where its end has come before its beginning
        self.messages = {}  # API message id -> (model, usage)

    def read(self):
        """Read the entries that were added since the last call."""
        with open(self.path, "rb") as file:
            file.seek(self.offset)
            data = file.read()
        self.offset += len(data)
        *whole, self.rest = (self.rest + data).split(b"\n")
        for raw in whole:
            if any(name in raw for name in NAMES):
                try:
                    self.add(json.loads(raw))
                except (ValueError, AttributeError):
                    continue

    def add(self, entry):
        """Take one entry of the transcript."""
        if entry.get("type") == "user" and entry.get("promptId"):
            self.begun = True
            again = self.inside  # the question itself, which comes first, may be any text
            self.inside = entry["promptId"] == self.prompt_id
            self.ended = self.ended or (again and self.inside and is_interruption(entry))
        elif self.inside and entry.get("type") == "assistant":
            message = entry.get("message") or {}
            if message.get("usage") and message.get("model") != "<synthetic>":
                self.messages[message.get("id")] = (message.get("model"), message["usage"])
            self.ended = self.ended or (self.last_uuid is not None and entry.get("uuid") == self.last_uuid)
        elif self.inside and entry.get("type") == "attachment":
            self.add_attachment(entry.get("attachment") or {})
        elif entry.get("subtype") == "stop_hook_summary":
            self.stop_hooks = entry.get("hookCount") if self.inside or not self.begun else self.stop_hooks
            self.last_uuid = self.last_uuid if self.begun else entry.get("parentUuid")
        elif self.inside and entry.get("subtype") == "turn_duration":
            self.ended = True

    def add_attachment(self, attachment):
        """Take a file that went with the question, or a prompt that was typed meanwhile and has joined the turn."""
        path, prompt, origin = (attachment.get(name) for name in ("filename", "prompt", "origin"))
        if isinstance(path, str) and len(self.files) < MOST_FILES:
            self.files.append(path[-LONGEST_PATH:])
        by_person = isinstance(origin, dict) and origin.get("kind") == "human"
        if attachment.get("type") == "queued_command" and by_person and isinstance(prompt, str):
            self.joined.append(prompt[:MAX_JOINED])


def is_interruption(entry):
    """True for the entry that Claude Code writes when the user stops it."""
    content = (entry.get("message") or {}).get("content")
    texts = [block.get("text") for block in content if isinstance(block, dict)] if isinstance(content, list) else []
    return any(str(text).startswith(INTERRUPTED) for text in texts)


def read_subagents(transcript, prompt_id):
    """Yield the messages of each subagent's transcript."""
    folder = os.path.join(os.path.splitext(transcript)[0], "subagents")
    if not os.path.isdir(folder):
        return
    for name in sorted(os.listdir(folder)):
        if name.endswith(".jsonl"):
            reader = Transcript(os.path.join(folder, name), prompt_id)
            reader.read()
            yield reader.messages


def main(arguments):
    *event, path, prompt_id, log = arguments
    if event and hasattr(os, "setsid"):
        try:
            os.setsid()  # what ends the hook's process group does not end this
        except OSError:  # whoever started it has done so already
            pass
    transcript = Transcript(path, prompt_id)
    deadline = time.monotonic() + sum(MAX_WAIT[name] for name in event)
    while not transcript.ended:
        late = time.monotonic() >= deadline
        try:
            transcript.read()
        except FileNotFoundError:
            if late:
                raise
        if late:
            break
        time.sleep(POLL_INTERVAL)
    messages = dict(transcript.messages)
    for subagent in read_subagents(path, prompt_id):
        messages.update(subagent)
    counts = {name: sum(used.get(key) or 0 for _, used in messages.values()) for name, key in FIELDS.items()}
    usage = counts if messages and (transcript.ended or event != ["Stop"]) else {}
    models = [model for model, _ in transcript.messages.values()]
    model = models[-1] if models else None
    line = {"usage": usage, "model": model, "complete": transcript.ended, "stop_hooks": transcript.stop_hooks}
    joined = {"joined": transcript.joined} if transcript.joined else {}
    append(log, line | joined | ({"files": transcript.files} if transcript.ended else {}))


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except BaseException as error:
        try:
            note_failure("usage", error)
        finally:
            os._exit(0)
