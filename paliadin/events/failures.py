"""The `error` event of a turn that failed: code, message, hint, and if asking again can help. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from paliadin.base import errors
from paliadin.base.session_names import SessionName

Json = Mapping[str, object]

_HINTS: dict[str, tuple[str, bool]] = {
    kind.default_code: (kind.default_hint, kind.retryable)
    for kind in (
        errors.NotLoggedIn,
        errors.DialogOpen,
        errors.TerminalInUse,
        errors.SubmitFailed,
        errors.TurnTimedOut,
        errors.PaneDied,
        errors.TmuxUnresponsive,
        errors.RelayUnreachable,
        errors.StorageFull,
    )
} | {
    "upstream_error": ("Ask again in a moment; `paliadin attach` shows what Claude Code says.", True),
}
"""Code → (default hint, retryable)."""

CODES = frozenset(_HINTS)


def upstream_code(error: str) -> str:
    """The code for the `error` of a StopFailure hook (Claude Code 2.1: authentication_failed, rate_limit, …)."""
    return errors.NotLoggedIn.default_code if error == "authentication_failed" else "upstream_error"


def name_session(text: str, session: str) -> str:
    """Put a session of another host (`main@office`) into the text's command `paliadin attach`.

    Each relay writes its hints for its own machine, where the command needs no session.
    """
    is_remote = SessionName.parse(session).place is not None
    return text.replace("`paliadin attach`", f"`paliadin attach {session}`") if is_remote else text


def explain(failure: Json, session: str = "") -> dict[str, object]:
    """Build the data of an `error` event from a `failed` line's {"code", "message"?, "hint"?}."""
    code = str(failure.get("code"))
    hint, retryable = _HINTS.get(code, (errors.PaliadinError.default_hint, False))
    message, hint = (
        name_session(str(text), session) for text in (failure.get("message") or code, failure.get("hint") or hint)
    )
    return {"code": code, "message": message, "hint": hint, "retryable": retryable}
