"""Hook of every event but plain MessageDisplay: appends the payload (standard input) to the turn's log.

A guest in the owner's Claude: whatever happens it exits 0 and prints nothing, except the answer to a PermissionRequest
that it was started to wait for. Standard library only: it is run with `python3 -I -S`, outside any environment.

Told by environment variables: PALIADIN_HOOK_SESSION (the session's folder), PALIADIN_HOOK_TURNS (the turns' folder),
PALIADIN_HOOK_WAIT (seconds to wait for an answer).
"""

import json
import os
import re
import signal
import sys
import time

LONGEST = 256 * 1024  # bytes of a record; beyond, long strings are cut and the record is marked
KEPT = 16 * 1024  # characters kept of a string that is cut
MARK = "… [cut by Paliadin: {} more characters]"
ENVELOPE = re.compile(r"\[PALIADIN:([0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12})\]")
PROMPT_ID = re.compile(r"[0-9a-f-]{1,64}")
LOOK_EVERY = 0.05  # seconds between looks for an answer


def main():
    os.umask(0o077)
    session = os.environ.get("PALIADIN_HOOK_SESSION", "")
    if not os.path.isdir(session):
        return
    payload = json.loads(sys.stdin.buffer.read())
    event = payload.get("hook_event_name")
    prompt_id = payload.get("prompt_id") or ""
    folder = os.path.join(session, "prompts", prompt_id) if PROMPT_ID.fullmatch(prompt_id) else ""
    if event == "UserPromptSubmit" and folder and not os.path.isdir(folder):
        bind(session, folder, prompt_id, payload)
    if not os.path.isdir(folder):
        append(os.path.join(session, "events.jsonl"), {"hook": payload})
        return
    log = os.path.join(folder, "events.jsonl")
    if event == "PermissionRequest":
        wait_for_answer(folder, log, payload)
        return
    if event == "PostToolBatch":
        payload["tool_calls"] = [outline(call) for call in payload.get("tool_calls") or []]
    append(log, {"hook": payload})
    if event in ("Stop", "StopFailure"):
        count_tokens(log, payload)


def bind(session, folder, prompt_id, payload):
    """Tell which turn this prompt is: the one in its envelope, once; otherwise a turn of its own.

    The relay has put a link to the turn into expected/. Renaming it claims the turn and binds the prompt in one step:
    the same envelope, sent again by hand, finds nothing to claim.
    """
    match = ENVELOPE.match(payload.get("prompt") or "")
    os.makedirs(os.path.dirname(folder), mode=0o700, exist_ok=True)
    try:
        os.rename(os.path.join(session, "expected", match.group(1)), folder)
    except (OSError, AttributeError):
        os.symlink(own_turn(session, payload), folder)
    with open(os.path.join(folder, "prompt_id"), "w", encoding="ascii") as file:
        file.write(prompt_id)


def turn_folder(turn_id):
    """A UUIDv7 begins with its milliseconds: they name the day's folder (UTC)."""
    day = time.strftime("%Y-%m-%d", time.gmtime((int(turn_id.replace("-", ""), 16) >> 80) / 1000))
    return os.path.join(os.environ["PALIADIN_HOOK_TURNS"], day, turn_id)


def own_turn(session, payload):
    """A prompt typed by hand (`terminal`) or made by Claude itself when a background task ends (`agent`)."""
    prompt = payload.get("prompt") or ""
    at = time.time_ns() // 1_000_000
    value = at << 80 | 0x7 << 76 | int.from_bytes(os.urandom(10), "big") & ~(0xF << 76) & ~(0b11 << 62) | 0b10 << 62
    digits = f"{value:032x}"
    turn_id = "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))
    turn = turn_folder(turn_id)
    os.makedirs(os.path.join(turn, "answers"), mode=0o700)
    description = {
        "turn_id": turn_id,
        "session_id": os.path.basename(session),
        "origin": "agent" if prompt.lstrip().startswith("<task-notification>") else "terminal",
        "user_message": prompt,
    }
    temporary = os.path.join(turn, ".turn.json")
    with open(temporary, "w", encoding="utf-8", errors="replace") as file:
        json.dump(description, file)
    os.rename(temporary, os.path.join(turn, "turn.json"))
    append(os.path.join(turn, "events.jsonl"), {"relay": {"kind": "accepted"}})
    append(os.path.join(session, "events.jsonl"), {"own_turn": turn_id})
    return turn


