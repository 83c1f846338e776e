"""Finds the plan that Claude asks to begin with, where Claude Code has not put it into the hook's input.

That is so in 2.1.330 when Claude has written no plan file: then the plan, if there is one, stands in Claude's own call
alone, which the transcript holds. The call is known by its id, so that no plan of an earlier call is taken for it.
"""

import json
import os
import time

TAIL = 2 * 1024 * 1024  # bytes at the end of a file that are looked at
LONGEST = 100_000  # characters of a plan; of a longer one both ends are kept
PATIENCE = 0.4  # seconds until the transcript has the call
CUT_MARK = "… [cut by Paliadin: {} more characters] …"


def find(log, transcript):
    """Return {"plan": text} for the last call of ExitPlanMode in the turn's log, {} when there is none; raises OSError.

    With "cut": True, a part of the plan is missing.
    """
    call_id = last_call(log)
    deadline = time.monotonic() + PATIENCE
    while call_id and isinstance(transcript, str):
        call = find_call(transcript, call_id)
        if call is not None:
            plan = call.get("plan") if isinstance(call, dict) else None
            return shortened(plan) if isinstance(plan, str) and plan.strip() else {}
        if time.monotonic() > deadline:
            break
        time.sleep(0.05)
    return {}


def last_call(log):
    """The tool_use_id of the call that the permission is asked for: its PreToolUse hook has just run."""
    for line in reversed(tail_of(log)):
        hook = parsed(line, b"ExitPlanMode").get("hook")
        if isinstance(hook, dict) and hook.get("tool_name") == "ExitPlanMode" and "tool_use_id" in hook:
            return str(hook["tool_use_id"])
    return None


def find_call(transcript, call_id):
    """The input that Claude gave with this call; None while the transcript does not hold it."""
    for line in reversed(tail_of(transcript)):
        message = parsed(line, call_id.encode("utf-8", "replace")).get("message")
        content = message.get("content") if isinstance(message, dict) else None
        for block in content if isinstance(content, list) else []:
            if isinstance(block, dict) and block.get("type") == "tool_use" and block.get("id") == call_id:
                return block.get("input") or {}
    return None


def tail_of(path):
    """The last lines of a file; [] without one."""
    try:
        with open(path, "rb") as file:
            file.seek(max(os.fstat(file.fileno()).st_size - TAIL, 0))
            return file.read().split(b"\n")
    except FileNotFoundError:
        return []


def parsed(line, word):
    """The JSON object of a line that holds the word; {} for any other."""
    if word not in line:
        return {}
    try:
        value = json.loads(line)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


def shortened(plan):
    """The plan, of which both ends are kept where it is too long."""
    if len(plan) <= LONGEST:
        return {"plan": plan}
    head = LONGEST * 3 // 4
    return {"plan": plan[:head] + CUT_MARK.format(len(plan) - LONGEST) + plan[head - LONGEST :], "cut": True}
