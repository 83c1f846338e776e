"""Commands that only read: what they were given is not taken for something that Claude wrote."""

from __future__ import annotations

import pytest

from paliadin.evidence.check import Answer, check
from paliadin.evidence.commands import only_reads_files
from tests.unit.test_evidence_check import bash


@pytest.mark.parametrize(
    ("command", "reads"),
    [
        ("cat a.csv", True),
        ("grep -n 'a|b;c' a.csv | sort -r | head -5", False),  # `sort -o` writes
        ("grep -n 'a|b;c' a.csv | head -5", True),
        ("git log v3.7.0..main --oneline && git status", True),
        ("git commit -m x", False),
        ("kubectl -n shop get pods", False),  # its second word is no `get`: a reader is safer told of too little
        ("kubectl get pods", True),
        ("cat a > b", False),
        ("cat a 2>/dev/null", False),
        ("cat a | tee b", False),
        ("cat 'a", False),
        ("cat a\ncat b", True),
        ("cat a\ntouch DL-99", False),
        ("cat `touch DL-99`", False),
        ("cat $(touch DL-99)", False),
        ("git diff --output=DL-99", False),
        ("echo DL-99", False),
        ("", False),
        ("cat " + "a" * 3_000, False),
    ],
)
def test_a_command_reads_if_each_of_its_programs_does(command: str, reads: bool) -> None:
    assert only_reads_files(command) is reads


def test_what_a_reading_command_was_given_may_be_read_elsewhere() -> None:
    tags = bash("git for-each-ref refs/tags", "v3.7.0\t2026-11-25\n", call_id="t2")
    found = check(Answer([("m", "It is v3.7.0.")], [bash("git log v3.7.0..main", "a91f3c2 fix\n"), tags]))
    assert [claim.status for claim in found] == ["found"]
    written = check(Answer([("m", "It is v3.7.0.")], [bash("touch v3.7.0", ""), tags]))
    assert [claim.status for claim in written] == ["unsupported"]