def append(path, record):
    """One write on an O_APPEND descriptor: never torn, however many hooks write at once."""
    record = {"at": time.time_ns() // 1_000_000, **record}
    data = encode(record)
    if len(data) > LONGEST and "hook" in record:
        record["cut"] = True
        record["hook"] = cut(record["hook"])
        data = encode(record)
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        if os.write(descriptor, data) < len(data):
            raise OSError("the disk is full")
    finally:
        os.close(descriptor)


def encode(record):
    return b"\n" + json.dumps(record, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


def cut(value, key=""):
    """Long strings and lists, shortened. What the user reads of the answer is never shortened."""
    if isinstance(value, str) and len(value) > KEPT and key not in ("delta", "last_assistant_message"):
        return value[:KEPT] + MARK.format(len(value) - KEPT)
    if isinstance(value, list):
        return [cut(item) for item in value[:1000]]
    if isinstance(value, dict):
        return {name: cut(item, name) for name, item in list(value.items())[:1000]}
    return value


def outline(call):
    """Of a batch only what tells of calls that no other hook reports: those refused, or malformed."""
    response = call.get("tool_response")
    told = response if isinstance(response, str) else ""
    return {"tool_name": call.get("tool_name"), "tool_use_id": call.get("tool_use_id"), "tool_response": told[:500]}


def wait_for_answer(folder, log, payload):
    """Keep the dialog open until the page, the terminal or the clock answers; print the page's decision."""
    interrupt_id = os.urandom(8).hex()
    signal.signal(signal.SIGTERM, lambda *_: closed(log, interrupt_id, "terminal"))
    parent = os.getppid()
    append(log, {"interrupt": interrupt_id, "hook": payload})
    start = os.path.getsize(log)
    path = os.path.join(folder, "answers", interrupt_id + ".json")
    deadline = time.monotonic() + float(os.environ.get("PALIADIN_HOOK_WAIT", "3600"))
    while time.monotonic() < deadline:
        answer = read_answer(path)
        if answer is not None:
            decide(log, interrupt_id, answer)
            return
        if os.getppid() != parent or not os.path.isdir(folder):
            closed(log, interrupt_id, "cancel")
        if os.path.getsize(log) > start:
            start, ran = tool_ran(log, start, payload)
            if ran:  # allowed in the terminal: nothing but the tool's result tells
                closed(log, interrupt_id, "terminal")
        time.sleep(LOOK_EVERY)
    late = {"behavior": "deny", "message": "Nobody answered in time."}
    decide(log, interrupt_id, {"by": "timeout", "decision": late})


def read_answer(path):
    try:
        with open(path, encoding="utf-8") as file:
            answer = json.load(file)
        return answer if isinstance(answer, dict) else None
    except (OSError, ValueError):
        return None


def decide(log, interrupt_id, answer):
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    decision = answer.get("decision")
    try:
        append(log, {"answer": interrupt_id, "by": answer.get("by"), "value": answer.get("value")})
    finally:
        if isinstance(decision, dict) and decision.get("behavior") in ("allow", "deny"):  # else: in the terminal
            output = {"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": decision}}
            os.write(1, json.dumps(output).encode())


def closed(log, interrupt_id, by):
    try:
        append(log, {"answer": interrupt_id, "by": by})
    finally:
        os._exit(0)


def tool_ran(log, start, payload):
    """(where to go on, whether a result of just this tool call has come)."""
    with open(log, "rb") as file:
        file.seek(start)
        data = file.read()
    whole = data.rfind(b"\n") + 1
    for raw in data[:whole].split(b"\n"):
        try:
            hook = json.loads(raw).get("hook") or {} if raw else {}
        except ValueError:
            continue
        same = hook.get("tool_name") == payload.get("tool_name") and hook.get("tool_input") == payload.get("tool_input")
        if same and hook.get("hook_event_name") in ("PostToolUse", "PostToolUseFailure"):
            return start + whole, True
    return start + whole, False


def count_tokens(log, payload):
    """In a process of its own: the transcript is complete up to 2 s after Stop, and Stop must not wait."""
    if os.fork():
        return
    os.setsid()
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    usage = os.path.join(os.path.dirname(os.path.abspath(__file__)), "usage.py")
    arguments = [sys.executable, "-I", "-S", usage, "--wait", payload["transcript_path"], payload["prompt_id"], log]
    os.execv(sys.executable, arguments)  # noqa: S606  # a list of arguments; no shell is wanted


if __name__ == "__main__":
    try:
        if sys.argv[1:] != ["--check"]:  # asked before an `exec`: does this run at all?
            main()
    except BaseException:
        pass
    finally:
        os._exit(0)
