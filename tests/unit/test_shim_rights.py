"""What a key may do there, and what its host's audit log says about it."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pytest

from paliadin.base.audit import LEAVES_OUT, LEFT_OUT, MOST_ENTRIES, read_audit_log
from paliadin.base.errors import Forbidden
from paliadin.base.settings import Settings
from paliadin.relays.ssh.rights import ALL, Rights, check_right, describe_rights, format_rights, parse_rights
from paliadin.relays.ssh.shim.verbs import Shim
from paliadin.relays.terminal.relay import TerminalRelay
from paliadin.relays.turn import Turn
from paliadin.steps.claude_code import QUESTION_TOOL
from paliadin.steps.model import Accepted, Interrupted
from paliadin.turnlog.folder import TurnFolder
from paliadin.turnlog.ids import new_turn_id, now_ms
from tests.worlds.logs import made_turn

READ, ASK, ALLOW = (parse_rights(text) for text in ("read", "ask", "allow"))
QUESTION = {"questions": [{"question": "Which?", "options": [{"label": "A"}, {"label": "B"}]}]}


class Quiet(TerminalRelay):
    """A relay whose terminal does what it is told at once."""

    async def submit(self, turn: Turn) -> None:
        (TurnFolder(self._settings.response_dir, turn.id).path / "prompt_id").write_text("p")

    async def resume(self, turn: Turn) -> None:
        pass

    async def abort(self, turn: Turn) -> None:
        pass

    async def reset(self, session: str) -> None:
        pass

    async def start(self, session: str) -> None:
        pass

    async def alive(self) -> set[str]:
        return set()


def waiting(settings: Settings, tool: str, tool_input: object) -> TurnFolder:
    """A turn in which an interrupt waits for a reply under the id "i"."""
    folder = made_turn(settings.response_dir)
    (folder.path / "prompt_id").write_text("p")
    folder.log.append(Accepted(now_ms()))
    folder.log.append(Interrupted(now_ms(), "i", tool, tool_input))
    return folder


async def asked(settings: Settings, rights: Rights, **request: Any) -> Mapping[str, Any]:
    responses: list[Mapping[str, Any]] = []

    async def send(message: Mapping[str, object]) -> None:
        responses.append(message)

    shim = Shim(settings, Quiet(settings), "laptop", ("main",), send, rights, "192.0.2.7")
    async with shim.running():
        await shim._respond(1, request)
        await asyncio.sleep(0)  # the tasks that it has made begin
    return responses[0]


def audited(settings: Settings) -> list[dict[str, object]]:
    """The lines of the audit log but for the first, without their times."""
    connected, *rest = [{**entry, "at": ""} for entry in read_audit_log(settings.home)]
    assert (connected["event"], connected["who"], connected["from"]) == ("connected", "laptop", "192.0.2.7")
    return [{name: value for name, value in entry.items() if name not in {"at", "who", "from"}} for entry in rest]


@pytest.mark.parametrize(
    ("text", "rights", "written"),
    [
        ("read", frozenset(), "read"),
        ("ask", {"ask"}, "ask"),
        ("allow", {"allow"}, "allow"),
        ("allow,ask", ALL, "ask,allow"),
        ("read,ask", {"ask"}, "ask"),
    ],
)
def test_rights_are_read_and_written(text: str, rights: Rights, written: str) -> None:
    assert parse_rights(text) == rights
    assert format_rights(parse_rights(text)) == written
    assert describe_rights(parse_rights(text))


@pytest.mark.parametrize("text", ["", "all", "ask, allow", "ask,", "read;ask", "ASK"])
def test_what_names_no_right_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="read, ask, allow"):
        parse_rights(text)


def test_a_refusal_says_what_the_key_may_and_where_that_is_written() -> None:
    with pytest.raises(Forbidden) as caught:
        check_right(ASK, "allow")
    assert (caught.value.code, caught.value.status) == ("not_allowed", 403)
    assert "not reply to permission requests" in caught.value.message
    assert "authorized_keys" in caught.value.hint


CHANGING = ["submit", "abort", "reset", "park", "forget", "configure"]


@pytest.mark.parametrize("verb", CHANGING)
@pytest.mark.parametrize("rights", [READ, ALLOW])
async def test_who_may_not_ask_changes_nothing(settings: Settings, verb: str, rights: Rights) -> None:
    turn = waiting(settings, "Bash", {"command": "true"})
    new = {"turn_id": new_turn_id(), "session_id": "main", "user_message": "Hello?"}
    fields = {"turn": new, "turn_id": turn.turn_id, "session_id": "main", "turn_ids": [turn.turn_id]}
    response = await asked(settings, rights, verb=verb, **fields)
    assert response["error"]["code"] == "not_allowed"
    assert [path.name for path in settings.response_dir.glob("*/*")] == [turn.turn_id]
    assert audited(settings) == [{"event": "refused", "code": "not_allowed", "verb": verb}]


async def test_what_a_key_tries_without_end_fills_no_disk(settings: Settings) -> None:
    async def send(_message: Mapping[str, object]) -> None:
        pass

    shim = Shim(settings, Quiet(settings), "laptop", ("main",), send, READ)
    async with shim.running():
        for _ in range(2_000):
            await shim._respond(1, {"verb": "reset", "session_id": "main"})
    events = [entry["event"] for entry in read_audit_log(settings.home)]
    assert events == ["connected", *["refused"] * MOST_ENTRIES, LEAVES_OUT, LEFT_OUT]


@pytest.mark.parametrize("rights", [READ, ASK, ALLOW, ALL])
async def test_every_key_reads(settings: Settings, rights: Rights) -> None:
    turn = waiting(settings, "Bash", {"command": "true"})
    known = {"turn_id": turn.turn_id, "session_id": "main"}
    for request in (
        {"verb": "describe", "turn_id": turn.turn_id},
        {"verb": "follow", "turn_id": turn.turn_id, "after": 0},
        {"verb": "unfollow", "turn_id": turn.turn_id},
        {"verb": "watch", "session_id": "main", "after": 0},
        {"verb": "submit", "turn": known, "only_known": True},
        {"verb": "submit", "turn": known},
    ):
        assert "result" in await asked(settings, rights, **request), request


async def test_hello_says_what_the_key_may(settings: Settings) -> None:
    response = await asked(settings, ASK, verb="hello", protocol=2)
    assert response["result"]["may"] == "ask"


@dataclass(frozen=True)
class Case:
    """Who replies to what with what; `noted` is the audit log's word for it, or None for a refusal."""

    rights: Rights
    tool: str
    input: object
    value: object
    cancel: bool
    noted: str | None


