import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from paliadin import __version__, parts
from paliadin.base.errors import PaliadinError
from paliadin.base.settings import load_settings
from paliadin.cli import LazyGroup, cli
from paliadin.cli.commands import CORE
from paliadin.cli.console import announce
from paliadin.cli.remote_key import INSTALL
from paliadin.relays.terminal.attach import open_terminal
from paliadin.relays.terminal.tmux import PaneCapture
from tests.worlds.cli_conversations import item
from tests.worlds.cli_daemon import ScriptedDaemon, Shell, alone, daemon, shell

__all__ = ["alone", "daemon", "shell"]

COMMANDS = [*CORE, *parts.commands()]
HEAVY = {"psycopg", "starlette", "rich", "httpx2", "uvicorn", "watchfiles", "paliadin.base.settings"}
DOWN = {
    "name": "claude",
    "ok": False,
    "state": "not_logged_in",
    "message": "Claude\x1b[2J waits",
    "hint": "Type /login.",
}
UP = {"name": "database", "ok": True, "state": "up", "message": "answers", "hint": ""}


def test_importing_the_command_line_imports_nothing_heavy() -> None:
    code = "import sys, paliadin.cli; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "click" in loaded
    assert not HEAVY & set(loaded)


def test_the_list_of_commands_imports_none_of_them() -> None:
    code = "import sys\nfrom paliadin.cli import cli\ncli(['--help'], standalone_mode=False)\nprint(*sys.modules)"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    loaded = shown.splitlines()[-1].split()
    assert "  paliad  " in shown
    assert not [name for name in loaded if name.startswith(("paliadin.cli.commands.", "paliadin.parts.practice."))]
    assert not HEAVY & set(loaded)


def test_a_part_brings_a_command_that_is_imported_when_it_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "toy_part.py").write_text("import click\n\n@click.command()\ndef toy():\n    click.echo('played')\n")
    monkeypatch.syspath_prepend(tmp_path)
    group = LazyGroup("paliadin", places={"toy": ("toy_part", "Play a little.")})
    listed = CliRunner().invoke(group, ["--help"]).stdout
    assert "toy  Play a little." in listed
    assert "toy_part" not in sys.modules
    assert CliRunner().invoke(group, ["toy"]).stdout == "played\n"
    sys.modules.pop("toy_part")


def test_status_is_health(daemon: ScriptedDaemon, shell: Shell) -> None:
    daemon.health = (200, {"ok": True, "parts": [UP]})
    ended, meant = shell("status"), shell("health")
    assert (ended.exit_code, ended.stdout) == (0, meant.stdout)
    assert "status" not in COMMANDS


def test_help_lists_every_command() -> None:
    ended = CliRunner().invoke(cli, ["-h"])
    assert ended.exit_code == 0
    assert all(f"  {name} " in ended.stdout for name in COMMANDS)


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_a_help_text(name: str) -> None:
    ended = CliRunner().invoke(cli, [name, "--help"], prog_name="paliadin")
    assert ended.exit_code == 0
    assert ended.stdout.startswith(f"Usage: paliadin {name} ")


@pytest.mark.parametrize("name", ["conversations", "people", "token", "turns"])
def test_a_group_without_a_command_shows_its_help_as_help_does(shell: Shell, name: str) -> None:
    assert shell(name).stderr == shell(name, "--help").stdout


def test_module_runs_under_the_name_of_the_program() -> None:
    command = [sys.executable, "-m", "paliadin", "--version"]
    assert subprocess.run(command, capture_output=True, text=True, check=True).stdout == f"paliadin {__version__}\n"


def test_unknown_command_is_a_usage_error(shell: Shell) -> None:
    ended = shell("frob")
    assert ended.exit_code == 2
    assert ended.stderr.rstrip().endswith("No such command 'frob'.")


