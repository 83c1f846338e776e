"""The hook of every event: appends its payload (standard input) to the turn's log.

Short payloads of MessageDisplay, UserPromptSubmit and Stop are taken by display.sh, submit.sh and stop.sh, which are
faster. The hook is a guest in the owner's Claude: whatever happens it exits 0 and prints nothing, except the decision
of a PermissionRequest, for which it waits. It uses the standard library only, since it runs with `python3 -I -S`,
outside any environment. What fails is noted in the session's hooks.log.

Environment variables: PALIADIN_HOOK_SESSION (the session's folder), PALIADIN_HOOK_TURNS (the turns' folder),
PALIADIN_HOOK_WAIT (seconds to wait for the user's reply).
"""

import contextlib
import errno
import json
import os
import re
import signal
import sys
import time

MAX_RECORD = 256 * 1024  # bytes; in a longer record long strings are cut, and the record is marked
MAX_STRING = 16 * 1024  # characters that are kept of a string that is cut
CUT_MARK = "… [cut by Paliadin: {} more characters] …"
MAX_ITEMS = 1000  # of a list or an object that is cut
ENVELOPE = re.compile(r"\[PALIADIN:([0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12})\]")
PROMPT_ID = re.compile(r"[0-9a-f-]{1,64}")
PATHS = {"NotebookEdit": "notebook_path", "NotebookRead": "notebook_path"}  # field of a tool that names its file
PATHS.update(dict.fromkeys(("Glob", "Grep", "LS"), "path"))  # all other tools: "file_path"
POLL_INTERVAL = 0.05  # seconds between looks for a reply


def main():
    """Take the payload from standard input; note what fails."""
    os.umask(0o077)
    session = os.environ.get("PALIADIN_HOOK_SESSION", "")
    if not os.path.isdir(session):
        return
    event = None
    try:
        payload = json.loads(sys.stdin.buffer.read())
        event = payload.get("hook_event_name")
        try:
            note_mode(session, payload)
        except (OSError, ValueError) as error:
            note_failure(event, error)
        log_payload(session, event, payload)
    except BaseException as error:
        note_failure(event, error)


def note_mode(session, payload):
    """Keep the permission mode, where there is a status line that shows it; a subagent's is its own."""
    mode, path = payload.get("permission_mode"), os.path.join(session, "permission_mode")
    if isinstance(mode, str) and mode.isalpha() and "agent_id" not in payload and os.path.isfile(path):
        with open(path, "r+", encoding="ascii", errors="replace") as file:
            if file.read(100) != mode:
                file.seek(0)
                file.write(mode)
                file.truncate()


def log_payload(session, event, payload):
    """Append the payload to the turn's log, or to the session's when its prompt belongs to no turn."""
    prompt_id = payload.get("prompt_id") or ""
    folder = os.path.join(session, "prompts", prompt_id) if PROMPT_ID.fullmatch(prompt_id) else ""
    if event == "UserPromptSubmit" and folder and not os.path.isdir(folder):
        bind(session, folder, prompt_id, payload)
    if not os.path.isdir(folder):
        append(os.path.join(session, "events.jsonl"), {"hook": payload})
        return
    log = os.path.join(folder, "events.jsonl")
    if event == "PostToolUse" and may_hold_picture(payload.get("tool_response")):
        keep_pictures(event, folder, payload)
    if event == "PermissionRequest":
        wait_for_reply(folder, log, payload)
        return
    if event == "PostToolBatch":
        payload["tool_calls"] = [outline(call) for call in payload.get("tool_calls") or []]
    append(log, {**clock(event), "hook": payload})
    if event in ("Stop", "StopFailure"):
        count_tokens(log, payload)


def keep_pictures(event, folder, payload):
    """Let files stand in place of a result's pictures: see pictures.py. A failure loses the pictures only."""
    try:
        sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
        import pictures  # noqa: PLC0415  # rarely needed

        payload["tool_response"] = pictures.keep_pictures(folder, payload["tool_response"])
    except Exception as error:
        note_failure(event, error)


def may_hold_picture(response, depth=0):
    """If a tool's result has a block that says it is a picture."""
    if isinstance(response, list) and depth < 4:
        return any(may_hold_picture(item, depth + 1) for item in response)
    if not isinstance(response, dict) or depth >= 4:
        return False
    is_one = response.get("type") == "image" or response.get("isImage") is True
    return is_one or any(may_hold_picture(item, depth + 1) for item in response.values())


