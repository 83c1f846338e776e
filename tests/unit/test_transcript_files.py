"""What branching writes and removes on disk, and which paths it refuses; tests/integration has the real Claude Code."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from paliadin.base import errors
from paliadin.relays.terminal import branching, transcript_files
from paliadin.relays.terminal.branching import (
    MARKER,
    Side,
    copy_transcript,
    remove_leftovers,
    remove_transcripts,
    why_not_parked,
)
from paliadin.relays.terminal.screen import Screen, State
from paliadin.relays.terminal.transcript import measure
from paliadin.turnlog.append import append
from paliadin.turnlog.folder import TurnFolder
from tests.worlds.logs import made_turn, write
from tests.worlds.world import ROOT

CAPTURED = sorted((ROOT / "tests" / "transcripts").glob("*.jsonl"))


@dataclass
class Scene:
    """A private home with a captured transcript, whose questions are turns of the session `main`."""

    root: Path

    def __post_init__(self) -> None:
        self.environment = {"HOME": str(self.root)}
        self.sessions, self.workdir = self.root / "home" / "sessions", self.root / "work"
        self.project = self.root / ".claude" / "projects" / "-work"
        for folder in (self.sessions / "main", self.workdir, self.project):
            folder.mkdir(parents=True)
        lines = CAPTURED[0].read_bytes().splitlines(keepends=True)
        self.transcript = self.project / f"{json.loads(lines[0])['sessionId']}.jsonl"
        self.transcript.write_bytes(b"".join(lines))
        asked = [entry for entry in map(json.loads, lines) if entry["type"] == "user"]
        self.prompts = list(dict.fromkeys(str(entry["promptId"]) for entry in asked))

    def turn(self, prompt_id: str | None = None, path: str | None = None) -> TurnFolder:
        """The turn of the last question, or of another prompt, whose hooks have named this path."""
        folder = made_turn(self.root / "home" / "turns", user_message="hello")
        prompt_id = self.prompts[-1] if prompt_id is None else prompt_id
        if prompt_id:
            (folder.path / "prompt_id").write_text(prompt_id)
        hook = {"hook_event_name": "UserPromptSubmit", "prompt_id": prompt_id, "prompt": "hello"}
        write(folder, {"hook": hook | {"transcript_path": path or str(self.transcript)}})
        return folder

    def side(self, session: str) -> Side:
        return Side(self.sessions / session, self.workdir)

    def branch(self, turn: TurnFolder, session: str = "b", source: str = "main") -> None:
        copy_transcript(turn, self.side(source), self.side(session), self.environment)

    def transcripts(self) -> list[Path]:
        return [path for path in self.project.iterdir() if path != self.transcript]

    def log(self, session: str = "b") -> list[dict]:
        try:
            lines = (self.sessions / session / "events.jsonl").read_text().splitlines()
        except FileNotFoundError:
            return []
        return [json.loads(line) for line in lines if line]

    def started(self, source: str, path: Path | str, session: str = "b") -> None:
        """A SessionStart in the session's log."""
        (self.sessions / session).mkdir(exist_ok=True)
        name = str(path).rpartition("/")[2].removesuffix(".jsonl")
        hook = {"hook_event_name": "SessionStart", "session_id": name, "transcript_path": str(path)}
        append(self.sessions / session / "events.jsonl", {"hook": hook | {"source": source}})

    def new_transcript(self) -> Path:
        path = self.project / f"{uuid.uuid4()}.jsonl"
        path.write_text("{}\n")
        return path


@pytest.fixture
def scene(tmp_path: Path) -> Scene:
    return Scene(tmp_path.resolve())


def test_the_copy_is_private_whole_and_announced(scene: Scene) -> None:
    before = scene.transcript.read_bytes(), scene.transcript.stat().st_mtime_ns
    scene.branch(scene.turn())
    [made] = scene.transcripts()
    [line] = scene.log()
    named = {"session_id": made.stem, "transcript_path": str(made), "copy_of": scene.transcript.stem}
    assert line["branched"] == named
    assert made.stat().st_mode & 0o777 == 0o600
    assert measure(made.read_bytes().splitlines(keepends=True), made.stem).users == 7
    assert (scene.transcript.read_bytes(), scene.transcript.stat().st_mtime_ns) == before
    assert not (scene.sessions / "b" / MARKER).exists()


