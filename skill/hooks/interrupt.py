"""Waits for the user's reply to what Claude asks: the hook PermissionRequest, called by log_event.py.

It logs the interrupt, looks for the reply that the relay writes, and prints the decision for Claude Code.
"""

import json
import os
import re
import signal
import stat
import time

from log_event import announce, append, create_turn, note_failure

PATHS = {"NotebookEdit": "notebook_path", "NotebookRead": "notebook_path"}  # field of a tool that names its file
PATHS.update(dict.fromkeys(("Glob", "Grep", "LS"), "path"))  # all other tools: "file_path"
PLAN_TOOL = "ExitPlanMode"
MAX_PLAN = 4 * 1024 * 1024  # bytes
POLL_INTERVAL = 0.05  # seconds between looks for a reply
SETTLED, EMPTIED = 0.25, 3.0  # seconds for which a plan's file stays as it is: it may be half written before, or empty
MAX_EARLIER = 10  # prompts, of which those that were stopped list no agents
MAX_WORDS = 200  # characters of an agent's id, its kind and its task's description
ENDS = ("settled", "aborted", "failed")  # the steps that end a turn
TELLS = re.compile(rb'"(PostToolUse|PostToolUseFailure|Stop|StopFailure|settled|aborted|failed)"')


def wait_for_reply(folder, payload):
    """Wait until the user replies on the page or in the terminal, or time is up; print the decision, if there is one.

    Claude Code keeps its dialog open meanwhile, and ends this hook (SIGTERM) when the user replies there. For an agent
    that works in the background it draws none, and its turn may be over, or gone (`folder` is None after /clear): then
    what it asks becomes a turn of its own.
    """
    interrupt = Interrupt(folder, payload)
    signal.signal(signal.SIGTERM, lambda *_: interrupt.close("cancel" if interrupt.is_own_turn else "terminal"))
    parent = os.getppid()
    lines = NewLines(folder)
    before = lines.read()
    interrupt.open(folder is None or ("agent_id" in payload and any(map(ends_turn, before))))
    deadline = time.monotonic() + float(os.environ.get("PALIADIN_HOOK_WAIT", "3600"))
    while time.monotonic() < deadline:
        reply = interrupt.read_reply()
        if not interrupt.has_settled_plan():
            reply = None  # it was to the plan as it stood there before
        if reply is not None:
            decide(interrupt, reply)
            return
        if os.getppid() != parent or not os.path.isdir(interrupt.folder):  # Claude Code ended, or the turn was deleted
            interrupt.close("cancel")
        new = lines.read()
        if any(is_result_of(payload, line) for line in new):  # allowed in the terminal: its only sign
            interrupt.close("terminal")
        if "agent_id" in payload and not interrupt.is_own_turn and any(map(ends_turn, new)):
            interrupt.open(is_over=True)
        time.sleep(POLL_INTERVAL)
    refusal = {"behavior": "deny", "message": "Nobody answered in time."}
    decide(interrupt, {"by": "timeout", "decision": refusal})


