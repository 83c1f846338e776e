"""How a turn can fail, in words for a person: code → message, what to do next, whether asking again can help. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from paliadin import errors

Json = Mapping[str, object]

_ERRORS: dict[str, tuple[str, bool]] = {
    kind.code: (kind.default_hint, kind.retryable)
    for kind in (
        errors.NotLoggedIn,
        errors.DialogOpen,
        errors.TerminalInUse,
        errors.SubmitFailed,
        errors.PaneDied,
        errors.TmuxUnresponsive,
        errors.RelayUnreachable,
        errors.StorageFull,
    )
} | {
    "upstream_error": ("Ask again in a moment; `paliadin attach` shows what Claude Code says.", True),
    "timeout": ("Ask again, perhaps in smaller steps; PALIADIN_TURN_TIMEOUT sets how long a turn may take.", True),
}


CODES = frozenset(_ERRORS)


def upstream_code(error: str) -> str:
    """The code for StopFailure's `error` (CLI 2.1: authentication_failed, server_error, rate_limit, …)."""
    return errors.NotLoggedIn.code if error == "authentication_failed" else "upstream_error"


def for_session(words: str, session: str) -> str:
    """Advice as a relay gives it, which knows its own machine only, for whoever asks from elsewhere."""
    return words.replace("`paliadin attach`", f"`paliadin attach {session}`") if "@" in session else words


def explain(failure: Json, session: str = "") -> dict[str, object]:
    """The data of an `error` event in a turn of the session."""
    code = str(failure.get("code"))
    hint, retryable = _ERRORS.get(code, (errors.PaliadinError.default_hint, False))
    message, hint = (
        for_session(str(words), session) for words in (failure.get("message") or code, failure.get("hint") or hint)
    )
    return {"code": code, "message": message, "hint": hint, "retryable": retryable}
