"""Translate the user's reply to an interrupt into the decision that Claude Code's PermissionRequest hook prints. Pure.

Questions arrive as a permission for the tool AskUserQuestion. The hook adds `updatedInput` to the input of the tool: it
has all of that, also what was too long for the log. Its `permission_suggestions` are never sent back, since they may
change the permission mode.
"""

from __future__ import annotations

from collections.abc import Mapping

from paliadin.events.interrupts import NO_REPLY, is_plan, is_question, read_reply, session_rule
from paliadin.steps.model import Interrupted

Decision = dict[str, object]
"""{"behavior": "allow" or "deny", …}"""

# Text for Claude: the reason of a "deny".
DENIED = "The user said no to this."
KEEP_PLANNING = "The user has not approved this plan. Stay in plan mode."


def decide(step: Interrupted, value: object, *, cancel: bool = False) -> Decision:
    """Return the decision; raises InvalidField when the reply `value` does not fit.

    `cancel`: dismissed without a reply; a permission then counts as denied.
    """
    if cancel:
        return {"behavior": "deny", "message": NO_REPLY if is_question(step) else _refusal(step)}
    reply = read_reply(step, value)
    if reply.texts:
        tool_input = step.input if isinstance(step.input, Mapping) and not step.cut else {}
        return {"behavior": "allow", "updatedInput": {**tool_input, "answers": dict(reply.texts)}}
    if not reply.allowed:
        refusal = _refusal(step)
        return {"behavior": "deny", "message": f"{refusal} Their words: {reply.reason}" if reply.reason else refusal}
    if is_plan(step):
        return {"behavior": "allow", "updatedInput": {}}  # without, 2.1.330 keeps its dialog
    if not reply.for_session:
        return {"behavior": "allow"}
    rule = session_rule(step.tool, step.input)
    update = {"type": "addRules", "rules": [rule], "behavior": "allow", "destination": "session"}
    return {"behavior": "allow", "updatedPermissions": [update]}


def _refusal(step: Interrupted) -> str:
    return KEEP_PLANNING if is_plan(step) else DENIED