def bind(session, folder, prompt_id, payload):
    """Link the prompt to its turn: the one that its envelope names, or else a new turn of its own.

    The relay has put a link to the turn into expected/. Renaming that link claims the turn and binds the prompt in one
    step. An envelope that is sent a second time, by hand, finds no link and gets a turn of its own.
    """
    turn_id = turn_of(session, payload.get("prompt") or "")
    os.makedirs(os.path.dirname(folder), mode=0o700, exist_ok=True)
    try:
        os.rename(os.path.join(session, "expected", turn_id), folder)
    except OSError:
        os.symlink(create_own_turn(session, payload), folder)
    with open(os.path.join(folder, "prompt_id"), "w", encoding="ascii") as file:
        file.write(prompt_id)


def turn_of(session, prompt):
    """The id of the turn that a prompt may belong to, or "none".

    Its envelope names it. A command has none, since that would be its first argument: the relay has written down which
    text it is about to type, and for which turn.
    """
    match = ENVELOPE.match(prompt)
    if match:
        return match.group(1)
    if prompt.startswith("/"):
        with contextlib.suppress(OSError, ValueError, KeyError):
            with open(os.path.join(session, "command.json"), encoding="utf-8") as file:
                expected = json.load(file)
            if expected["prompt"].strip() == prompt.strip():
                return expected["turn_id"]
    return "none"


def turn_folder(turn_id):
    """The path of a turn's folder. Its id, a UUIDv7, begins with the time, and so gives the folder of its day (UTC)."""
    day = time.strftime("%Y-%m-%d", time.gmtime((int(turn_id.replace("-", ""), 16) >> 80) / 1000))
    return os.path.join(os.environ["PALIADIN_HOOK_TURNS"], day, turn_id)


def create_own_turn(session, payload):
    """Create the folder of a turn that Paliadin did not start; return its path.

    Its origin is `terminal` for a prompt that somebody typed, `agent` for one that Claude Code itself makes when a
    background task ends.
    """
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


