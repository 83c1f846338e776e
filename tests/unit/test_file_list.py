"""The list of the files in Claude's folder, and the search in it."""

from __future__ import annotations

import asyncio
import json
import os
import random
import subprocess
import sys
import time
import unicodedata
from contextlib import suppress
from pathlib import Path

import pytest

from paliadin.files import listing, matching
from paliadin.files.attachable import obstacle
from paliadin.files.git_files import not_ignored
from paliadin.files.listing import FileList, list_files
from paliadin.files.matching import Entry, FileIndex, score_path
from paliadin.files.working_folder import MAX_DEPTH, WorkingFolder
from tests.conftest import need


def git(folder: Path, *arguments: str) -> None:
    need("git")
    environment = {"PATH": os.environ["PATH"], "HOME": str(folder), "GIT_CONFIG_NOSYSTEM": "1"}
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "init.defaultBranch=main"]
    subprocess.run(["git", *identity, *arguments], cwd=folder, env=environment, check=True, capture_output=True)


def write(folder: Path, *paths: str) -> None:
    for path in paths:
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text("x")


def listed(folder: Path) -> tuple[list[str], list[str]]:
    """The paths that are not ignored, and those that are."""
    entries = list_files(WorkingFolder(folder, ()), asyncio.run(not_ignored(folder)))
    return sorted(e.path for e in entries if not e.ignored), sorted(e.path for e in entries if e.ignored)


def best(paths: list[str], query: str, most: int = 5) -> list[str]:
    return [match.entry.path for match in FileIndex(map(Entry, paths)).search(query, most)]


def test_what_git_ignores_comes_last(tmp_path: Path) -> None:
    git(tmp_path, "init")
    write(tmp_path, "tracked.py", "src/new.py", "build/out.o", "notes.log", "node_modules/a/b.js", "src/x.log")
    (tmp_path / ".gitignore").write_text("*.log\nbuild/\nnode_modules\n")
    git(tmp_path, "add", "tracked.py")
    git(tmp_path, "commit", "-m", "x")
    assert listed(tmp_path) == (
        [".gitignore", "src/", "src/new.py", "tracked.py"],
        ["build/", "build/out.o", "node_modules/", "node_modules/a/", "node_modules/a/b.js", "notes.log", "src/x.log"],
    )
    (tmp_path / "tracked.py").unlink()
    assert "tracked.py" not in listed(tmp_path)[0]
    # A folder inside of the repository works, too.
    assert listed(tmp_path / "src") == (["new.py"], ["x.log"])


def test_another_repository_below_is_listed_as_not_ignored(tmp_path: Path) -> None:
    git(tmp_path, "init")
    write(tmp_path, "a.py", "other/lib/b.py")
    git(tmp_path / "other", "init")
    assert listed(tmp_path) == (["a.py", "other/", "other/lib/", "other/lib/b.py"], [])


def test_without_git_hidden_and_usual_folders_come_last(tmp_path: Path) -> None:
    write(tmp_path, "a.py", ".env", "node_modules/x/y.js", "src/b.py")
    assert asyncio.run(not_ignored(tmp_path)) is None
    assert listed(tmp_path)[0] == ["a.py", "src/", "src/b.py"]
    assert listed(tmp_path)[1] == [".env", "node_modules/", "node_modules/x/", "node_modules/x/y.js"]


def test_nothing_that_a_repository_names_is_run(tmp_path: Path) -> None:
    git(tmp_path, "init")
    write(tmp_path, "a.py")
    proof = tmp_path / "proof"
    trap = tmp_path / "trap.sh"
    trap.write_text(f"#!/bin/sh\ntouch {proof}\n")
    trap.chmod(0o755)
    (tmp_path / ".gitattributes").write_text("*.py filter=trap diff=trap\n")
    (tmp_path / ".git" / "hooks" / "post-index-change").write_text(f"#!/bin/sh\ntouch {proof}\n")
    (tmp_path / ".git" / "hooks" / "post-index-change").chmod(0o755)
    for name in ("core.fsmonitor", "core.pager", "core.sshCommand", "filter.trap.clean", "diff.trap.command"):
        git(tmp_path, "config", name, str(trap))
    git(tmp_path, "config", "alias.ls-files", f"!{trap}")
    proof.unlink(missing_ok=True)
    tracked = asyncio.run(not_ignored(tmp_path))
    assert tracked is not None
    assert "a.py" in tracked
    assert not proof.exists()
    git(tmp_path, "status")
    assert proof.exists()  # the trap works


