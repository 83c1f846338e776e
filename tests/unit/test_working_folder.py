"""Opening files in Claude's working folder: whatever a path says, and whoever changes links meanwhile."""

from __future__ import annotations

import contextlib
import os
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from paliadin.base.errors import NotFound, PaliadinError
from paliadin.files.listing import list_files
from paliadin.files.working_folder import MAX_LINKS, WorkingFolder

SECRET = "never shown"


@pytest.fixture
def inside(tmp_path: Path) -> Path:
    folder = tmp_path / "inside"
    (folder / "src" / "deep").mkdir(parents=True)
    (folder / "a.txt").write_text("a")
    (folder / "src" / "deep" / "b.txt").write_text("b")
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.txt").write_text(SECRET)
    (tmp_path / "inside-secret.txt").write_text(SECRET)
    return folder


@pytest.fixture
def folder(inside: Path) -> WorkingFolder:
    return WorkingFolder(inside, ())


def read(folder: WorkingFolder, path: str) -> str:
    with folder.open_file(path) as file:
        return file.read().decode()


def refused(folder: WorkingFolder, path: str) -> str:
    with pytest.raises(PaliadinError) as raised:
        read(folder, path)
    return raised.value.code


def open_files() -> int:
    return len(list(Path("/dev/fd").iterdir()))


def names(folder: WorkingFolder) -> set[str]:
    return {entry.path for entry in list_files(folder, None)}


def test_files_inside_are_opened_by_relative_and_absolute_paths(folder: WorkingFolder, inside: Path) -> None:
    for path in ("a.txt", "./a.txt", f"{inside}/a.txt"):
        assert read(folder, path) == "a"
    for path in ("src/deep/b.txt", "src//deep/./b.txt", f"{inside}/src/deep/b.txt"):
        assert read(folder, path) == "b"


@pytest.mark.parametrize(
    "path",
    [
        *("", ".", "/", "..", "../outside/secret.txt", "src/../../outside/secret.txt", "src/../a.txt", "/etc/passwd"),
        *("~/x", "/proc/self/environ", "a.txt/..", "x" * 5000, "a\0b", "\ud800", "\udcff", "nothing"),
        "file:///etc/passwd",
    ],
)
def test_no_other_path_leads_anywhere(folder: WorkingFolder, path: str) -> None:
    assert refused(folder, path) == "unknown_file"


def test_a_folder_whose_name_begins_like_this_one_is_outside(folder: WorkingFolder, inside: Path) -> None:
    assert refused(folder, f"{inside}-secret.txt") == "unknown_file"
    assert refused(folder, f"{inside}/../inside-secret.txt") == "unknown_file"


def test_links_are_followed_as_far_as_they_stay_inside(folder: WorkingFolder, inside: Path, tmp_path: Path) -> None:
    (inside / "to_file").symlink_to("src/deep/b.txt")
    (inside / "src" / "up").symlink_to("../a.txt")
    (inside / "absolute").symlink_to(inside / "src")
    (inside / "to_folder").symlink_to("src")
    assert read(folder, "to_file") == "b"
    assert read(folder, "src/up") == "a"
    assert read(folder, "absolute/deep/b.txt") == "b"
    assert read(folder, "to_folder/deep/b.txt") == "b"
    for name, target in {
        "out": tmp_path / "outside",
        "relative_out": Path("../outside"),
        "file_out": tmp_path / "outside" / "secret.txt",
        "out_and_in": Path("../inside/a.txt"),
        "root": Path("/"),
        "proc": Path("/proc/self/root"),
    }.items():
        (inside / name).symlink_to(target)
    for path in ("out/secret.txt", "relative_out/secret.txt", "file_out", "out_and_in", "root/etc/passwd", "proc/etc"):
        assert refused(folder, path) == "unknown_file"
    listed = names(folder)
    assert {"to_file", "src/up", "absolute/", "to_folder/"} <= listed
    assert not {path for path in listed if path.startswith(("out", "relative_out", "file_out", "root", "proc"))}
    assert not {path for path in listed if path.startswith(("absolute/s", "to_folder/d"))}  # each file once


