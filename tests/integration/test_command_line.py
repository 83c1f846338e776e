"""The command line for conversations, with a real daemon."""

from __future__ import annotations

import json
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from paliadin.base.running_daemon import load_daemon_settings
from paliadin.demo.scripted_api import ScriptedApi
from tests.integration.conftest import make_world
from tests.worlds.cli_daemon import Shell, Typist
from tests.worlds.sample_files import pdf
from tests.worlds.world import World


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory, one_claude: Path, api: tuple[ScriptedApi, str]) -> Iterator[World]:
    """A daemon in which a script plays the turns."""
    for world in make_world(tmp_path_factory.mktemp("cli"), one_claude, api):
        world.scripted = True
        world.start()
        yield world


class AtHome(Shell):
    """The command line beside that daemon."""

    @property
    def environment(self) -> dict[str, str]:
        return super().environment | {"PALIADIN_HOME": str(self.home)}


@pytest.fixture
def paliadin(home: World) -> AtHome:
    return AtHome(home.settings.home, home.port)


def queued(world: World, session: str) -> list[str]:
    return [turn["turn_id"] for turn in world.get(f"history?session_id={session}&limit=1")["queue"]["turns"]]


def waiting(paliadin: AtHome, session: str, *options: str) -> Typist:
    """A question that waits behind the running turn of this conversation."""
    typist = paliadin.in_terminal("ask", "--wait", "--conversation", session, "A later question", *options)
    typist.sees("your question waits at place 1")
    return typist


def test_a_conversation_is_made_asked_in_renamed_archived_deleted_and_taken_back(paliadin: AtHome) -> None:
    made = paliadin("conversations", "new").stdout.strip()
    assert made not in paliadin("conversations", "list").stdout
    assert paliadin("ask", "--conversation", made[:5], "How many?").stdout == "You said 9 characters.\n"
    assert paliadin("conversations", "rename", made[:5], "Costs", "\u202eevil").exit_code == 0
    assert f"{made}\t" in paliadin("conversations", "list").stdout
    [item] = map(json.loads, paliadin("conversations", "list", "--json", "--search", "evil").stdout.splitlines())
    assert (item["id"], item["title"], item["origin"]) == (made, "Costs ⟨U+202E⟩evil", None)
    paliadin("conversations", "archive", made)
    assert made not in paliadin("conversations", "list").stdout
    assert made in paliadin("conversations", "list", "--archived").stdout
    assert paliadin("ask", "--conversation", made, "Once more").exit_code == 0
    paliadin("conversations", "unarchive", made[:5])
    assert paliadin("reset", "--conversation", made[:5]).exit_code == 0
    assert made in paliadin("conversations", "delete", made[:5], "--yes").stderr
    assert paliadin("ask", "--conversation", made, "x").exit_code == 1
    assert paliadin("conversations", "restore", made).exit_code == 0
    assert made in paliadin("conversations", "list").stdout
    assert paliadin("conversations", "restore", "nothing23abc").exit_code == 1


def test_ask_new_asks_in_a_conversation_of_its_own(home: World, paliadin: AtHome) -> None:
    before = {item["id"] for item in home.get("conversations")["conversations"]}
    ended = paliadin("ask", "--new", "How many?")
    [made] = {item["id"] for item in home.get("conversations")["conversations"]} - before
    assert (ended.exit_code, ended.stdout) == (0, "You said 9 characters.\n")
    assert f"paliadin ask --conversation {made} " in ended.stderr


def test_a_question_waits_for_the_turn_that_runs_there_and_is_then_asked(home: World, paliadin: AtHome) -> None:
    session = paliadin("conversations", "new").stdout.strip()
    home.ask(f"scene:until in:{home.workdir}", session_id=session)
    assert "`--wait` asks when it has ended." in paliadin("ask", "--conversation", session, "q").stderr
    typist = waiting(paliadin, session)
    (home.workdir / "go").touch()
    assert typist.ends() == (0, "You said 16 characters.\n")
    (home.workdir / "go").unlink()