def clock(event):
    """When a text's hook was started, and until when Claude Code waited for another one. Without /proc (macOS): {}.

    Both in the kernel's ticks since boot (1/100 s). A text's hook runs beside those of the tools that follow it, so its
    line may be written after theirs: the reducer finds that out by these times.
    """
    try:
        with open("/proc/self/stat", encoding="utf-8", errors="replace") as file:
            started = int(file.read().rpartition(")")[2].split()[19])
    except OSError:
        return {}
    if event == "MessageDisplay":
        return {"started": started}
    return {"ended": time.clock_gettime_ns(time.CLOCK_BOOTTIME) * os.sysconf("SC_CLK_TCK") // 10**9}


def append(path, record):
    """Append a record, with the time, in one write on an O_APPEND descriptor: the lines of several hooks never mix."""
    record = {"at": time.time_ns() // 1_000_000, **record}
    data = encode(record)
    if len(data) > MAX_RECORD and "hook" in record:
        record["cut"] = True
        record["hook"] = shorten(record["hook"])
        data = encode(record)
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        if os.write(descriptor, data) < len(data):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    finally:
        os.close(descriptor)


def note_failure(event, error):
    """Note a failure in the session's hooks.log: see note.py, which is needed for nothing else."""
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    import note  # noqa: PLC0415

    note.note_failure(event, error)


def encode(record):
    """The bytes of a record: newline, JSON object, newline."""
    return b"\n" + json.dumps(record, ensure_ascii=False).encode("utf-8", "replace") + b"\n"


def shorten(value, key=""):
    """Copy a JSON value with its long strings and lists cut, but not the text of the answer.

    Of a string both ends are kept: what a user is asked to allow may have its point at the end.
    """
    if isinstance(value, str) and len(value) > MAX_STRING and key not in ("delta", "last_assistant_message"):
        head = MAX_STRING * 3 // 4
        return value[:head] + CUT_MARK.format(len(value) - MAX_STRING) + value[head - MAX_STRING :]
    if isinstance(value, list):
        return [shorten(item) for item in value[:MAX_ITEMS]] + missing_items(value)
    if isinstance(value, dict):
        kept = {name: shorten(item, name) for name, item in list(value.items())[:MAX_ITEMS]}
        return {**kept, **dict.fromkeys(missing_items(value), True)}
    return value


def missing_items(values):
    """A list of what stands for the items of a list or an object that are cut off; [] if there are none."""
    more = len(values) - MAX_ITEMS
    return [f"… [cut by Paliadin: {more} more items]"] if more > 0 else []


def outline(call):
    """Reduce a call of a PostToolBatch to its name, id and text: enough for a call that no other hook reports."""
    response = call.get("tool_response")
    text = response if isinstance(response, str) else ""
    return {"tool_name": call.get("tool_name"), "tool_use_id": call.get("tool_use_id"), "tool_response": text[:500]}


def wait_for_reply(folder, log, payload):
    """Wait until the user replies on the page or in the terminal, or time is up; print the decision, if there is one.

    Claude Code keeps its dialog open meanwhile, and ends this hook (SIGTERM) when the user replies there.
    """
    interrupt_id = os.urandom(8).hex()
    signal.signal(signal.SIGTERM, lambda *_: close_interrupt(log, interrupt_id, "terminal"))
    parent = os.getppid()
    append(log, {"interrupt": interrupt_id, **look_at_file(payload), "hook": payload})
    start = os.path.getsize(log)
    path = os.path.join(folder, "answers", interrupt_id + ".json")
    deadline = time.monotonic() + float(os.environ.get("PALIADIN_HOOK_WAIT", "3600"))
    while time.monotonic() < deadline:
        reply = read_reply(path)
        if reply is not None:
            decide(log, interrupt_id, reply)
            return
        if os.getppid() != parent or not os.path.isdir(folder):  # Claude Code ended, or the turn was deleted
            close_interrupt(log, interrupt_id, "cancel")
        if os.path.getsize(log) > start:
            start, ran = find_result(log, start, payload)
            if ran:  # allowed in the terminal: the tool's result is the only sign of that
                close_interrupt(log, interrupt_id, "terminal")
        time.sleep(POLL_INTERVAL)
    refusal = {"behavior": "deny", "message": "Nobody answered in time."}
    decide(log, interrupt_id, {"by": "timeout", "decision": refusal})


def look_at_file(payload):
    """What the user cannot see of the file that the call names: {"file": {"exists", "leads_to"?}}, or {} without one.

    `leads_to` is the file that is really meant where a link stands in the path. What cannot be found out is left out.
    The path is read as Claude Code reads it: without blanks around it, with ~/ as the home folder.
    """
    tool_input = payload.get("tool_input")
    named = tool_input if isinstance(tool_input, dict) else {}
    path, folder = named.get(PATHS.get(payload.get("tool_name"), "file_path")), payload.get("cwd")
    if not isinstance(path, str) or not path.strip() or not isinstance(folder, str):
        return {}
    try:
        path = path.strip()
        path = os.path.expanduser(path) if path.startswith("~/") else path
        path = os.path.normpath(os.path.join(folder, path))
        real, real_folder = os.path.realpath(path), os.path.realpath(folder)
        inside = os.path.relpath(path, folder) if path.startswith(os.path.normpath(folder) + os.sep) else None
        expected = (os.path.join(real_folder, inside),) if inside else (path, "/private" + path)  # macOS: /tmp, /etc
        return {"file": {"exists": is_there(real), **({} if real in expected else {"leads_to": real})}}
    except (OSError, ValueError):
        return {}


def is_there(path):
    """If there is such a file; raises OSError where that cannot be found out."""
    try:
        os.stat(path)
    except (FileNotFoundError, NotADirectoryError):
        return False
    return True


def read_reply(path):
    """The reply {"by", "value", "decision"} that the relay has written; None when there is none yet."""
    try:
        with open(path, encoding="utf-8") as file:
            reply = json.load(file)
        return reply if isinstance(reply, dict) else None
    except (OSError, ValueError):
        return None


def decide(log, interrupt_id, reply):
    """Log the reply and print its decision for Claude Code; without a decision, the dialog in the terminal stays."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    decision = reply.get("decision")
    try:
        append(log, {"answer": interrupt_id, "by": reply.get("by"), "value": reply.get("value")})
    finally:
        if isinstance(decision, dict) and decision.get("behavior") in ("allow", "deny"):
            output = {"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": decision}}
            os.write(1, json.dumps(output).encode())


def close_interrupt(log, interrupt_id, by):
    """Log that the interrupt is closed without a reply from the page, and end this process."""
    try:
        append(log, {"answer": interrupt_id, "by": by})
    except OSError as error:
        if os.path.isdir(os.path.dirname(log)):  # else the turn was deleted, and needs no end
            note_failure("PermissionRequest", error)
    finally:
        os._exit(0)


def find_result(log, start, payload):
    """Look in the log from `start` on for a result of this same tool call; return (the next start, if it is there)."""
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
    """Start usage.py in a process of its own: Stop must not wait for the transcript, which may take seconds."""
    if os.fork():
        return
    null = os.open(os.devnull, os.O_RDWR)
    for descriptor in (0, 1, 2):
        os.dup2(null, descriptor)
    usage = os.path.join(os.path.dirname(os.path.abspath(__file__)), "usage.py")
    arguments = [payload["hook_event_name"], payload["transcript_path"], payload["prompt_id"], log]
    os.execv(sys.executable, [sys.executable, "-I", "-S", usage, *arguments])  # noqa: S606  # a list of arguments; no shell is wanted


if __name__ == "__main__":
    try:
        if sys.argv[1:] != ["--check"]:  # hooks.json tries if Python can run this file, before it uses `exec`
            main()
    except BaseException:
        pass
    finally:
        os._exit(0)