def test_links_in_a_circle_and_long_chains_end(folder: WorkingFolder, inside: Path) -> None:
    (inside / "one").symlink_to("two")
    (inside / "two").symlink_to("one")
    (inside / "self").symlink_to(".")
    assert refused(folder, "one") == "unknown_file"
    assert read(folder, "self/self/self/a.txt") == "a"
    assert refused(folder, "self/" * (MAX_LINKS + 1) + "a.txt") == "unknown_file"
    assert "self/self/" not in names(folder)


def test_pipes_sockets_devices_and_folders_are_no_files_and_hold_nobody_up(folder: WorkingFolder, inside: Path) -> None:
    os.mkfifo(inside / "pipe")
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(inside / "sock"))
        if os.geteuid() == 0:
            os.mknod(inside / "zero", 0o20600, os.makedev(1, 5))
            assert refused(folder, "zero") == "not_a_file"
        assert refused(folder, "pipe") == "not_a_file"
        assert refused(folder, "sock") == "not_a_file"
        assert refused(folder, "src") == "not_a_file"
        assert names(folder) == {"a.txt", "src/", "src/deep/", "src/deep/b.txt"}


def test_hidden_files_are_neither_listed_nor_opened_by_any_way(inside: Path, tmp_path: Path) -> None:
    home = inside / "state" / "paliadin"
    (home / "turns").mkdir(parents=True)
    (home / "turns" / "x.json").write_text(SECRET)
    (inside / "config.toml").write_text(SECRET)
    (inside / "way").symlink_to("state/paliadin")
    (inside / "config_way").symlink_to("config.toml")
    (tmp_path / "home_way").symlink_to(home)
    for hidden in ((home, inside / "config.toml"), (tmp_path / "home_way", inside / "config_way")):
        folder = WorkingFolder(inside, hidden)
        paths = ("state/paliadin/turns/x.json", "way/turns/x.json", "config.toml", "config_way", "state/paliadin")
        assert {refused(folder, path) for path in paths} == {"unknown_file"}
        assert names(folder) == {"a.txt", "src/", "src/deep/", "src/deep/b.txt", "state/"}


def test_a_folder_inside_of_paliadins_own_shows_nothing(inside: Path) -> None:
    folder = WorkingFolder(inside / "src", (inside,))
    assert refused(folder, "deep/b.txt") == "unknown_file"
    with pytest.raises(NotFound):
        list_files(folder, None)


def test_the_processes_of_the_system_are_not_shown_where_claude_works_in_its_root() -> None:
    folder = WorkingFolder(Path("/"), ())
    for path in ("proc/self/environ", "/proc/self/environ", "sys/kernel/uevent_seqnum", "dev/null"):
        assert refused(folder, path) == "unknown_file"


@pytest.fixture
def swapping(inside: Path, tmp_path: Path) -> Iterator[None]:
    """A folder and a file that are links to outside half of the time."""
    (inside / "swapped").mkdir()
    (inside / "swapped" / "secret.txt").write_text("harmless")
    (inside / "link").symlink_to(tmp_path / "outside")
    (inside / "secret.txt").write_text("harmless")
    (inside / "file_link").symlink_to(tmp_path / "outside" / "secret.txt")
    stopped = threading.Event()

    def swap() -> None:
        while not stopped.is_set():
            for one, other in (("swapped", "link"), ("secret.txt", "file_link")):
                (inside / one).rename(inside / "between")
                (inside / other).rename(inside / one)
                (inside / "between").rename(inside / other)

    thread = threading.Thread(target=swap)
    thread.start()
    yield
    stopped.set()
    thread.join()


@pytest.mark.usefixtures("swapping")
def test_a_link_that_is_swapped_in_meanwhile_leads_nowhere(folder: WorkingFolder) -> None:
    seen: set[str] = set()
    until = time.monotonic() + 2
    while time.monotonic() < until:
        for path in ("swapped/secret.txt", "secret.txt"):
            try:
                seen.add(read(folder, path))
            except PaliadinError as error:
                seen.add(error.code)
    assert seen == {"harmless", "unknown_file"}


def test_nothing_stays_open(folder: WorkingFolder, inside: Path) -> None:
    (inside / "out").symlink_to("/")
    before = open_files()
    for path in ("a.txt", "src/deep/b.txt", "out/etc/passwd", "src", "nothing"):
        for _ in range(20):
            with contextlib.suppress(PaliadinError):
                read(folder, path)
    names(folder)
    assert open_files() == before