def test_ctrl_c_withdraws_a_question_that_waits_and_nothing_else(home: World, paliadin: AtHome) -> None:
    session = paliadin("conversations", "new").stdout.strip()
    turn_id = home.ask("scene:slow", session_id=session)
    typist = waiting(paliadin, session)
    assert len(queued(home, session)) == 1
    typist.process.send_signal(signal.SIGINT)
    assert typist.ends() == (130, "")
    assert queued(home, session) == []
    assert home.get(f"history?session_id={session}&limit=1")["running_turn"] == turn_id
    home.post(f"stream/{turn_id}/abort")


def test_who_waits_is_told_when_the_queue_is_held_or_the_question_withdrawn(home: World, paliadin: AtHome) -> None:
    session = paliadin("conversations", "new").stdout.strip()
    turn_id = home.ask("scene:slow", session_id=session)
    typist = waiting(paliadin, session)
    home.post(f"stream/{turn_id}/abort")
    typist.sees("The turn before yours was stopped")
    with home.client() as client:
        assert client.delete(f"/api/paliadin/queue/{queued(home, session)[0]}").status_code == 200
    typist.sees("error: the question was not asked: it was withdrawn")
    assert typist.ends() == (1, "")
    assert "Traceback" not in (home.root / "daemon.log").read_text()


def test_a_question_that_waits_survives_a_restart_of_the_daemon(home: World, paliadin: AtHome) -> None:
    session = paliadin("conversations", "new").stdout.strip()
    home.ask("scene:slow", session_id=session)
    typist = waiting(paliadin, session)
    home.restart()  # its turn ends with an error, for the script was lost with the daemon
    typist.sees("The question before yours failed")
    home.post("queue", {"session_id": session})
    assert typist.ends() == (0, "You said 16 characters.\n")
    assert "Traceback" not in (home.root / "daemon.log").read_text()


def test_attach_to_a_conversation_without_a_claude_says_what_to_do(home: World, paliadin: AtHome) -> None:
    session = paliadin("conversations", "new").stdout.strip()
    assert load_daemon_settings(home.settings.home).tmux_socket == home.settings.tmux_socket
    for named in ((session[:5],), ("--conversation", session)):
        typist = paliadin.in_terminal("attach", *named)
        typist.sees(f"error: the conversation {session} is parked: no Claude runs in it now")
        typist.sees("paliadin ask --conversation")
        assert typist.ends()[0] == 1
    typist = paliadin.in_terminal("attach", "nothing23abc")
    typist.sees("there is no conversation 'nothing23abc'")
    assert typist.ends()[0] == 1


def test_files_go_with_a_question_and_those_of_none_are_taken_away(
    home: World, paliadin: AtHome, tmp_path: Path
) -> None:
    first, second, empty = tmp_path / "Plan ä.txt", tmp_path / "b.csv", tmp_path / "empty.txt"
    first.write_text("one")
    second.write_text("1,2")
    empty.write_text("")
    made = paliadin("conversations", "new").stdout.strip()
    files = ("--attach", str(first), "--attach", str(second))
    assert paliadin("ask", *files, "--conversation", made, "Look.").exit_code == 0
    [turn] = home.get(f"history?session_id={made}&limit=1")["turns"]
    assert [file["name"] for file in turn["attachments"]] == ["Plan ä.txt", "b.csv"]
    plan = tmp_path / "plan.pdf"
    plan.write_bytes(pdf(3))
    alone = paliadin("ask", "--attach", str(plan), "--conversation", made)  # a file needs no text
    assert alone.exit_code == 0
    assert "Claude did not open plan.pdf" in alone.stderr
    stored = sorted(home.settings.attachments_dir.rglob("*"))
    refused = paliadin("ask", *files, "--attach", str(empty), "--conversation", made, "Look.")
    assert refused.exit_code == 1
    assert "error: empty.txt is empty" in refused.stderr
    assert paliadin("ask", "--attach", str(tmp_path), "Look.").exit_code == 2
    assert sorted(home.settings.attachments_dir.rglob("*")) == stored
