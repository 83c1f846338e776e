"""The preview log of a turn is written for the request that asks for its answer, and for no other."""

from __future__ import annotations

import errno
import json
import os
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from paliadin.live import preview_log
from paliadin.live.framing import Head
from paliadin.live.preview_log import PreviewLog, find_turn
from paliadin.live.request_scan import RequestScanner
from paliadin.live.state import PREVIEW_LOG as FILE

TURN = "01890a5d-ac96-774b-bcce-b302099a8057"  # of 2023-06-30
OTHER = "01890a5d-ac96-774b-bcce-b302099a8058"
PROMPT = "6f1c1a34-8a51-4f0c-9d5b-6d3f7f2f4b11"
STRANGE = "6f1c1a34-8a51-4f0c-9d5b-6d3f7f2f4b12"
PROMPT_ID = "x-claude-code-prompt-id"


@pytest.fixture
def session(tmp_path: Path) -> Path:
    """The folder of a session with one turn."""
    bind(tmp_path, "main", TURN, PROMPT)
    return tmp_path / "sessions" / "main"


def bind(root: Path, session: str, turn: str, prompt: str) -> Path:
    """A turn's folder, as the hook leaves it when Claude Code has taken the question."""
    prompts = root / "sessions" / session / "prompts"
    prompts.mkdir(parents=True, exist_ok=True)
    folder = root / "turns" / "2023-06-30" / turn
    folder.mkdir(parents=True)
    (folder / "prompt_id").write_text(prompt)
    (prompts / prompt).symlink_to(folder)
    return folder


def scanned(turn: str | None = TURN, **changed: object) -> RequestScanner:
    text = f"[PALIADIN:{turn}]\nWhat?" if turn else "Typed in the terminal"
    messages = [{"role": "user", "content": [{"type": "text", "text": text}]}]
    scanner = RequestScanner()
    scanner.feed(json.dumps({"messages": messages, "tools": [{}], "stream": True} | changed).encode())
    return scanner


def found(session: Path, body: RequestScanner | None = None, **fields: str) -> Path | None:
    head = Head("POST / HTTP/1.1", [(name.replace("_", "-"), value) for name, value in fields.items()])
    return find_turn(session, session.parents[1] / "turns", head, body or scanned())


def by_prompt(session: Path, prompt: str, body: RequestScanner | None = None) -> Path | None:
    head = Head("POST / HTTP/1.1", [("X-Claude-Code-Prompt-Id", prompt)])
    return find_turn(session, session.parents[1] / "turns", head, body or scanned(None))


def folder_of(session: Path, turn: str = TURN) -> Path:
    return session.parents[1] / "turns" / "2023-06-30" / turn


def test_a_request_is_bound_by_the_prompt_that_it_names(session: Path) -> None:
    assert by_prompt(session, PROMPT) == folder_of(session)
    assert by_prompt(session, PROMPT, scanned()) == folder_of(session)


def test_a_request_that_names_no_prompt_is_bound_by_its_envelope(session: Path) -> None:
    assert found(session) == folder_of(session)
    assert found(session, scanned(None)) is None


def test_a_prompt_that_is_named_but_unknown_binds_nothing_whatever_the_envelope(session: Path) -> None:
    for prompt in (STRANGE, "", PROMPT.upper(), f"{PROMPT}\n", f" {PROMPT}"):
        assert by_prompt(session, prompt, scanned()) is None


@pytest.mark.parametrize(
    "prompt", ["..", "../prompts", f"../prompts/{PROMPT}", "/", ".", f"{PROMPT}/.", "\0", "x" * 300]
)
def test_a_prompt_that_is_a_path_binds_nothing(session: Path, prompt: str) -> None:
    assert by_prompt(session, prompt) is None


@pytest.mark.parametrize("kind", ["compact", "compaction", "title", "main ", "MAIN", ""])
def test_other_requests_of_the_prompt_are_not_its_answer(session: Path, kind: str) -> None:
    assert found(session, x_claude_code_request_class=kind) is None
    assert found(session, x_claude_code_request_class="main") == folder_of(session)


def test_a_subagents_answer_is_not_the_turns(session: Path) -> None:
    assert found(session, x_claude_code_agent_id="a1") is None
    assert found(session, x_claude_code_agent_id="a1", x_claude_code_prompt_id=PROMPT) is None


def test_a_members_claude_has_no_tools_at_all(session: Path) -> None:
    (session / "member.json").write_text("{}")
    assert by_prompt(session, PROMPT, scanned(None, tools=[])) is not None
    assert by_prompt(session, PROMPT, scanned(None)) is None
    assert found(session, scanned(tools=[])) is not None