REPLIES = [
    Case(READ, QUESTION_TOOL, QUESTION, "A", False, None),
    Case(READ, "Bash", {"command": "true"}, "deny", False, None),
    Case(ASK, QUESTION_TOOL, QUESTION, "A", False, "answered"),
    Case(ASK, QUESTION_TOOL, QUESTION, None, True, "dismissed"),
    Case(ASK, QUESTION_TOOL, {"questions": []}, "allow", False, None),  # a permission: no question is in it
    Case(ASK, "Bash", {"command": "true", **QUESTION}, "allow", False, None),
    Case(ASK, "Bash", {"command": "true"}, {"deny": "no"}, False, None),
    Case(ASK, "Bash", {"command": "true"}, None, True, None),
    Case(ALLOW, QUESTION_TOOL, QUESTION, "A", False, None),
    Case(ALLOW, "Bash", {"command": "true"}, "allow", False, "allow"),
    Case(ALL, "Bash", {"command": "true"}, "allow_session", False, "allow_session"),
    Case(ALL, "Bash", {"command": "true"}, {"deny": "not with my secret words"}, False, "deny"),
    Case(ALL, QUESTION_TOOL, QUESTION, "my secret words", False, "answered"),
    Case(ALL, "Bash", {"command": "true"}, None, True, "dismissed"),
]


@pytest.mark.parametrize("case", REPLIES)
async def test_a_reply_needs_the_right_for_its_kind(settings: Settings, case: Case) -> None:
    turn = waiting(settings, case.tool, case.input)
    reply = {"turn_id": turn.turn_id, "interrupt_id": "i", "value": case.value, "cancel": case.cancel}
    response = await asked(settings, case.rights, verb="answer", **reply)
    assert ("result" in response) == (case.noted is not None)
    assert (turn.path / "answers" / "i.json").exists() == (case.noted is not None)
    if case.noted is None:
        assert response["error"]["code"] == "not_allowed"
        assert audited(settings) == [{"event": "refused", "code": "not_allowed", "verb": "answer"}]
    else:
        assert audited(settings) == [
            {"event": "reply", "reply": case.noted, "turn_id": turn.turn_id, "interrupt_id": "i"}
        ]
    assert "secret" not in (settings.home / "audit.jsonl").read_text()


