"""Translate the user's reply to an interrupt into the decision that Claude Code's PermissionRequest hook prints. Pure.

Questions arrive as a permission for the tool AskUserQuestion. The hook's `permission_suggestions` are never sent back,
since they may change the permission mode.
"""

from __future__ import annotations

from collections.abc import Mapping

from paliadin.events.interrupts import NO_REPLY, is_question, read_reply, session_rule
from paliadin.steps.model import Interrupted

Decision = dict[str, object]
"""{"behavior": "allow" or "deny", …}"""

# Text for Claude: the reason of a "deny".
DENIED = "The user said no to this."


def decide(step: Interrupted, value: object, *, cancel: bool = False) -> Decision:
    """Return the decision; raises InvalidField when the reply `value` does not fit.

    `cancel`: dismissed without a reply; a permission then counts as denied.
    """
    if cancel:
        return {"behavior": "deny", "message": NO_REPLY if is_question(step) else DENIED}
    reply = read_reply(step, value)
    if reply.texts:
        tool_input = step.input if isinstance(step.input, Mapping) else {}
        return {"behavior": "allow", "updatedInput": {**tool_input, "answers": dict(reply.texts)}}
    if not reply.allowed:
        return {"behavior": "deny", "message": f"{DENIED} Their words: {reply.reason}" if reply.reason else DENIED}
    if not reply.for_session:
        return {"behavior": "allow"}
    rule = session_rule(step.tool, step.input)
    update = {"type": "addRules", "rules": [rule], "behavior": "allow", "destination": "session"}
    return {"behavior": "allow", "updatedPermissions": [update]}
