"""usage.py [--wait] TRANSCRIPT PROMPT_ID LOG: count the tokens of one prompt, append the sum to the turn's log.

Claude Code writes one assistant entry per content block, with the usage of its whole API message: each message id
counts once. A prompt's entries lie between its user entry and the next prompt's; subagents have files of their own.
With --wait it waits for the entry that ends the turn (turn_duration), 2 seconds at most. Standard library only.
"""

import json
import os
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from record import append

NAMES = {
    "input_tokens": "input_tokens",
    "output_tokens": "output_tokens",
    "cache_read_tokens": "cache_read_input_tokens",
    "cache_write_tokens": "cache_creation_input_tokens",
}
LONGEST_WAIT = 2.0  # seconds
LOOK_EVERY = 0.01


class Transcript:
    """What one transcript file says of one prompt, read on from where the last look ended."""

    def __init__(self, path, prompt_id):
        self.path, self.prompt_id = path, prompt_id
        self.offset, self.rest = 0, b""
        self.inside = self.ended = False
        self.messages = {}  # API message id -> (model, usage)

    def read(self):
        with open(self.path, "rb") as file:
            file.seek(self.offset)
            data = file.read()
        self.offset += len(data)
        *whole, self.rest = (self.rest + data).split(b"\n")
        for raw in whole:
            if b'"promptId"' in raw or b'"usage"' in raw or b"turn_duration" in raw:
                try:
                    self.take(json.loads(raw))
                except (ValueError, AttributeError):
                    continue

    def take(self, entry):
        if entry.get("type") == "user" and entry.get("promptId"):
            self.inside = entry["promptId"] == self.prompt_id
        elif self.inside and entry.get("type") == "assistant":
            message = entry.get("message") or {}
            if message.get("usage") and message.get("model") != "<synthetic>":
                self.messages[message.get("id")] = (message.get("model"), message["usage"])
        elif self.inside and entry.get("subtype") == "turn_duration":
            self.ended = True


def subagents(transcript, prompt_id):
    folder = os.path.join(os.path.splitext(transcript)[0], "subagents")
    if not os.path.isdir(folder):
        return
    for name in sorted(os.listdir(folder)):
        if name.endswith(".jsonl"):
            reader = Transcript(os.path.join(folder, name), prompt_id)
            reader.read()
            yield reader.messages


def main(arguments):
    wait = arguments[0] == "--wait"
    path, prompt_id, log = arguments[-3:]
    transcript = Transcript(path, prompt_id)
    deadline = time.monotonic() + (LONGEST_WAIT if wait else 0.0)
    transcript.read()
    while not transcript.ended and time.monotonic() < deadline:
        time.sleep(LOOK_EVERY)
        transcript.read()
    messages = dict(transcript.messages)
    for more in subagents(path, prompt_id):
        messages.update(more)
    total = {name: sum(usage.get(key) or 0 for _, usage in messages.values()) for name, key in NAMES.items()}
    models = [model for model, _ in transcript.messages.values()]
    append(log, {"usage": total, "model": models[-1] if models else None, "complete": transcript.ended})


if __name__ == "__main__":
    try:
        main(sys.argv[1:])
    except BaseException:
        os._exit(0)