@pytest.mark.parametrize("changed", [{"tools": []}, {"tools": None}, {"stream": False}])
def test_without_tools_or_a_stream_it_is_no_answer(session: Path, changed: dict[str, object]) -> None:
    assert found(session, scanned(**changed)) is None
    assert by_prompt(session, PROMPT, scanned(None, **changed)) is None


@pytest.mark.parametrize(
    "turn", [OTHER, "0" * 36, "-" * 36, "ffffffff-ffff-ffff-ffff-ffffffffffff", TURN.replace("-", "0")]
)
def test_a_forged_turn_binds_nothing(session: Path, turn: str) -> None:
    assert found(session, scanned(turn)) is None


def test_another_sessions_turn_binds_nothing(session: Path) -> None:
    bind(session.parents[1], "other", OTHER, STRANGE)
    assert found(session, scanned(OTHER)) is None
    assert by_prompt(session, STRANGE) is None
    (folder_of(session, OTHER) / "prompt_id").write_text(PROMPT)  # it claims this session's prompt
    assert found(session, scanned(OTHER)) is None


def test_a_turn_that_is_recorded_gets_no_more_text(session: Path) -> None:
    (folder_of(session) / "recorded").touch()
    assert found(session) is None
    assert by_prompt(session, PROMPT) is None


def test_a_link_that_leads_out_of_the_turns_binds_nothing(session: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (session / "prompts" / STRANGE).symlink_to(outside)
    assert by_prompt(session, STRANGE) is None
    (session / "prompts" / STRANGE).unlink()
    (session / "prompts" / STRANGE).symlink_to(tmp_path / "turns")
    assert by_prompt(session, STRANGE) is None
    (session / "prompts" / STRANGE).unlink()
    (session / "prompts" / STRANGE).symlink_to(session / "missing")
    assert by_prompt(session, STRANGE) is None


def test_turns_in_a_folder_behind_a_link_are_found(session: Path, tmp_path: Path) -> None:
    (tmp_path / "turns").rename(tmp_path / "moved")
    (tmp_path / "turns").symlink_to(tmp_path / "moved")
    assert by_prompt(session, PROMPT) == tmp_path / "moved" / "2023-06-30" / TURN


# The file.


def test_lines_are_appended_for_this_account_only(tmp_path: Path) -> None:
    before = time.time() * 1000
    for text in ("Grüße\n\ud800", "b"):
        log = PreviewLog(tmp_path)
        log.write([{"begin": "0"}, {"text": text}])
        log.write([])
        log.close()
    path = tmp_path / FILE
    lines = [json.loads(line) for line in path.read_text("ascii").splitlines() if line]
    assert [line.get("text") for line in lines] == [None, "Grüße\n\ud800", None, "b"]
    assert all(before - 1 <= line["at"] <= time.time() * 1000 for line in lines)
    assert path.stat().st_mode & 0o777 == 0o600


def test_a_log_that_is_full_takes_no_more_text_and_still_an_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(preview_log, "MAX_PREVIEW_LOG", 10_000)
    for size in (6_000, 3_500):  # the second request of the turn begins where the first has ended
        log = PreviewLog(tmp_path)
        log.write([{"text": "x" * size}])
        with pytest.raises(OSError, match="more text") as failed:
            log.write([{"text": "x" * size}])
        assert failed.value.errno == errno.EFBIG
        log.write([{"end": "broken"}])
        log.close()
    assert 9_500 < (tmp_path / FILE).stat().st_size <= 10_000


def refused(make: Callable[[Path], object], tmp_path: Path) -> int | None:
    """The error number with which a preview log is refused where this has been made."""
    make(tmp_path / FILE)
    with pytest.raises(OSError) as error:  # noqa: PT011  # its number is what counts
        PreviewLog(tmp_path)
    return error.value.errno


def test_a_link_a_folder_and_a_pipe_in_its_place_are_refused_at_once(tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.touch()
    for number, (make, code) in enumerate(
        [
            (lambda path: path.symlink_to(target), errno.ELOOP),
            (lambda path: path.mkdir(), errno.EISDIR),
            (os.mkfifo, errno.ENXIO),
        ]
    ):
        folder = tmp_path / str(number)
        folder.mkdir()
        assert refused(make, folder) == code
    assert target.read_bytes() == b""


def test_a_disk_that_takes_a_part_is_an_error_and_the_next_line_stands_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log, write = PreviewLog(tmp_path), os.write
    with monkeypatch.context() as patched:
        patched.setattr(os, "write", lambda descriptor, data: write(descriptor, data[:5]))
        with pytest.raises(OSError, match="full"):
            log.write([{"text": "a"}])
    log.write([{"text": "b"}])
    log.close()
    assert json.loads((tmp_path / FILE).read_text().splitlines()[-1])["text"] == "b"