def test_a_branch_at_the_first_question_needs_no_transcript(scene: Scene) -> None:
    scene.branch(scene.turn(scene.prompts[0]))
    assert scene.transcripts() == []
    assert scene.log() == []


def elsewhere(scene: Scene) -> Path:
    path = scene.root / scene.transcript.name
    shutil.copy(scene.transcript, path)
    return path


def linked_file(scene: Scene) -> Path:
    path = scene.project / f"{uuid.uuid4()}.jsonl"
    path.symlink_to(elsewhere(scene))
    return path


def linked_folder(scene: Scene) -> Path:
    folder = elsewhere(scene).parent / "other"
    folder.mkdir()
    shutil.copy(scene.transcript, folder)
    (scene.project.parent / "-linked").symlink_to(folder)
    return scene.project.parent / "-linked" / scene.transcript.name


def a_folder(scene: Scene) -> Path:
    path = scene.project / f"{uuid.uuid4()}.jsonl"
    path.mkdir()
    return path


def a_pipe(scene: Scene) -> Path:
    path = scene.project / f"{uuid.uuid4()}.jsonl"
    os.mkfifo(path)
    return path


def deeper(scene: Scene) -> Path:
    (scene.project / "subagents").mkdir()
    return Path(shutil.copy(scene.transcript, scene.project / "subagents"))


def another_name(scene: Scene) -> Path:
    return Path(shutil.copy(scene.transcript, scene.project / "notes.jsonl"))


def another_account(scene: Scene) -> Path:
    path = Path(shutil.copy(scene.transcript, scene.project / f"{uuid.uuid4()}.jsonl"))
    if os.geteuid():
        pytest.skip("only root can give a file away")
    os.chown(path, 12345, -1)
    return path


HOSTILE: list[Callable[[Scene], Path | str]] = [
    elsewhere,
    linked_file,
    linked_folder,
    a_folder,
    a_pipe,
    deeper,
    another_name,
    another_account,
    lambda scene: f"{scene.project}/../../{scene.transcript.name}",
    lambda scene: f"{scene.project}/\0/{scene.transcript.name}",
    lambda scene: f"{'x' * 5000}/{scene.transcript.name}",
    lambda _: "",
]


@pytest.mark.parametrize("path", HOSTILE)
def test_a_path_that_is_no_transcript_of_this_account_is_refused(
    scene: Scene, path: Callable[[Scene], Path | str]
) -> None:
    turn = scene.turn(path=str(path(scene)) or "-")
    before = set(scene.root.rglob("*"))
    with pytest.raises(errors.RelayError, match="not a transcript"):
        scene.branch(turn)
    assert set(scene.root.rglob("*")) == before


def test_a_folder_of_transcripts_that_is_a_link_itself_is_followed(scene: Scene) -> None:
    projects = scene.root / ".claude" / "projects"
    projects.rename(scene.root / "moved")
    projects.symlink_to(scene.root / "moved")
    scene.branch(scene.turn())
    assert len(scene.transcripts()) == 1


def test_the_owners_claude_config_dir_is_respected(scene: Scene) -> None:
    (scene.root / ".claude").rename(scene.root / "config")
    scene.environment["CLAUDE_CONFIG_DIR"] = str(scene.root / "config")
    moved = scene.root / "config" / "projects" / "-work" / scene.transcript.name
    scene.branch(scene.turn(path=str(moved)))
    assert len(list(moved.parent.iterdir())) == 2


def test_what_cannot_be_branched_says_why(scene: Scene) -> None:
    with pytest.raises(errors.RelayError, match="never reached Claude"):
        scene.branch(scene.turn(""))
    with pytest.raises(errors.RelayError, match="is not in Claude Code's transcript"):
        scene.branch(scene.turn("ffffffff-0000-4000-8000-000000000000"))
    turn = scene.turn()
    scene.transcript.unlink()
    with pytest.raises(errors.NotFound, match="is gone") as gone:
        scene.branch(turn)
    assert (gone.value.code, "30 days" in gone.value.hint) == ("no_transcript", True)
    turn.discard()
    with pytest.raises(errors.NotFound):
        scene.branch(turn)


