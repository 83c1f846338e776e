"""Whatever fails while a request is looked at stays there: it is noted, without a word of what passed."""

from __future__ import annotations

import json
import os
import re
from pathlib import Path

import pytest

from paliadin.live import observer
from paliadin.live.framing import Head
from paliadin.live.observer import MAX_NOTES, Observer, Watching
from paliadin.live.state import PREVIEW_LOG as FILE
from tests.unit.test_live_answer_stream import begin, delta, event
from tests.unit.test_live_preview_log import PROMPT, TURN, folder_of, session  # noqa: F401  # a fixture

SECRET = "swordfish"
STREAM = Head("HTTP/1.1 200 OK", [("Content-Type", "text/event-stream; charset=utf-8")])
STOP = event("message_stop")
NOTE = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ live text: \w+ at (\w+\.py:\d+)?(: [\w ]+)?")


def looking(session: Path, retry: str = "0", *, captures: bool = False) -> Observer:  # noqa: F811
    watching = Watching(session, session.parents[1] / "turns", True, session.parents[1] / "c" if captures else None)
    fields = [("x-claude-code-prompt-id", PROMPT), ("x-stainless-retry-count", retry), ("x-api-key", SECRET)]
    seen = Observer(Head("POST /secret/v1/messages HTTP/1.1", fields), watching)
    body = {"messages": [{"role": "user", "content": SECRET}], "tools": [{}], "stream": True}
    seen.request_content(json.dumps(body).encode())
    return seen


def passed(seen: Observer, *content: bytes, head: Head = STREAM, complete: bool = True) -> None:
    seen.response_head(head)
    for piece in content:
        seen.response_content(piece)
    if complete:
        seen.response_complete()
    seen.end()


def lines(session: Path) -> list[dict[str, object]]:  # noqa: F811
    path = folder_of(session) / FILE
    written = [json.loads(line) for line in path.read_text().splitlines() if line] if path.is_file() else []
    return [{key: value for key, value in line.items() if key != "at"} for line in written]


def notes(session: Path) -> list[str]:  # noqa: F811
    path = session / "hooks.log"
    return path.read_text().splitlines() if path.is_file() else []


def check_notes(session: Path, count: int = 1) -> None:  # noqa: F811
    assert len(notes(session)) == count
    for note in notes(session):
        assert NOTE.fullmatch(note), note
        assert SECRET not in note


def test_an_answer_is_written_as_it_passes(session: Path) -> None:  # noqa: F811
    seen = looking(session)
    seen.response_head(STREAM)
    assert lines(session) == [{"begin": "0"}]
    seen.response_content(begin(type="text", text="") + delta("Hel"))
    assert lines(session)[1:] == [{"block": "text"}, {"text": "Hel"}]
    passed(seen, delta("lo") + STOP)
    assert lines(session)[-2:] == [{"text": "lo"}, {"end": "complete"}]
    assert notes(session) == []


@pytest.mark.parametrize(
    "head",
    [
        Head("HTTP/1.1 429 Too Many Requests", STREAM.fields),
        Head("HTTP/1.1 200 OK", [("Content-Type", "application/json")]),
        Head("HTTP/1.1 200 OK", []),
        Head("HTTP/1.1 200 OK", [*STREAM.fields, ("Content-Encoding", "gzip")]),
    ],
)
def test_what_is_no_stream_of_an_answer_leaves_nothing(session: Path, head: Head) -> None:  # noqa: F811
    passed(looking(session), delta("x"), head=head)
    assert (lines(session), notes(session)) == ([], [])


def test_an_answer_that_breaks_off_says_so_and_its_retry_follows(session: Path) -> None:  # noqa: F811
    passed(looking(session), delta("Hal"), complete=False)
    passed(looking(session, "1"), delta("Half") + STOP)
    assert lines(session) == [
        *({"begin": "0"}, {"text": "Hal"}, {"end": "broken"}),
        *({"begin": "1"}, {"text": "Half"}, {"end": "complete"}),
    ]