@pytest.mark.parametrize(
    ("typed", "meant"), [(["trun"], "turns"), (["turns", "serach"], "search"), (["ask", "--jsno"], "--json")]
)
def test_of_a_name_that_is_misspelled_the_nearest_one_is_named(shell: Shell, typed: list[str], meant: str) -> None:
    ended = shell(*typed)
    assert ended.exit_code == 2
    assert ended.stderr.rstrip().endswith(f"Did you mean '{meant}'?")


def test_a_shell_completes_commands_and_options(shell: Shell) -> None:
    def completed(*words: str) -> list[str]:
        typed = {"COMP_WORDS": " ".join(["paliadin", *words]), "COMP_CWORD": str(len(words))}
        ended = shell(_PALIADIN_COMPLETE="bash_complete", **typed)
        return [line.partition(",")[2] for line in ended.stdout.splitlines()]

    assert completed("conv") == ["conversations"]
    assert "--json" in completed("ask", "--")


def test_wrong_setting_is_one_line_and_exit_code_2(shell: Shell) -> None:
    ended = shell("health", PALIADIN_PORT="many")
    assert ended.exit_code == 2
    assert ended.stderr.startswith("error: PALIADIN_PORT='many' in the environment is not valid")
    assert ended.stderr.count("\n") == 2


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "example.org"])  # noqa: S104  # what must be refused
def test_up_listens_on_no_address_that_others_reach(shell: Shell, host: str) -> None:
    result = shell("up", "--host", host)
    assert result.exit_code == 2
    assert f"PALIADIN_HOST='{host}' in the command line is not valid" in result.stderr