class Interrupt:
    """A permission or a question that waits: in the turn whose prompt led to it, or in a turn of its own."""

    def __init__(self, folder, payload):
        self.id, self.folder, self.payload = os.urandom(8).hex(), folder, payload
        self.is_own_turn = False
        self._asked_in = folder
        self._plan_seen, self._plan_since = None, 0.0  # how the plan's file is, and since when it is so
        self._plan_read = None  # how it was when it was read last

    @property
    def log(self):
        return os.path.join(self.folder, "events.jsonl")

    def open(self, is_over):
        """Log it; `is_over`: in a turn of its own, since nobody follows the log of its turn any more."""
        if is_over:
            self.folder, self.is_own_turn = create_request_turn(self._asked_in, self.payload), True
        more = {**look_at_file(self.payload), **find_plan(self._asked_in, self.payload)}
        append(self.log, {"interrupt": self.id, **more, "hook": self.payload})
        if is_over:
            announce(os.environ["PALIADIN_HOOK_SESSION"], self.folder)

    def has_settled_plan(self):
        """True if the plan shown is the one in its file, which Claude Code reads again when the plan is allowed.

        If the file holds another text now, it is asked anew with that.
        """
        tool_input = self.payload.get("tool_input")
        path = tool_input.get("planFilePath") if isinstance(tool_input, dict) else None
        if self.payload.get("tool_name") != PLAN_TOOL or not isinstance(path, str):
            return True
        before, self._plan_seen = self._plan_seen, state_of(path)
        if self._plan_seen != before:
            self._plan_since = time.monotonic()
        if self._plan_seen is None or self._plan_seen == self._plan_read:
            return True
        _, size, _ = self._plan_seen
        if time.monotonic() - self._plan_since < (SETTLED if size else EMPTIED):
            return False
        self._plan_read, text = self._plan_seen, read_text(path)
        if text is None or text.strip() == str(tool_input.get("plan")).strip():
            return True
        append(self.log, {"answer": self.id, "by": "changed", "value": None})
        self.id = os.urandom(8).hex()
        self.payload = {**self.payload, "tool_input": {**tool_input, "plan": text}}
        append(self.log, {"interrupt": self.id, "hook": self.payload})
        return False

    def read_reply(self):
        """The reply, wherever it was given: the turn may have ended just then. None if there is none yet."""
        folders = filter(None, (self.folder, self._asked_in))
        replies = (read_reply(os.path.join(each, "answers", self.id + ".json")) for each in folders)
        return next(filter(None, replies), None)

    def log_reply(self, by, value=None):
        """Log that it is over, and with it a turn of its own."""
        append(self.log, {"answer": self.id, "by": by, "value": value})
        if self.is_own_turn:
            append(self.log, {"step": "settled"})

    def close(self, by):
        """Log that it is over without a reply from the page, and end this process."""
        try:
            self.log_reply(by)
        except OSError as error:
            if os.path.isdir(self.folder):  # else the turn was deleted, and needs no end
                note_failure("PermissionRequest", error)
        finally:
            os._exit(0)


def decide(interrupt, reply):
    """Log the reply and print its decision for Claude Code; without a decision, the dialog in the terminal stays.

    An input that is changed is added to the tool's own.
    """
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    decision = reply.get("decision")
    try:
        interrupt.log_reply(reply.get("by"), reply.get("value"))
    finally:
        if isinstance(decision, dict) and decision.get("behavior") in ("allow", "deny"):
            added, tool_input = decision.get("updatedInput"), interrupt.payload.get("tool_input")
            if isinstance(added, dict) and isinstance(tool_input, dict):
                decision = {**decision, "updatedInput": {**tool_input, **added}}
            output = {"hookSpecificOutput": {"hookEventName": "PermissionRequest", "decision": decision}}
            os.write(1, json.dumps(output).encode())


def create_request_turn(folder, payload):
    """Create the folder of a turn for what an agent asks when no turn runs that could; return its path.

    `folder`: that of the last turn, or None.
    """
    agent, kind = str(payload.get("agent_id"))[:MAX_WORDS], str(payload.get("agent_type") or "")[:MAX_WORDS]
    words = agent_description(folder, agent)[:MAX_WORDS]
    asked_by = {"agent": agent, "kind": kind}
    description = {"origin": "agent", "user_message": words or kind, "asked_by": asked_by}
    return create_turn(os.environ["PALIADIN_HOOK_SESSION"], description)


def agent_description(folder, agent):
    """The words that Claude chose for the agent's task, as the turn's last Stop has them; "" if none has any."""
    stops = [hook_of(line) for line in NewLines(folder).read() if ends_turn(line)]
    tasks = [task for stop in stops for task in stop.get("background_tasks") or () if isinstance(task, dict)]
    return next((str(task.get("description") or "") for task in reversed(tasks) if task.get("id") == agent), "")