async def test_a_reply_to_nothing_is_not_noted(settings: Settings) -> None:
    turn = waiting(settings, "Bash", {"command": "true"})
    response = await asked(settings, ASK, verb="answer", turn_id=turn.turn_id, interrupt_id="other", value="allow")
    assert response["error"]["code"] == "unknown_interrupt"
    assert audited(settings) == []


async def test_what_is_asked_stopped_and_reset_is_noted_without_its_text(settings: Settings) -> None:
    new = {"turn_id": new_turn_id(), "session_id": "main", "user_message": "my secret words"}
    await asked(settings, ALL, verb="submit", turn=new)
    await asked(settings, ALL, verb="abort", turn_id=new["turn_id"])
    await asked(settings, ALL, verb="reset", session_id="main")
    await asked(settings, ALL, verb="reset", session_id="other")
    entries = [entry for entry in audited(settings) if entry["event"] != "connected"]
    assert entries == [
        {"event": "asked", "turn_id": new["turn_id"], "session": "main"},
        {"event": "aborted", "turn_id": new["turn_id"]},
        {"event": "reset", "session": "main"},
        {"event": "refused", "code": "unknown_session", "verb": "reset"},
    ]
    assert "secret" not in (settings.home / "audit.jsonl").read_text()
    assert (settings.home / "audit.jsonl").stat().st_mode & 0o777 == 0o600


async def test_each_deleted_turn_is_noted(settings: Settings) -> None:
    folders = [TurnFolder(settings.response_dir, new_turn_id()) for _ in range(2)]
    for folder in folders:
        folder.path.mkdir(parents=True)  # never became turns
    await asked(settings, ASK, verb="forget", turn_ids=[folder.turn_id for folder in folders])
    assert audited(settings) == [{"event": "deleted", "turn_id": folder.turn_id} for folder in folders]


async def test_a_mode_is_chosen_by_who_may_allow_and_a_model_by_who_may_ask(settings: Settings) -> None:
    options = settings.sessions_dir / "main" / "options.json"
    mode, model = {"permission_mode": "bypassPermissions"}, {"model": "opus"}
    for changes in (mode, mode | model):
        response = await asked(settings, ASK, verb="configure", session_id="main", changes=changes)
        assert response["error"]["code"] == "not_allowed"
        assert not options.exists()
    assert "result" in await asked(settings, ASK, verb="configure", session_id="main", changes=model)
    assert "result" in await asked(settings, ALL, verb="configure", session_id="main", changes=mode)
    kept = json.loads(options.read_text())
    assert (kept["model"], kept["permission_mode"]) == ("opus", "bypassPermissions")
    noted = [entry for entry in audited(settings) if entry["event"] == "configured"]
    assert noted == [{"event": "configured", "session": "main", **each} for each in (model, mode)]


@pytest.mark.parametrize("changes", [None, [], {"title": "x"}, {"model": "--help"}, {"permission_mode": "root"}])
async def test_what_cannot_be_chosen_is_refused(settings: Settings, changes: object) -> None:
    response = await asked(settings, ALL, verb="configure", session_id="main", changes=changes)
    assert response["error"]["code"] == "invalid_field"
    assert not (settings.sessions_dir / "main" / "options.json").exists()


async def test_every_key_reads_the_figures_of_its_own_sessions(settings: Settings) -> None:
    for name in ("main", "other"):
        (settings.sessions_dir / name).mkdir(exist_ok=True)
        (settings.sessions_dir / name / "permission_mode").write_text("plan")
    response = await asked(settings, READ, verb="status", after=0)
    assert list(response["result"]["sessions"]) == ["main"]
    figures = response["result"]["sessions"]["main"]
    assert figures["permission_mode"] == "plan"
    later = await asked(settings, READ, verb="status", after=figures["changed_at"] + 1)
    assert later["result"]["sessions"] == {}
