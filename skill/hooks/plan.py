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
BETWEEN = "\n\n---\n\n"
CUT_MARK = "… [cut by Paliadin: {} more characters] …"


def find(log, transcript):
    """Return {"plan": text} for the open call of ExitPlanMode in the turn's log, {} when there is none; raises OSError.

    Of several in one message the hook does not tell which one it asks about: then the text has all of them. With
    "cut": True, a part of the plan is missing.
    """
    calls = calls_of(log)
    deadline = time.monotonic() + PATIENCE
    while calls and isinstance(transcript, str):
        inputs, done = look_up(transcript, calls)
        if calls[-1] in inputs:
            plans = [inputs[each].get("plan") for each in calls if each in inputs and each not in done]
            texts = [plan for plan in plans if isinstance(plan, str) and plan.strip()]
            return shortened(BETWEEN.join(texts)) if texts else {}
        if time.monotonic() > deadline:
            break
        time.sleep(0.05)
    return {}


def calls_of(log):
    """The tool_use_id of each call in the turn's log; the PreToolUse hook of the one that is asked about has run."""
    hooks = [parsed(line, b"ExitPlanMode").get("hook") for line in tail_of(log)]
    return [
        str(hook["tool_use_id"])
        for hook in hooks
        if isinstance(hook, dict)
        and hook.get("hook_event_name") == "PreToolUse"
        and hook.get("tool_name") == "ExitPlanMode"
        and "tool_use_id" in hook
    ]


def look_up(transcript, calls):
    """The input that Claude gave with each of these calls, by its id, and the ids of those that have a result."""
    inputs, done = {}, set()
    for line in tail_of(transcript):
        if not any(call.encode("utf-8", "replace") in line for call in calls):
            continue
        message = parsed(line, b"tool_use").get("message")
        content = message.get("content") if isinstance(message, dict) else None
        for block in content if isinstance(content, list) else []:
            if isinstance(block, dict) and block.get("type") == "tool_use" and block.get("id") in calls:
                inputs[block["id"]] = block["input"] if isinstance(block.get("input"), dict) else {}
            elif isinstance(block, dict) and block.get("type") == "tool_result":
                done.add(block.get("tool_use_id"))
    return inputs, done


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