def test_a_git_that_hangs_or_floods_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bin").mkdir()
    (tmp_path / ".git").mkdir()
    program = tmp_path / "bin" / "git"
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    monkeypatch.setattr("paliadin.files.git_files.TIMEOUT", 0.5)
    for script in ("exec sleep 60", "exec yes", "exit 128"):
        program.write_text(f"#!/bin/sh\n{script}\n")
        program.chmod(0o755)
        started = time.monotonic()
        with suppress(TimeoutError):
            assert asyncio.run(not_ignored(tmp_path)) is None
        assert time.monotonic() - started < 30


def test_a_git_that_took_too_long_is_not_waited_for_at_once_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, "bin/git", "work/a.py", "work/.git/x")
    (tmp_path / "bin" / "git").write_text(f"#!/bin/sh\necho >> {tmp_path / 'starts'}\nexec sleep 60\n")
    (tmp_path / "bin" / "git").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
    monkeypatch.setattr("paliadin.files.git_files.TIMEOUT", 1.0)
    monkeypatch.setattr(listing, "QUICK", 60.0)

    async def run() -> None:
        files = FileList(WorkingFolder(tmp_path / "work", ()))
        for pause, starts in ((600.0, 1), (600.0, 1), (0.0, 1), (0.0, 2)):
            if starts == 2:
                files._git_pauses_until = 0.0
            monkeypatch.setattr(listing, "GIT_PAUSE", pause)
            newer = await files.newer()
            assert newer is not None
            assert [each.path for each in newer.entries] == ["a.py"]
            assert len((tmp_path / "starts").read_text()) == starts

    asyncio.run(run())


def test_the_list_is_bounded_and_the_nearest_files_are_in_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, *(f"node_modules/m{n}/x.js" for n in range(50)), *(f"src/{n}.py" for n in range(20)), "a.py")
    monkeypatch.setattr(listing, "MAX_ENTRIES", 30)
    entries = list_files(WorkingFolder(tmp_path, ()), None)
    assert len(entries) == 30
    assert {"a.py", "src/19.py"} <= {entry.path for entry in entries}