def test_a_conversation_that_has_begun_does_not_become_a_branch(scene: Scene) -> None:
    scene.branch(scene.turn())
    with pytest.raises(errors.RelayError, match="already begun"):
        scene.branch(scene.turn())
    assert len(scene.transcripts()) == 1


def test_where_the_original_is_gone_its_copies_serve(scene: Scene) -> None:
    scene.branch(scene.turn(), "b")
    [copy] = scene.transcripts()
    scene.branch(scene.turn(scene.prompts[-2], str(copy)), "c", "b")
    scene.transcript.unlink()
    scene.branch(scene.turn(scene.prompts[-2]), "d")
    copy.unlink()
    scene.branch(scene.turn(scene.prompts[-3]), "e")
    assert [line["branched"]["copy_of"] for line in scene.log("d")] == [copy.stem]
    assert len(scene.log("e")) == 1


def test_a_copy_that_came_out_wrong_is_neither_used_nor_left(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = branching.shorten
    monkeypatch.setattr(branching, "shorten", lambda *arguments: list(whole(*arguments))[:-4])
    with pytest.raises(errors.RelayError, match="does not hold"):
        scene.branch(scene.turn())
    assert (scene.transcripts(), scene.log(), list(scene.sessions.glob(f"*/{MARKER}"))) == ([], [], [])


def test_no_file_is_overwritten(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    other = scene.new_transcript()
    monkeypatch.setattr(uuid, "uuid4", lambda: other.stem)
    with pytest.raises(errors.RelayError, match="already"):
        scene.branch(scene.turn())
    assert (other.read_text(), scene.log(), list(scene.sessions.glob(f"*/{MARKER}"))) == ("{}\n", [], [])


def test_a_disk_that_is_full_leaves_nothing(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> Iterator[bytes]:
        yield b"{}\n"
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(branching, "shorten", full)
    with pytest.raises(errors.StorageFull):
        scene.branch(scene.turn())
    assert (scene.transcripts(), scene.log()) == ([], [])


# The daemon is killed when this is called: (where, what), before or after the call.
DEATHS = [
    ("files", "make", True),
    ("files", "make", False),
    ("", "_check", False),
    ("SessionLog", "note_branched", True),
    ("SessionLog", "note_branched", False),
]
DYING = """
import os, signal, sys
from pathlib import Path
from paliadin.relays.terminal import branching
from paliadin.turnlog.folder import TurnFolder
turns, turn, root, where, what, before = sys.argv[1:]
owner = getattr(branching, where) if where else branching
call = getattr(owner, what)
def dying(*arguments):
    if not before:
        call(*arguments)
    os.kill(os.getpid(), signal.SIGKILL)
setattr(owner, what, dying)
side = lambda name: branching.Side(Path(root, "home", "sessions", name), Path(root, "work"))
branching.copy_transcript(TurnFolder(Path(turns), turn), side("main"), side("b"), {"HOME": root})
"""


@pytest.mark.parametrize(("where", "what", "before"), DEATHS)
def test_a_daemon_that_is_killed_leaves_no_half_made_transcript(
    scene: Scene, where: str, what: str, before: bool
) -> None:
    turn = scene.turn()
    arguments = [str(turn.turns), turn.turn_id, str(scene.root), where, what, "before" if before else ""]
    assert subprocess.run([sys.executable, "-c", DYING, *arguments], cwd=ROOT, check=False).returncode == -9
    announced = (what, before) == ("note_branched", False)
    assert bool(scene.log()) is announced
    remove_leftovers(scene.sessions, scene.environment)
    assert len(scene.transcripts()) == announced
    assert not (scene.sessions / "b" / MARKER).exists()
    if not announced:
        scene.branch(turn)
    assert [line["branched"]["session_id"] for line in scene.log()] == [path.stem for path in scene.transcripts()]


def test_a_damaged_marker_harms_nobody(scene: Scene) -> None:
    for name, text in [("a", "{torn"), ("c", json.dumps({"transcript_path": "/etc/passwd"}))]:
        (scene.sessions / name).mkdir()
        (scene.sessions / name / MARKER).write_text(text)
    remove_leftovers(scene.sessions, scene.environment)
    assert Path("/etc/passwd").exists()
    assert not (scene.sessions / "a" / MARKER).exists()


def test_what_claude_code_keeps_for_a_conversation_is_removed_with_it(scene: Scene) -> None:
    own, cleared, resumed, other = (scene.new_transcript() for _ in range(4))
    scene.started("startup", own)
    scene.started("clear", cleared)
    scene.started("resume", resumed)
    config = scene.root / ".claude"
    beside = ["projects/-work/{}/subagents/agent-{}.jsonl", "file-history/{}/a@v1", "session-env/{}/x"]
    beside += ["tasks/{}/1.json", "debug/{}.txt", "todos/{}-agent-{}.json"]
    for path in (own, cleared, resumed, other):
        for name in beside:
            (config / name.format(path.stem, path.stem)).parent.mkdir(parents=True, exist_ok=True)
            (config / name.format(path.stem, path.stem)).write_text("x")
    (config / "history.jsonl").write_text(own.stem)
    remove_transcripts(scene.sessions / "b", scene.environment)
    left = [path for path in config.rglob("*") if own.stem in str(path) or cleared.stem in str(path)]
    assert left == []
    for path in (resumed, other):
        assert all((config / name.format(path.stem, path.stem)).exists() for name in beside)
        assert path.exists()
    assert (config / "history.jsonl").exists()
    remove_transcripts(scene.sessions / "b", scene.environment)


@pytest.mark.parametrize("path", HOSTILE)
def test_no_other_path_is_removed(scene: Scene, path: Callable[[Scene], Path | str]) -> None:
    scene.started("startup", path(scene))
    before = set(scene.root.rglob("*"))
    remove_transcripts(scene.sessions / "b", scene.environment)
    assert set(scene.root.rglob("*")) == before


def test_a_transcript_of_another_name_than_its_conversation_stays(scene: Scene) -> None:
    path = scene.new_transcript()
    hook = {"hook_event_name": "SessionStart", "source": "startup", "session_id": "x", "transcript_path": str(path)}
    scene.started("startup", path, "main")
    (scene.sessions / "b").mkdir()
    append(scene.sessions / "b" / "events.jsonl", {"hook": hook})
    remove_transcripts(scene.sessions / "b", scene.environment)
    assert path.exists()


def test_a_members_copy_lies_where_the_branchs_claude_looks(scene: Scene) -> None:
    folders = [scene.sessions / name / "work" for name in ("main", "b")]
    projects = [scene.project.parent / transcript_files._project_name(folder) for folder in folders]
    scene.project.rename(projects[0])
    turn = scene.turn(path=str(projects[0] / scene.transcript.name))
    copy_transcript(
        turn, Side(scene.sessions / "main", folders[0]), Side(scene.sessions / "b", folders[1]), scene.environment
    )
    assert [path.name for path in projects[1].iterdir()] == [scene.log()[0]["branched"]["session_id"] + ".jsonl"]
    with pytest.raises(errors.RelayError, match="not the one expected"):
        copy_transcript(
            turn,
            Side(scene.sessions / "main", scene.workdir),
            Side(scene.sessions / "c", folders[1]),
            scene.environment,
        )


@pytest.mark.parametrize(
    ("state", "in_turn", "error"),
    [
        (State.BUSY, False, errors.TurnInFlight),
        (State.READY, True, errors.TurnInFlight),
        (State.QUESTION, False, errors.TurnInFlight),
        (State.DRAFT, False, errors.TerminalInUse),
        (State.DIALOG, False, errors.DialogOpen),
        (State.READY, False, errors.TerminalInUse),
    ],
)
def test_a_claude_that_cannot_be_ended_says_why(state: State, in_turn: bool, error: type[errors.PaliadinError]) -> None:
    assert type(why_not_parked(Screen(state, ""), in_turn=in_turn)) is error