def is_from_before(session, folder, agent):
    """True if an earlier prompt than the folder's has started the agent: the last Stop before lists all agents then."""
    prompts = os.path.join(session, "prompts")
    links = [entry for entry in os.scandir(prompts) if os.path.realpath(entry.path) != os.path.realpath(folder)]
    at = os.lstat(folder).st_mtime_ns
    by_time = sorted(((entry.stat(follow_symlinks=False).st_mtime_ns, entry.path) for entry in links), reverse=True)
    for _, link in [each for each in by_time if each[0] <= at][:MAX_EARLIER]:
        lists = [hook_of(line).get("background_tasks") for line in NewLines(link).read() if ends_turn(line)]
        lists = [each for each in lists if isinstance(each, list)]
        if lists:
            return any(isinstance(task, dict) and task.get("id") == agent for task in lists[-1])
    return False


class NewLines:
    """Reads a turn's log in steps, but only the lines that end the turn or report a tool's result.

    Without a folder (None) there are none.
    """

    def __init__(self, folder):
        self._log, self._start = folder and os.path.join(folder, "events.jsonl"), 0

    def read(self):
        """The lines that were added since the last call, as objects."""
        try:
            if not self._log or os.path.getsize(self._log) <= self._start:
                return []
            with open(self._log, "rb") as file:
                file.seek(self._start)
                data = file.read()
        except OSError:  # the turn was deleted
            return []
        whole = data.rfind(b"\n") + 1
        self._start += whole
        return [line for raw in data[:whole].split(b"\n") if TELLS.search(raw) and (line := parse(raw))]


def parse(raw):
    """The object that a line of a log holds; None if it holds none."""
    try:
        line = json.loads(raw)
    except ValueError:
        return None
    return line if isinstance(line, dict) else None


def hook_of(line):
    """The payload of a hook that a line holds, or {}."""
    hook = line.get("hook")
    return hook if isinstance(hook, dict) else {}


def ends_turn(line):
    """True if Claude has stopped with this line, or the relay has ended the turn."""
    return hook_of(line).get("hook_event_name") in ("Stop", "StopFailure") or line.get("step") in ENDS


def is_result_of(payload, line):
    """True if the line is the result of the tool call that this payload asks about."""
    hook = hook_of(line)
    is_plan = payload.get("tool_name") == PLAN_TOOL  # 2.1.330 leaves the plan out of its result's input
    keys = ("tool_name", "agent_id") if is_plan else ("tool_name", "tool_input", "agent_id")
    is_same = all(hook.get(key) == payload.get(key) for key in keys)
    return is_same and hook.get("hook_event_name") in ("PostToolUse", "PostToolUseFailure")


def find_plan(folder, payload):
    """The plan of a call of ExitPlanMode whose input has none, where it can be found: see plan.py."""
    tool_input = payload.get("tool_input")
    has_plan = isinstance(tool_input, dict) and tool_input.get("plan")
    if payload.get("tool_name") != PLAN_TOOL or has_plan or folder is None:
        return {}
    try:
        import plan  # noqa: PLC0415  # beside this file, which was found there

        return plan.find(os.path.join(folder, "events.jsonl"), payload.get("transcript_path"))
    except (OSError, ValueError, AttributeError, TypeError, ImportError) as error:
        note_failure("PermissionRequest", error)
        return {}


def look_at_file(payload):
    """Look up what a user cannot see of the file that the call names: {"file": {"exists", "leads_to"?}}, or {}.

    `leads_to` is the file that is really meant where a link stands in the path. What cannot be found out is left out.
    The path is read as Claude Code reads it: without blanks around it, with ~/ as the home folder.
    """
    tool_input = payload.get("tool_input")
    fields = tool_input if isinstance(tool_input, dict) else {}
    path, folder = fields.get(PATHS.get(payload.get("tool_name"), "file_path")), payload.get("cwd")
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


def state_of(path):
    """A value that changes with a file's text; None where it is no file, or too long to be a plan."""
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    is_text = stat.S_ISREG(status.st_mode) and status.st_size <= MAX_PLAN
    return (status.st_mtime_ns, status.st_size, status.st_ino) if is_text else None


def read_text(path):
    """The text of a file; None where it cannot be read."""
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            return file.read(MAX_PLAN)
    except (OSError, ValueError):
        return None


def is_there(path):
    """True if there is such a file; raises OSError where that cannot be found out."""
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
