"""What git is asked of a repository that may be a stranger's: real git, real pipes."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

import pytest

from paliadin.files.git_files import not_ignored
from tests.unit.test_file_list import git, listed, write


def repository(folder: Path) -> None:
    """A repository with a file that is tracked, one that would be, and two that are ignored, for either reason."""
    write(folder, "tracked.py", "src/deep/new.py", "x.log", "mine.txt")
    git(folder, "init")
    (folder / ".gitignore").write_text("*.log\n")
    (folder / ".git" / "info" / "exclude").write_text("mine.txt\n")
    git(folder, "add", "tracked.py", ".gitignore")
    git(folder, "commit", "-m", "x")


NOT_IGNORED = frozenset({".gitignore", "tracked.py", "src/deep/new.py"})
IN_A_REPOSITORY = [  # git 2.39 opened all but packed-refs and alternates, and waited at a pipe for somebody who writes
    (".git/HEAD", NOT_IGNORED),
    (".git/config", NOT_IGNORED),
    (".git/config.worktree", NOT_IGNORED),
    (".git/commondir", NOT_IGNORED),
    (".git/packed-refs", NOT_IGNORED),
    (".git/objects/info/alternates", NOT_IGNORED),
    (".git/included", NOT_IGNORED),
    (".git/index", NOT_IGNORED),
    (".git/info/exclude", NOT_IGNORED | {"mine.txt"}),
]


@pytest.mark.parametrize(("name", "expected"), IN_A_REPOSITORY, ids=[name for name, _ in IN_A_REPOSITORY])
def test_a_pipe_in_a_repository_is_not_opened(tmp_path: Path, name: str, expected: frozenset[str]) -> None:
    repository(tmp_path)
    git(tmp_path, "config", "extensions.worktreeConfig", "true")
    if name == ".git/included":
        git(tmp_path, "config", "include.path", "included")
    (tmp_path / name).unlink(missing_ok=True)
    os.mkfifo(tmp_path / name)
    assert asyncio.run(not_ignored(tmp_path)) == expected


@pytest.mark.parametrize("link", [False, True], ids=["pipe", "link to one"])
@pytest.mark.parametrize(
    "name", ["src/deep/.gitignore", "other/.git/HEAD", "other/.git/commondir", "moved/own/HEAD", "../.gitignore"]
)
def test_a_pipe_in_the_work_tree_ends_git_and_no_time_is_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, link: bool
) -> None:
    monkeypatch.setattr("paliadin.files.git_files.TIMEOUT", 1000.0)
    folder = tmp_path / "project" / "folder"
    repository(folder)
    if name.startswith(".."):
        (folder / ".git").rename(tmp_path / "project" / ".git")
    for inside in ("other", "moved"):
        write(folder, f"{inside}/file")
        git(folder / inside, "init")
    (folder / "moved" / ".git").rename(folder / "moved" / "own")
    (folder / "moved" / ".git").write_text("gitdir: own\n")
    assert asyncio.run(not_ignored(folder)) is not None
    (folder / name).unlink(missing_ok=True)
    os.mkfifo(tmp_path / "pipe" if link else folder / name)
    if link:
        (folder / name).symlink_to(tmp_path / "pipe")
    names = asyncio.run(not_ignored(folder))
    assert names is None or link  # over some links git does not go


@pytest.mark.parametrize("link", [False, True], ids=["file", "link"])
@pytest.mark.parametrize("name", ["HEAD", "commondir"])
def test_a_pipe_outside_to_which_a_repository_in_the_work_tree_leads_ends_git(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, link: bool
) -> None:
    monkeypatch.setattr("paliadin.files.git_files.TIMEOUT", 1000.0)
    folder, own = tmp_path / "project", tmp_path / "project" / ".git" / "own"
    repository(folder)
    write(folder, "other/file")
    git(folder / "other", "init")
    (folder / "other" / ".git").rename(own)
    if link:
        (folder / "other" / ".git").symlink_to(own)
    else:
        (folder / "other" / ".git").write_text("gitdir: ../.git/own\n")
    assert asyncio.run(not_ignored(folder)) == NOT_IGNORED | {"other/"}
    (own / name).unlink(missing_ok=True)
    os.mkfifo(own / name)
    assert asyncio.run(not_ignored(folder)) is None


@pytest.mark.parametrize("name", ["src/deep/.gitignore", ".git/info/exclude"])
def test_patterns_without_end_are_not_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """git 2.39 reads them as a whole: 2.2 GB of memory in 5 s."""
    monkeypatch.setattr("paliadin.files.git_files.TIMEOUT", 1000.0)
    monkeypatch.setattr("paliadin.files.git_files.QUICK", 0.0)
    repository(tmp_path)
    with (tmp_path / name).open("wb") as file:
        file.truncate(3_000_000_000)
    assert asyncio.run(not_ignored(tmp_path)) == (NOT_IGNORED | {"mine.txt"} if name.startswith(".git/") else None)


@pytest.mark.parametrize("in_tree", [False, True], ids=["repository", "work tree"])
def test_an_index_with_longer_hashes_is_read(tmp_path: Path, in_tree: bool) -> None:
    folder = tmp_path / "project"
    write(folder, "tracked.py", "kept.log", ".gitignore")
    (folder / ".gitignore").write_text("*.log\n")
    git(folder, "init", "--object-format=sha256")
    git(folder, "add", "-f", ".")
    git(folder, "commit", "-m", "x")
    if in_tree:
        git(folder, "worktree", "add", str(tmp_path / "tree"))
    assert asyncio.run(not_ignored(tmp_path / "tree" if in_tree else folder)) == {
        ".gitignore",
        "tracked.py",
        "kept.log",
    }


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("core.worktree", "/etc"),
        ("core.worktree", "../elsewhere"),
        ("core.bare", "true"),
        ("core.excludesFile", "all"),
        ("core.repositoryFormatVersion", "9"),
        ("core.ignoreCase", "nonsense"),
        ("core.sparseCheckout", "true"),
        ("index.sparse", "true"),
        ("core.untrackedCache", "true"),
        ("include.path", "/dev/zero"),
    ],
)
def test_the_configuration_of_a_repository_moves_nothing(tmp_path: Path, option: str, value: str) -> None:
    folder = tmp_path / "project"
    repository(folder)
    write(tmp_path, "elsewhere/theirs.txt")
    (folder / "all").write_text("*\n")
    git(folder, "config", option, value)
    assert asyncio.run(not_ignored(folder)) == NOT_IGNORED | {"all"}


def test_what_git_does_not_ignore_is_known_in_work_trees_and_submodules(tmp_path: Path) -> None:
    """Their `.git` is a file that says where their own files are."""
    library, project = tmp_path / "library", tmp_path / "project"
    for folder in (library, project):
        repository(folder)
    git(project, "-c", "protocol.file.allow=always", "submodule", "add", str(library), "lib")
    write(project, "lib/x.log", "lib/new.py")
    git(project, "worktree", "add", str(tmp_path / "tree"))
    write(tmp_path, "tree/y.log", "tree/mine.txt", "tree/new.py")
    assert (project / "lib" / ".git").is_file()
    assert (tmp_path / "tree" / ".git").is_file()
    assert asyncio.run(not_ignored(project / "lib")) == {".gitignore", "tracked.py", "new.py"}
    assert asyncio.run(not_ignored(tmp_path / "tree")) == {".gitignore", "tracked.py", "new.py"}
    assert {"lib/", "lib/new.py", "lib/tracked.py"} <= set(listed(project)[0])


@pytest.mark.parametrize(
    "content", ["", "nonsense", "gitdir: ", "gitdir: nowhere\n", "gitdir: \0", f"gitdir: {'x' * 5000}", "x" * 100_000]
)
def test_a_file_in_the_place_of_a_repository_misleads_nobody(tmp_path: Path, content: str) -> None:
    write(tmp_path, "a.py")
    (tmp_path / ".git").write_text(content)
    assert listed(tmp_path)[0] == ["a.py"]