def test_unexpected_error_is_one_line_too(shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise KeyError("surprise")

    monkeypatch.setattr("paliadin.cli.client.load_daemon_settings", broken)
    ended = shell("health")
    assert ended.exit_code == 1
    assert ended.stderr.startswith("error: KeyError: 'surprise'\n  → This is a bug in Paliadin")


def test_health_shows_parts_that_fail_with_what_to_do(daemon: ScriptedDaemon, shell: Shell) -> None:
    daemon.health = (200, {"ok": False, "parts": [DOWN, UP]})
    ended = shell("health")
    assert ended.exit_code == 1
    assert ended.stdout.splitlines() == [
        "✗ claude    not_logged_in  Claude␛[2J waits",
        "            → Type /login.",
        "✓ database  up             answers",
    ]


def test_health_as_json_is_what_the_daemon_says(daemon: ScriptedDaemon, shell: Shell) -> None:
    daemon.health = (200, {"ok": True, "parts": [UP], "version": "1"})
    ended = shell("health", "--json")
    assert (ended.exit_code, json.loads(ended.stdout)) == (0, daemon.health[1])


@pytest.mark.parametrize("args", [(), ("--json",)])
def test_health_without_a_daemon_has_an_exit_code_of_its_own(alone: Shell, args: tuple[str, ...]) -> None:
    ended = alone("health", *args)
    assert ended.exit_code == 2
    assert "Start it with `paliadin up`." in ended.stderr
    if args:
        assert json.loads(ended.stdout)["parts"][0]["state"] == "unreachable"


@pytest.mark.parametrize("body", [{"detail": "nothing here"}, [], "text"])
def test_another_program_at_the_socket_is_not_taken_for_paliadin(
    daemon: ScriptedDaemon, shell: Shell, body: object
) -> None:
    daemon.health = (200, body)
    ended = shell("health")
    assert ended.exit_code == 1
    assert "is not Paliadin" in ended.stderr
    assert "daemon.sock" in ended.stderr


def test_proxy_of_the_environment_is_not_asked(daemon: ScriptedDaemon, shell: Shell) -> None:
    daemon.health = (200, {"ok": True, "parts": [UP]})
    assert shell("health", HTTP_PROXY="http://127.0.0.1:9", ALL_PROXY="http://127.0.0.1:9").exit_code == 0


def test_keys_and_browsers_are_plain_columns_in_a_pipe(daemon: ScriptedDaemon, shell: Shell) -> None:
    times = {"signed_in": 1_795_000_000.0, "last_used": None, "expires": 1_795_900_000.0}
    browser = {"id": "b1", "person": "", "agent": "Mozilla/5.0\t\x1b[2J (X11)", **times}
    key = {"name": "intranet", "purposes": ["embed", "owner"], "made": 1_795_000_000.0, "last_used": None}
    daemon.access = {"browsers": [browser], "keys": [key]}
    listed = [line.split("\t") for line in shell("token", "list").stdout.splitlines()]
    assert listed[0:2] == [["Browsers"], ["browser", "whose", "signed in", "last used", "until", "description"]]
    assert [*listed[2][:2], *listed[2][3:4], listed[2][5]] == ["b1", "yours", "never", "Mozilla/5.0 ␛[2J (X11)"]
    assert listed[2][2].startswith("2026-11-")
    assert listed[3:6] == [[""], ["Keys"], ["name", "for", "made", "last used"]]
    assert [*listed[6][:2], listed[6][3]] == ["intranet", "embed, owner", "never"]


def test_reset_names_the_conversation(daemon: ScriptedDaemon, shell: Shell) -> None:
    daemon.conversations.items = [item("k3m9wq2x7abc", "Costs")]
    for option, value in (("--conversation", "k3m"), ("--session", "k3m9wq2x7abc")):
        ended = shell("reset", option, value)
        assert (ended.exit_code, ended.stdout) == (0, "")
        assert "k3m9wq2x7abc" in ended.stderr
    shell("reset")
    assert [body["session_id"] for body in daemon.bodies("reset")] == ["k3m9wq2x7abc", "k3m9wq2x7abc", "main"]


@pytest.mark.parametrize("term", [None, "dumb"])
def test_attach_says_what_a_terminal_without_a_name_lacks(
    term: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("paliadin.relays.terminal.attach.TmuxServer.panes", lambda _: {"main": "%0"})
    monkeypatch.delenv("TERM", raising=False)
    if term:
        monkeypatch.setenv("TERM", term)
    with pytest.raises(PaliadinError, match="TERM does not say"):
        open_terminal(load_settings({"PALIADIN_HOME": str(tmp_path)}), "main", read_only=False)


@pytest.mark.parametrize(
    ("kept", "message"), [(True, "is parked: no Claude runs in it now"), (False, "is not running")]
)
def test_attach_says_what_brings_a_parked_conversation_back(
    kept: bool, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("paliadin.relays.terminal.attach.TmuxServer.panes", lambda _: {"main": "%0"})
    if kept:
        (tmp_path / "sessions" / "costs").mkdir(parents=True)
    with pytest.raises(PaliadinError, match=message) as refused:
        open_terminal(load_settings({"PALIADIN_HOME": str(tmp_path)}), "costs", read_only=False)
    assert ("paliadin ask --conversation" in refused.value.hint) == kept


@pytest.mark.parametrize(("written", "down"), [(7, []), (23, []), (50, [";", "refresh-client", "-D", "27"])])
def test_a_small_terminal_shows_the_end_of_what_is_written(
    written: int, down: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = PaneCapture(False, 1, "", "\n".join(["x"] * written + [""] * (50 - written)), False)
    monkeypatch.setattr("paliadin.relays.terminal.attach.TmuxServer.panes", lambda _: {"main": "%0"})
    monkeypatch.setattr("paliadin.relays.terminal.attach.TmuxServer.capture", lambda *_: screen)
    monkeypatch.setattr("os.get_terminal_size", lambda _: os.terminal_size((80, 24)))
    monkeypatch.setattr("sys.stdin", SimpleNamespace(fileno=lambda: 0))
    monkeypatch.setenv("TERM", "xterm")
    commands: list[list[str]] = []
    monkeypatch.setattr("os.execvpe", lambda _program, command, _environment: commands.append(command))
    open_terminal(load_settings({"PALIADIN_HOME": str(tmp_path)}), "main", read_only=False)
    assert commands[0][commands[0].index("-t") + 2 :] == down


def test_attach_needs_a_terminal(shell: Shell) -> None:
    ended = shell("attach")
    assert ended.exit_code == 2
    assert "needs a terminal" in ended.stderr


def test_doctor_works_without_a_daemon_and_leaves_nothing_behind(alone: Shell) -> None:
    ended = alone("doctor", "--json")
    body = json.loads(ended.stdout)
    parts = {part["name"]: part for part in body["parts"]}
    assert {"python", "tmux", "plugin", "claude", "storage", "access", "database", "daemon"} < set(parts)
    assert ended.exit_code == (0 if body["ok"] else 1)
    assert (parts["daemon"]["ok"], parts["daemon"]["state"]) == (True, "warning")
    assert list((alone.home / "state").iterdir()) == []


def test_doctor_tells_of_a_wrong_setting_and_of_the_rest(alone: Shell) -> None:
    ended = alone("doctor", PALIADIN_PORT="many")
    assert ended.exit_code == 1
    assert "✗ configuration  config_error" in ended.stdout
    assert "python" in ended.stdout


def test_doctor_names_what_is_missing_and_what_is_open_to_others(alone: Shell) -> None:
    state = alone.home / "state"
    state.chmod(0o755)
    (state / "access.json").write_text("{}")
    (state / "access.json").chmod(0o644)
    nowhere = {"PALIADIN_CLAUDE": "/nowhere/claude", "PALIADIN_DATABASE_URL": "postgresql://u:secret@127.0.0.1:1/x"}
    ended = alone("doctor", "--json", PATH="/nowhere", **nowhere)
    states = {part["name"]: part["state"] for part in json.loads(ended.stdout)["parts"]}
    assert ended.exit_code == 1
    assert states["tmux"] == "missing"
    assert states["claude"] == "config_error"
    assert states["storage"] == "warning"
    assert states["access"] == "exposed"
    assert states["database"] == "database_unavailable"
    assert "secret" not in ended.stdout


def test_doctor_asks_for_no_claude_code_where_none_runs(alone: Shell) -> None:
    here = {"PALIADIN_CLAUDE": "/nowhere/claude", "PALIADIN_API_KEY": "key-of-the-tests", "PATH": "/nowhere"}
    for relay, missing in (("terminal", {"claude", "tmux"}), ("messages", set())):
        parts = json.loads(alone("doctor", "--json", PALIADIN_RELAY=relay, **here).stdout)["parts"]
        failed = {part["name"] for part in parts if not part["ok"]}
        assert failed & {"claude", "tmux"} == missing


def test_doctor_says_where_failures_of_hooks_are_noted(alone: Shell) -> None:
    for session, text in (("main", "2026-11-23T02:32:01Z Stop: OSError at log_event.py:1\n"), ("quiet", "")):
        folder = alone.home / "state" / "sessions" / session
        folder.mkdir(parents=True)
        (folder / "hooks.log").write_text(text)
    ended = alone("doctor", "--json")
    [part] = [part for part in json.loads(ended.stdout)["parts"] if part["name"] == "hooks"]
    assert (part["ok"], part["state"]) == (True, "warning")
    assert str(alone.home / "state" / "sessions" / "main" / "hooks.log") in part["message"]
    assert "quiet" not in part["message"]


def test_doctor_sees_a_port_that_another_program_has(daemon: ScriptedDaemon, shell: Shell) -> None:
    daemon.health = (200, {"hello": "world"})
    ended = shell("doctor", "--json")
    [part] = [part for part in json.loads(ended.stdout)["parts"] if part["name"] == "daemon"]
    assert not part["ok"]
    assert "is not Paliadin" in part["message"]


def test_doctor_says_whether_a_daemon_could_listen_at_the_socket_for_a_proxy(alone: Shell) -> None:
    path = alone.home / "proxy.sock"
    for made, ok, words in ((False, True, f"{path} are free"), (True, False, "is not a socket of this account")):
        if made:
            path.touch()
        parts = json.loads(alone("doctor", "--json", PALIADIN_SOCKET=str(path)).stdout)["parts"]
        [part] = [part for part in parts if part["name"] == "daemon"]
        assert (part["ok"], words in part["message"]) == (ok, True)
        assert path.exists() == made, "doctor changes nothing"


def test_up_refuses_a_socket_with_a_sentence_that_says_what_to_do(alone: Shell) -> None:
    (alone.home / "proxy.sock").touch()
    command = [sys.executable, "-m", "paliadin", "up", "--port", "0", "--socket", str(alone.home / "proxy.sock")]
    environment = os.environ | alone.environment  # of a process of its own: `up` changes the umask
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert ended.returncode == 2
    assert "is not a socket of this account" in ended.stderr
    assert "--socket or PALIADIN_SOCKET" in ended.stderr
    assert "PALIADIN_ADDRESS" in alone("up", "--port", "none").stderr


def test_doctor_passes_on_the_daemons_own_trouble(daemon: ScriptedDaemon, shell: Shell) -> None:
    daemon.health = (200, {"ok": False, "parts": [DOWN, UP]})
    ended = shell("doctor", "--json")
    [part] = [part for part in json.loads(ended.stdout)["parts"] if part["name"] == "daemon"]
    assert (part["state"], part["hint"]) == ("warning", "Type /login.")


def test_skill_path_holds_the_plugin(shell: Shell) -> None:
    folder = Path(shell("skill", "path").stdout.strip())
    assert (folder / ".claude-plugin" / "plugin.json").is_file()
    assert shell("skill", "install", "--plugin").stdout == f"claude --plugin-dir {folder}\n"


def test_skill_is_installed_once_and_again(shell: Shell) -> None:
    file = shell.home / ".claude" / "skills" / "paliadin" / "SKILL.md"
    assert shell("skill", "install", CLAUDE_CONFIG_DIR=None).stdout == f"installed {file}\n"
    assert file.read_text().startswith("---\nname: paliadin")
    assert shell("skill", "install", CLAUDE_CONFIG_DIR=None).exit_code == 0


def test_an_older_skill_of_ours_is_replaced(shell: Shell, tmp_path: Path) -> None:
    target = tmp_path / "skill"
    shell("skill", "install", "--target", str(target))
    (target / "SKILL.md").write_text("as of an earlier version")
    (target / ".paliadin").write_text(hashlib.sha256(b"as of an earlier version").hexdigest())
    assert shell("skill", "install", "--target", str(target)).exit_code == 0
    assert (target / "SKILL.md").read_text().startswith("---\nname: paliadin")


@pytest.mark.parametrize("ours", [True, False])
def test_a_skill_that_is_not_ours_or_was_changed_stays_without_force(shell: Shell, tmp_path: Path, ours: bool) -> None:
    target = tmp_path / "skill"
    if ours:
        shell("skill", "install", "--target", str(target))
    target.mkdir(exist_ok=True)
    (target / "SKILL.md").write_text("mine")
    ended = shell("skill", "install", "--target", str(target))
    assert ended.exit_code == 1
    assert ("was changed" if ours else "is not Paliadin's") in ended.stderr
    assert (target / "SKILL.md").read_text() == "mine"
    assert shell("skill", "install", "--target", str(target), "--force").exit_code == 0
    assert (target / "SKILL.md").read_text() != "mine"


@pytest.mark.parametrize(
    ("stderr", "advice", "line"),
    [
        ("ssh: Could not resolve hostname nowhere: Name or service not known", "A port goes into", False),
        ("ssh: connect to host nowhere port 22: Connection refused", "Try `ssh -o Port=2222 me@nowhere`", False),
        ("No ED25519 host key is known for nowhere. Host key verification failed.", "Connect once by hand", True),
        ("me@nowhere: Permission denied (publickey).", "paliadin remote add far me@nowhere --install", True),
        ("bash: line 1: paliadin-shim: command not found", "--install --shim PATH", True),
        ("command-line: line 0: Bad configuration option: prot", "does not know an --option", True),
    ],
)
def test_a_new_host_that_does_not_answer_is_explained(
    alone: Shell, tmp_path: Path, stderr: str, advice: str, line: bool
) -> None:
    ssh = tmp_path / "ssh"
    ssh.write_text(f"#!/bin/sh\necho '{stderr}' >&2\nexit 255\n")
    ssh.chmod(0o755)
    path = f"{tmp_path}:/usr/local/bin:/usr/bin:/bin"
    ended = alone("remote", "add", "far", "me@nowhere", "--option", "Port=2222", PATH=path)
    assert ended.exit_code == 1
    assert stderr in ended.stdout
    assert advice in ended.stdout
    assert ("restrict ssh-ed25519" in ended.stdout) == line  # for ~/.ssh/authorized_keys there


def test_a_key_that_is_installed_again_has_one_line_and_leaves_the_others(tmp_path: Path) -> None:
    keys = tmp_path / ".ssh" / "authorized_keys"
    keys.parent.mkdir()
    keys.write_text("ssh-ed25519 OTHER me@desk")  # without an end
    for program in ("wrong", "right"):
        line = f'command="{program}",restrict ssh-ed25519 AAAA/+= paliadin far\n'
        environment = {"HOME": str(tmp_path), "PATH": os.environ["PATH"]}
        subprocess.run(["sh", "-c", INSTALL], input=line, text=True, check=True, env=environment)
    assert keys.read_text() == f"ssh-ed25519 OTHER me@desk\n{line}"
    assert [path.name for path in keys.parent.iterdir()] == ["authorized_keys"]
    for damaged in ("", 'command="right",restrict ssh-ed25519 ', 'command="right",restrict '):
        refused = subprocess.run(["sh", "-c", INSTALL], input=damaged + "\n", text=True, check=False, env=environment)
        assert refused.returncode == 1
    assert keys.read_text() == f"ssh-ed25519 OTHER me@desk\n{line}"


def test_up_says_where_no_browser_could_be_opened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    address = "http://label.localhost:8724/paliadin?ticket=x"
    monkeypatch.setattr("paliadin.daemon.run", lambda _settings, announce, **_: announce(address))
    environment = {
        "BROWSER": "/nowhere/browser %s",
        "PALIADIN_HOME": str(tmp_path),
    }
    ended = CliRunner().invoke(cli, ["up", "--open"], env=environment)
    assert (ended.exit_code, ended.stdout.strip()) == (0, address)
    assert "Open the address yourself" in ended.stderr
    assert list(tmp_path.glob("open-*")) == []


def test_up_prints_the_address_before_what_fails_and_in_words_that_claude_cannot_start(alone: Shell) -> None:
    away = "postgresql://x@127.0.0.1:1/x"  # which the log says before the daemon can be reached
    settings = {"DATABASE_URL": away, "CLAUDE": "/nowhere/claude", "WORKDIR": str(alone.home), "PORT": "0"}
    own = {f"PALIADIN_{name}": value for name, value in settings.items()}
    process = subprocess.Popen(
        [sys.executable, "-m", "paliadin", "up"],
        env=os.environ | alone.environment | own | {"PALIADIN_TMUX_SOCKET": f"cli-up-{os.getpid()}"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert process.stdout
    with process:
        lines = [process.stdout.readline() for _ in range(4)]
        process.terminate()
    assert lines[0].startswith("http://")
    assert lines[1] == "Claude cannot start: PALIADIN_CLAUDE=/nowhere/claude is not a program that can be run\n"
    assert lines[2].startswith("  → Correct")
    assert json.loads(lines[3])["level"] == "warning"


@pytest.mark.parametrize(
    ("address", "hinted"), [("http://label.localhost:8724/", True), ("https://claude.example/~label/", False)]
)
def test_a_person_is_told_what_to_do_where_the_browser_does_not_find_the_address(
    address: str, hinted: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    announce(address, headline="It runs.")
    shown = capsys.readouterr().out
    assert address in shown
    assert ("--by-path" in shown) is hinted
