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
import sys
import time

MAX_RECORD = 256 * 1024  # bytes; in a longer record long strings are cut, and the record is marked
MAX_STRING = 16 * 1024  # characters that are kept of a string that is cut
CUT_MARK = "… [cut by Paliadin: {} more characters] …"
MAX_ITEMS = 1000  # of a list or an object that is cut
ENVELOPE = re.compile(r"\[PALIADIN:([0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12})\]")
BY_AGENT = re.compile(r"""\s*(?:<task-notification>|Background agent "[^\n]*" was stopped by the user\.\s*\Z)""")
PROMPT_ID = re.compile(r"[0-9a-f-]{1,64}")
POLL_INTERVAL = 0.05  # seconds between looks for a prompt in the transcript
WORK = ("MessageDisplay", "PreToolUse", "PermissionRequest", "Stop", "StopFailure")  # events that only a turn has
PROMPT_WAIT = 3.0  # seconds; Claude waits as long where nobody has told of a prompt
TAIL = 4 * 1024 * 1024  # bytes at the end of a transcript in which a prompt is looked for


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
    elif event in WORK and folder and not os.path.lexists(folder) and "agent_id" not in payload:
        adopt(session, folder, prompt_id, payload)
    if event == "PermissionRequest" and (os.path.isdir(folder) or "agent_id" in payload):
        wait_for_reply(folder if os.path.isdir(folder) else None, payload)
        return
    if not os.path.isdir(folder):
        append(os.path.join(session, "events.jsonl"), {"hook": payload})
        return
    log = os.path.join(folder, "events.jsonl")
    if event == "PostToolUse" and may_hold_picture(payload.get("tool_response")):
        keep_pictures(event, folder, payload)
    if event == "PostToolBatch":
        payload["tool_calls"] = [outline(call) for call in payload.get("tool_calls") or []]
    append(log, {**clock(event), **of_agent(session, folder, payload), "hook": payload})
    if event in ("Stop", "StopFailure"):
        count_tokens(log, payload)


def of_agent(session, folder, payload):
    """Mark what an agent does that an earlier turn has started: its hooks have the id of the newest prompt."""
    agent = payload.get("agent_id")
    if not isinstance(agent, str):
        return {}
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    try:
        from interrupt import is_from_before  # noqa: PLC0415  # rarely needed

        return {"from_before": True} if is_from_before(session, folder, agent) else {}
    except Exception as error:
        note_failure(payload.get("hook_event_name"), error)
        return {}


def keep_pictures(event, folder, payload):
    """Let files stand in place of a result's pictures: see pictures.py. A failure loses the pictures only."""
    try:
        sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
        import pictures  # noqa: PLC0415  # rarely needed

        payload["tool_response"] = pictures.keep_pictures(folder, payload["tool_response"])
    except Exception as error:
        note_failure(event, error)


def may_hold_picture(response, depth=0):
    """True if a tool's result has a block that says it is a picture."""
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
        turn = create_own_turn(session, payload.get("prompt") or "")
        os.symlink(turn, folder)
        announce(session, turn)
    with open(os.path.join(folder, "prompt_id"), "w", encoding="ascii") as file:
        file.write(prompt_id)


def adopt(session, folder, prompt_id, payload):
    """Give a prompt a turn of its own whose UserPromptSubmit never told its id.

    2.1.330 submits what is typed while it works with the id of the running turn, and answers it later with a new id.
    Several hooks may come here at once: the first link wins.
    """
    prompt = find_prompt(payload.get("transcript_path"), prompt_id)
    if prompt.lstrip().startswith(("<local-command", "<command-name>")):
        return
    turn = create_own_turn(session, prompt)
    append(os.path.join(turn, "events.jsonl"), {"step": "prompted", "text": prompt})
    with open(os.path.join(turn, "prompt_id"), "w", encoding="ascii") as file:
        file.write(prompt_id)
    try:
        os.symlink(turn, folder)
    except FileExistsError:
        remove_tree(turn)
        return
    announce(session, turn)


def remove_tree(folder):
    """Remove a folder of ours; shutil takes 13 ms to import, which every other hook would pay."""
    import shutil  # noqa: PLC0415

    shutil.rmtree(folder, ignore_errors=True)


def find_prompt(path, prompt_id):
    """The prompt with this id, as the transcript has it: its entry may come a little later than the first hook.

    Prompts that waited together are answered together, under the id of the last: those before it stand in front of it.
    """
    deadline = time.monotonic() + PROMPT_WAIT
    while time.monotonic() < deadline:
        waited = {}  # uuid of an entry that waited → its text, with those of the ones before it
        for entry in read_end(path):
            before = waited.get(entry.get("parentUuid"), ())
            texts = (*before, text_of(entry))
            if entry.get("type") == "user" and entry.get("promptId") == prompt_id:
                return "\n\n".join(texts)
            if entry.get("promptSource") == "queued":
                waited[entry.get("uuid")] = texts
        time.sleep(POLL_INTERVAL)
    return ""


def text_of(entry):
    """The text of a prompt's entry."""
    content = (entry.get("message") or {}).get("content")
    if isinstance(content, list):
        content = "\n".join(str(block.get("text", "")) for block in content if isinstance(block, dict))
    return str(content or "")


def read_end(path):
    """Yield the entries at the end of a transcript that name a prompt."""
    try:
        with open(path, "rb") as file:
            file.seek(max(os.path.getsize(path) - TAIL, 0))
            lines = file.read().split(b"\n")
    except (OSError, TypeError):
        return
    for line in lines:
        if b'"promptId"' in line:
            with contextlib.suppress(ValueError):
                entry = json.loads(line)
                if isinstance(entry, dict):
                    yield entry


def announce(session, turn):
    """Tell the daemon of a turn that it did not start."""
    append(os.path.join(session, "events.jsonl"), {"own_turn": os.path.basename(turn)})


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


def create_own_turn(session, prompt):
    """Create the folder of a turn that Paliadin did not start; return its path.

    Its origin is `terminal` for a prompt that somebody typed, `agent` for one that Claude Code itself makes when a
    background task ends.
    """
    origin = "agent" if BY_AGENT.match(prompt) else "terminal"
    return create_turn(session, {"origin": origin, "user_message": prompt}, transcript_read=True)


def create_turn(session, description, **accepted):
    """Create the folder of a turn with this description; return its path."""
    at = time.time_ns() // 1_000_000
    value = at << 80 | 0x7 << 76 | int.from_bytes(os.urandom(10), "big") & ~(0xF << 76) & ~(0b11 << 62) | 0b10 << 62
    digits = f"{value:032x}"
    turn_id = "-".join((digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]))
    turn = turn_folder(turn_id)
    os.makedirs(os.path.join(turn, "answers"), mode=0o700)
    description = {"turn_id": turn_id, "session_id": os.path.basename(session), **description}
    temporary = os.path.join(turn, ".turn.json")
    with open(temporary, "w", encoding="utf-8", errors="replace") as file:
        json.dump(description, file)
    os.rename(temporary, os.path.join(turn, "turn.json"))
    append(os.path.join(turn, "events.jsonl"), {"step": "accepted", **accepted})
    return turn


def clock(event):
    """The time when a text's hook was started, or until which Claude Code waited for another. No /proc (macOS): {}.

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


def wait_for_reply(folder, payload):
    """Wait for the user's reply: see interrupt.py, which is needed for nothing else."""
    sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
    sys.dont_write_bytecode = True
    import interrupt  # noqa: PLC0415

    interrupt.wait_for_reply(folder, payload)


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
