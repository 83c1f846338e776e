"""The `error` event of a turn that failed: code, message, hint, and whether asking again can help. Pure."""

from __future__ import annotations

from paliadin.base import errors
from paliadin.base.session_names import SessionName
from paliadin.events.model import Error
from paliadin.steps.model import Failed

_HINTS: dict[str, tuple[str, bool]] = {
    kind.default_code: (kind.default_hint, kind.retryable)
    for kind in (
        errors.ClaudeTooOld,
        errors.NotLoggedIn,
        errors.DialogOpen,
        errors.TerminalInUse,
        errors.SubmitFailed,
        errors.TurnTimedOut,
        errors.StoppedByHook,
        errors.PaneDied,
        errors.TmuxUnresponsive,
        errors.RelayUnreachable,
        errors.StorageFull,
        errors.NoApiKey,
        errors.ApiKeyRefused,
        errors.ApiQuota,
        errors.ApiOverloaded,
        errors.ApiUnreachable,
        errors.StreamBroken,
        errors.NoWorker,
        errors.ContentRefused,
        errors.ToolLoopCap,
        errors.StoreUnavailable,
    )
} | {
    "claude_outdated": ("It has been ended. Ask again: the new one starts.", True),
    "upstream_error": ("Ask again in a moment; `paliadin attach` shows what Claude Code says.", True),
}
"""Code → (default hint, retryable)."""

CODES = frozenset(_HINTS)

UNKNOWN = errors.PaliadinError.default_code
_KNOWN = CODES | errors.default_codes() | {
    "attachment_damaged", "attachment_empty", "attachment_not_kept", "attachment_too_large", "budget_spent",
    "command_replaced", "consent_needed", "no_place", "no_transcript", "not_allowed", "not_branched", "not_compacted",
    "not_here", "not_redacted", "nothing_to_shorten", "offers_unavailable", "options_refused", "too_many_attachments",
    "unknown_attachment", "unknown_command", "unknown_host", "unknown_interrupt", "unknown_model", "unknown_session",
    "unknown_turn", "unknown_verb", "unreadable", "version_mismatch",
}  # fmt: skip


def name_session(text: str, session: str) -> str:
    """Put a session of another host (`main@office`) into the text's command `paliadin attach`.

    Each relay writes its hints for its own machine, where the command needs no session.
    """
    is_remote = SessionName.parse(session).place is not None
    return text.replace("`paliadin attach`", f"`paliadin attach {session}`") if is_remote else text


def explain(failure: Failed, session: str = "") -> Error:
    """Build the `error` event of a turn in this session.

    A code that this version does not know becomes UNKNOWN: the log may be another host's.
    """
    code = failure.code if failure.code in _KNOWN else UNKNOWN
    hint, retryable = _HINTS.get(code, (errors.PaliadinError.default_hint, False))
    message, hint = (name_session(text, session) for text in (failure.message or code, failure.hint or hint))
    return Error(code, message, hint, retryable)