def test_a_repository_that_is_built_against_the_list_holds_nothing_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Thousands of folders in each other, thousands of names of 4,000 characters, and links that lead over them."""
    at = os.open(tmp_path, os.O_RDONLY)
    for _ in range(300):
        os.mkdir("a", dir_fd=at)
        at, above = os.open("a", os.O_RDONLY, dir_fd=at), at
        os.close(above)
    os.close(at)
    write(tmp_path, "b.txt")
    for number in range(20):
        (tmp_path / f"link{number}").symlink_to(f"{'a/../' * 800}b.txt")
    started = time.monotonic()
    entries = list_files(WorkingFolder(tmp_path, ()), frozenset(f"{'a/' * 1990}{number}" for number in range(5000)))
    assert time.monotonic() - started < listing.TIMEOUT + 5
    assert {"b.txt", "link0", "a/" * MAX_DEPTH} <= {entry.path for entry in entries}
    assert "a/" * (MAX_DEPTH + 10) not in {entry.path for entry in entries}
    monkeypatch.setattr(listing, "MAX_CHARACTERS", 100)
    assert sum(len(entry.path) for entry in list_files(WorkingFolder(tmp_path, ()), None)) < 200


@pytest.mark.parametrize(
    ("name", "shown", "why"),
    [
        ('a "b"', 'a "b"', "quote"),
        ('5"', '5"', "quote"),
        ('5"x.', '5"x.', "quote"),
        ("a\nb", "a⟨U+000A⟩b", "control"),
        ("a\x1bb", "a⟨U+001B⟩b", "control"),
        ("a\tb", "a⟨U+0009⟩b", "control"),
        ("a\u202eb", "a⟨U+202E⟩b", "invisible"),
        ("a\u200bb", "a⟨U+200B⟩b", "invisible"),
        ("a\u2028b", "a⟨U+2028⟩b", "invisible"),
        ("a\ufe0fb", "a⟨U+FE0F⟩b", "invisible"),
        ("caf\udce9.txt", "caf⟨E9⟩.txt", "encoding"),
        ("C#.txt", "C#.txt", "number_sign"),
        ("end ", "end ", "blank"),
        *([("ma\u0308rz.txt", "märz.txt", "decomposed")] if sys.platform != "darwin" else []),  # there the same name
    ],
)
def test_a_name_that_a_question_cannot_carry_is_there_with_the_reason(
    tmp_path: Path, name: str, shown: str, why: str
) -> None:
    """Also a file in such a folder."""
    write(tmp_path, name, f"{name}.d/inner", "good.txt")
    entries = list_files(WorkingFolder(tmp_path, ()), None)
    assert {entry.path: entry.obstacle for entry in entries if not entry.path.startswith(f"{shown}.d")} == {
        "good.txt": None,
        shown: why,
    }
    assert [entry.obstacle for entry in entries if entry.path == f"{shown}.d/inner"] == [obstacle(f"{name}.d/inner")]
    json.dumps([entry.path for entry in entries], ensure_ascii=False).encode()


@pytest.mark.parametrize(
    "name",
    [
        "a b.png",
        " a.txt",
        "Übersicht.md",
        "it's (1).txt",
        "日本.txt",
        "<img onerror=alert(1)>.txt",
        "a\\b",
        'q"uo:(1),x.txt',
        "❤\ufe0f.txt",
        "a\u00a0b",
    ],
)
def test_other_names_are_offered(tmp_path: Path, name: str) -> None:
    write(tmp_path, name)
    assert listed(tmp_path) == ([name], [])
    assert obstacle(name) is None


def test_a_search_compares_composed_letters_without_regard_to_their_size(tmp_path: Path) -> None:
    write(tmp_path, "Ma\u0308rz.txt", "ΣΊΣΥΦΟΣ.md")
    index = FileIndex(list_files(WorkingFolder(tmp_path, ()), None))
    for query, path in (("ma\u0308rz", "März.txt"), ("MÄRZ", "März.txt"), ("σίσυφος", "ΣΊΣΥΦΟΣ.md")):
        (match,) = index.search(query, 5)
        assert match.entry.path == path
        assert "".join(path[at] for at in match.marks).casefold() == unicodedata.normalize("NFC", query).casefold()


def test_the_list_is_renewed_behind_the_reader_and_forgotten(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async def run() -> None:
        write(tmp_path, "a.py")
        files = FileList(WorkingFolder(tmp_path, ()))
        first, second = await asyncio.gather(files.index(), files.index())
        assert first is second
        write(tmp_path, "b.py")
        assert await files.index() is first
        monkeypatch.setattr(listing, "FRESH", 0.0)
        assert await files.index() is first  # and a new one is on its way
        until = time.monotonic() + 10
        while await files.index() is first and time.monotonic() < until:
            await asyncio.sleep(0.01)
        assert [e.path for e in (await files.index()).entries] == ["a.py", "b.py"]
        monkeypatch.setattr(listing, "KEPT", 0.05)
        await files.index()
        async with asyncio.timeout(10):
            while files._index is not None:
                await asyncio.sleep(0.01)

    asyncio.run(run())


def test_what_was_just_written_is_in_a_newer_list_unless_that_takes_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run() -> None:
        write(tmp_path, "a.py")
        files = FileList(WorkingFolder(tmp_path, ()))
        await files.index()
        write(tmp_path, "b.py")
        first, second = await asyncio.gather(files.newer(), files.newer())
        assert first is not None
        assert [each.path for each in first.entries] == ["a.py", "b.py"]
        assert second is not None
        assert second is await files.index()
        monkeypatch.setattr(listing, "QUICK", 0.0)
        assert await files.newer() is None

    asyncio.run(run())


PATHS = [
    "paliadin/web/static/js/views/composer.js",
    "paliadin/web/static/js/views/conversation-view.js",
    "paliadin/conversations/conversation.py",
    "paliadin/turns/conversation_removal.py",
    "tests/unit/test_conversation.py",
    "docs/security.md",
    "README.md",
    "paliadin/relays/terminal/screen.py",
    "src/HttpServer.java",
    "src/shuttper.txt",
    "paliadin/web/",
]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("readme", "README.md"),
        ("composer", "paliadin/web/static/js/views/composer.js"),
        ("conversation.py", "paliadin/conversations/conversation.py"),
        ("cv", "paliadin/web/static/js/views/conversation-view.js"),
        ("convrem", "paliadin/turns/conversation_removal.py"),
        ("hs", "src/HttpServer.java"),
        ("docs/sec", "docs/security.md"),
        ("dsec", "docs/security.md"),
        ("term/scr", "paliadin/relays/terminal/screen.py"),
        ("paliadin/web", "paliadin/web/"),
        ("TESTCONV", "tests/unit/test_conversation.py"),
    ],
)
def test_the_best_match_is_the_one_that_is_meant(query: str, expected: str) -> None:
    assert best(PATHS, query)[0] == expected


def test_only_what_has_all_letters_in_their_order_matches() -> None:
    assert best(PATHS, "zz") == []
    assert best(PATHS, "dmread") == []
    assert best(["a[b].c", "a^b", "x-y"], "[b]") == ["a[b].c"]
    assert best(["a[b].c", "a^b", "x-y"], "^b") == ["a^b"]
    assert best(["a[b].c", "a^b", "x-y"], "-") == ["x-y"]
    assert best(["İstanbul.txt"], "istanbul") in ([], ["İstanbul.txt"])


def test_marks_are_those_of_the_letters() -> None:
    for query in ("cv", "convrem", "HS", "docs/sec", "md"):
        for match in FileIndex(map(Entry, PATHS)).search(query, 20):
            assert "".join(match.entry.path[at] for at in match.marks).lower() == query.lower()
            assert sorted(set(match.marks)) == list(match.marks)


def test_ignored_files_are_below_all_others() -> None:
    index = FileIndex([Entry("build/readme.md", ignored=True), Entry("some/rather/deep/read-it-me.md")])
    assert [m.entry.path for m in index.search("readme", 5)] == ["some/rather/deep/read-it-me.md", "build/readme.md"]


def test_without_letters_the_top_of_the_folder_is_shown() -> None:
    assert best(["src/", "b.py", "A.md", "src/x.py", "docs/"], "", 4) == ["docs/", "src/", "A.md", "b.py"]


def test_a_query_that_goes_on_finds_the_same_as_one_from_the_beginning() -> None:
    letters = random.Random(5)  # noqa: S311  # the same ones each time
    paths = ["/".join("".join(letters.choices("abc_-.", k=4)) for _ in range(3)) for _ in range(500)]
    index = FileIndex(map(Entry, paths))
    for query in ("a", "ab", "abc", "ab", "b", "bc", "bca", "ac"):
        assert index.search(query, 20) == FileIndex(map(Entry, paths)).search(query, 20)


def test_of_fifty_thousand_files_few_are_scored(monkeypatch: pytest.MonkeyPatch) -> None:
    """To score a path is what takes long; tests/bench/files.py measures a search."""
    scored: list[str] = []

    def counted(query: str, path: str, lower: str, name_at: int) -> tuple[int, tuple[int, ...]]:
        scored.append(path)
        return score_path(query, path, lower, name_at)

    monkeypatch.setattr(matching, "score_path", counted)
    paths = [f"package{n % 97}/module_{n % 31}/view-{n}.component.ts" for n in range(50_000)]
    index = FileIndex(map(Entry, paths))
    for query, least in (("", 0), ("v", 50), ("view", 50), ("vct", 50), ("p9m3v4", 50), ("zzz", 0), ("x" * 200, 0)):
        scored.clear()
        assert bool(index.search(query, 50)) == (query in {"", "v", "view", "vct", "p9m3v4"})
        assert least <= len(scored) <= 1000, query


@pytest.mark.parametrize("query", ["aaaaaaaaaaaaaaaaaaab", "a" * 199 + "b"])
def test_letters_that_are_not_there_are_given_up_at_once(query: str) -> None:
    """An expression that tried every way to spread the letters over the path would come to no end."""
    assert FileIndex([Entry("a" * 400)]).search(query, 50) == []
