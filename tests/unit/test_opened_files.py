"""Which attached files Claude has got or opened, as the steps of the turn tell."""

from __future__ import annotations

import pytest

from paliadin.events.opened_files import OpenedFiles
from paliadin.files.attachments import Attachment
from paliadin.steps.model import ToolEnded, ToolStarted, Usage

NOTE, PICTURE, REPORT = "a" * 32, "b" * 32, "c" * 32
FILES = [
    {"id": NOTE, "name": "note.txt", "bytes": 9, "kind": "text", "digest": "x"},
    {"id": REPORT, "name": "report.pdf", "bytes": 9, "kind": "pdf", "digest": "x"},
    {"id": PICTURE, "name": "plan.png", "bytes": 9, "kind": "image", "digest": "x"},
]


def path(attachment: str) -> str:
    return f"/home/attachments/{attachment}/file"


@pytest.fixture
def files() -> OpenedFiles:
    return OpenedFiles([Attachment.parse(each) for each in FILES])


def read(files: OpenedFiles, attachment: str, outcome: str = "ok") -> None:
    files.start(ToolStarted(1, "t1", "Read", {"file_path": path(attachment)}))
    files.end(ToolEnded(2, "t1", "Read", outcome, ""))


def test_what_stands_in_the_request_is_opened_and_the_rest_once_a_tool_has_read_it(files: OpenedFiles) -> None:
    assert files.unopened == (REPORT,)
    read(files, REPORT, "failed")
    assert files.unopened == (REPORT,)
    read(files, REPORT)
    assert files.unopened == ()


def test_what_claude_code_left_out_of_the_request_is_not_opened_unless_a_tool_has_read_it(files: OpenedFiles) -> None:
    files.end_request(Usage(3, files=[path(PICTURE), "/other/file"]))
    assert files.unopened == (NOTE, REPORT)
    read(files, NOTE)
    assert files.unopened == (REPORT,)
    files.end_request(Usage(4, files=[]))
    assert files.unopened == (REPORT, PICTURE)


def test_where_the_transcript_does_not_tell_nothing_is_said_to_be_left_out(files: OpenedFiles) -> None:
    files.end_request(Usage(3))
    assert files.unopened == (REPORT,)


def test_without_files_none_is_unopened() -> None:
    files = OpenedFiles([])
    files.end_request(Usage(1, files=[]))
    assert files.unopened == ()