def test_what_is_no_json_ends_the_preview_and_is_noted_without_its_text(session: Path) -> None:  # noqa: F811
    passed(
        looking(session), delta("a"), b'data: {"content_block_delta": "' + SECRET.encode() + b"\n\n", delta("b") + STOP
    )
    assert lines(session) == [{"begin": "0"}, {"text": "a"}, {"end": "broken"}]
    check_notes(session)
    assert "answer_stream.py" in notes(session)[0]


def test_json_that_is_nested_without_end_is_noted(session: Path) -> None:  # noqa: F811
    passed(looking(session), b'data: {"content_block_delta":' + b"[" * 200_000 + b"\n\n", STOP)
    check_notes(session)


def test_a_folder_that_is_gone_and_one_that_cannot_be_written_are_borne(session: Path) -> None:  # noqa: F811
    (folder_of(session) / FILE).mkdir()
    passed(looking(session), delta("a") + STOP)
    check_notes(session)
    (folder_of(session) / FILE).rmdir()
    (folder_of(session) / "prompt_id").unlink()
    folder_of(session).rmdir()
    passed(looking(session), delta("a") + STOP)
    check_notes(session)


def test_where_no_note_can_be_made_either_nothing_is_raised(
    session: Path,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (session / "hooks.log").mkdir()
    passed(looking(session), b"data: content_block_delta\n\n")

    def fail(*_: object) -> None:
        raise RuntimeError(SECRET)

    monkeypatch.setattr(observer, "_place", fail)
    (session / "hooks.log").rmdir()
    passed(looking(session), b"data: content_block_delta\n\n")
    assert notes(session) == []


def test_a_pipe_in_place_of_the_log_or_of_the_notes_holds_nothing_up(session: Path) -> None:  # noqa: F811
    os.mkfifo(folder_of(session) / FILE)
    os.mkfifo(session / "hooks.log")
    passed(looking(session), delta("a") + STOP)


@pytest.mark.parametrize("part", ["_Preview", "_Recording", "_Scan"])
@pytest.mark.parametrize("method", ["__init__", "request", "responded", "response", "end", "give_up"])
def test_a_part_that_throws_anywhere_is_given_up_and_the_others_go_on(
    session: Path,  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
    part: str,
    method: str,
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise RuntimeError(SECRET)

    if (part, method) != ("_Scan", "__init__"):
        monkeypatch.setattr(getattr(observer, part), method, fail)
    passed(looking(session, captures=True), delta("a") + STOP)
    if part == "_Recording":
        assert lines(session)[-1] == {"end": "complete"}
    for note in notes(session):
        assert NOTE.fullmatch(note), note
        assert SECRET not in note


def test_the_notes_do_not_grow_without_end(session: Path) -> None:  # noqa: F811
    (session / "hooks.log").write_text("x" * (MAX_NOTES + 1))
    passed(looking(session), b"data: content_block_delta\n\n")
    assert (session / "hooks.log").stat().st_size == MAX_NOTES + 1


def test_nothing_is_looked_at_where_nothing_is_wanted(session: Path) -> None:  # noqa: F811
    watching = Watching(session, session.parents[1] / "turns", False, None)
    seen = Observer(Head("POST / HTTP/1.1", []), watching)
    seen.request_content(b"{")
    passed(seen, delta("a") + STOP)
    assert (lines(session), notes(session)) == ([], [])


def test_files_are_let_go_of(session: Path) -> None:  # noqa: F811
    before = len(os.listdir("/proc/self/fd"))  # noqa: PTH208
    for content in (delta("a") + STOP, delta("a"), b"data: content_block_delta\n\n"):
        passed(looking(session, captures=True), content, complete=False)
    assert len(os.listdir("/proc/self/fd")) == before  # noqa: PTH208
    assert TURN in str(folder_of(session))
