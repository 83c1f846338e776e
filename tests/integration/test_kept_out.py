"""Claude's file tools, and `@path` in a question, give nothing of Paliadin's own folders: with each Claude Code."""

from __future__ import annotations

import argparse
import subprocess
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from paliadin.base.settings import Settings, load_settings
from paliadin.demo.api_messages import Conversation, Message, ToolUse, text
from paliadin.demo.private_home import private_environment
from paliadin.demo.scripted_api import ScriptedApi
from paliadin.relays.ssh.shim import process
from paliadin.relays.terminal.claude import arguments
from paliadin.relays.terminal.plugin import copy_plugin
from tests.integration.conftest import make_world
from tests.worlds.world import World, text_of

SECRET = "SECRET-OF-PALIADIN"
ODD = "odd [a] (b) {c} *d ?e !f #g \\h 'i \"j $k;l&m|n ^o ümlaut 😀 "  # with a blank at its end
pytestmark = pytest.mark.timeout(120)


@dataclass
class House:
    """Folders with a secret in each, and an open one with none; Claude works beside them and asks before nothing."""

    root: Path
    claude: Path

    def secret(self, folder: Path) -> Path:
        file = folder / "deep" / "secret.txt"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(SECRET)
        return file

    @property
    def profile(self) -> Path:
        """Where Firefox keeps its cookies in plain text."""
        return self.root / ".mozilla" / "firefox"

    @property
    def work(self) -> Path:
        folder = self.root / "work"
        folder.mkdir(exist_ok=True)
        return folder

    def settings(self, home: Path, **more: Path | str) -> Settings:
        """Those of PALIADIN_HOME=home and of other variables, for an account with a browser."""
        self.profile.mkdir(parents=True, exist_ok=True)
        variables = {f"PALIADIN_{name.upper()}": str(value) for name, value in ({"home": home} | more).items()}
        variables["HOME"] = str(self.root)
        return replace(load_settings(variables, cwd=self.work), permission_mode="bypassPermissions")

    def ask(
        self, settings: Settings, question: str, calls: Sequence[ToolUse] = (), *, extra: Sequence[str] = ()
    ) -> str:
        """Have the model call the tools; returns all that the model was told."""

        def play(conversation: Conversation) -> Message:
            done = len(conversation.results)
            return Message((calls[done] if done < len(calls) else text("Done."),))

        api = ScriptedApi(play)
        with api.running() as url:
            environment = private_environment(self.root / "claude", settings.workdir, url) | {
                "IS_SANDBOX": "1"
            }  # else not as root
            options = arguments(
                settings, copy_plugin(self.root / "plugins"), str(uuid.uuid4()), resume=False, environment=environment
            )
            command = [str(self.claude), *options, *extra, "-p", question]
            with (self.root / "log").open("w") as log:
                subprocess.run(
                    command, env=environment, cwd=settings.workdir, check=True, timeout=60,
                    stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                )  # fmt: skip
        return str(api.requests)


@pytest.fixture
def house(tmp_path: Path, claude: Path) -> House:
    return House(tmp_path, claude)


def every_tool(file: Path) -> list[ToolUse]:
    return [
        ToolUse("Read", {"file_path": str(file)}),
        ToolUse("Grep", {"pattern": "SECRET", "path": str(file.parents[1]), "output_mode": "content"}),
        ToolUse("Glob", {"pattern": "**/secret.*", "path": str(file.parents[1])}),
        ToolUse("Write", {"file_path": str(file.with_name("new.txt")), "content": "planted"}),
    ]


TOOLS = ("--tools", "Read,Grep,Glob,Write")  # some that a plain start leaves out


@pytest.mark.long
def test_the_tools_read_and_write_elsewhere(house: House) -> None:
    """What the other tests look for would be seen."""
    file, settings = house.secret(house.root / "open"), house.settings(house.root / "state")
    told = house.ask(settings, "go", every_tool(file), extra=TOOLS)
    assert told.count(SECRET) >= 2
    assert "secret.txt" in told.replace(f"'{file}'", "")
    assert file.with_name("new.txt").exists()
    other = house.secret(house.root / "other")
    assert house.ask(settings, f"Look at @{file} and @/proc/self/root{other}").count(SECRET) >= 2


@pytest.mark.first(1)
@pytest.mark.parametrize("name", ["plain", ODD])
def test_the_tools_give_nothing_of_the_state(house: House, name: str) -> None:
    home, turns = house.root / name, house.root / f"turns {name}"
    settings = house.settings(home, response_dir=turns)
    for folder in (home, turns, house.profile):
        file = house.secret(folder)
        told = house.ask(settings, "go", every_tool(file), extra=TOOLS)
        assert SECRET not in told
        assert [path.name for path in file.parent.iterdir()] == ["secret.txt"]


@pytest.mark.parametrize("place", ["home", "response_dir"])
def test_no_way_of_writing_the_path_attaches_a_file(house: House, place: str) -> None:
    (house.root / "real").mkdir()
    link = house.root / "link"
    link.symlink_to(house.root / "real")
    folders = {"home": house.root / "state"} | {place: link}
    settings = house.settings(folders.pop("home"), **folders)
    file = house.secret(house.root / "real")
    below = file.relative_to(house.root / "real")
    paths = [file, link / below, Path(f"/proc/self/root{file}"), house.root / "work" / ".." / "real" / below]
    words = [f"@{path}" for path in paths] + [f"@../real/{below}"]
    calls = [ToolUse("Read", {"file_path": str(path)}) for path in paths]
    assert SECRET not in house.ask(settings, " ".join(words), calls)


def test_a_key_of_another_host_gives_nothing_of_other_keys_and_of_the_daemon_there(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    account = house.root / "account"
    monkeypatch.setenv("HOME", str(account))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(account / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(account / "data"))
    options = argparse.Namespace(name="laptop", workdir=house.work)
    settings = replace(process._load_settings(options), permission_mode="bypassPermissions")
    home = account / "data" / "paliadin"
    files = [house.secret(folder) for folder in (settings.home, home / "shims" / "other", home / "turns")]
    calls = [ToolUse("Read", {"file_path": str(file)}) for file in files]
    assert SECRET not in house.ask(settings, " ".join(f"@{file}" for file in files), calls)


PRINT_ALL = "import glob; [print(open(name).read()) for name in glob.glob('.local/*/*/*/*') + glob.glob('con*l')]"
COMMANDS = (
    "echo written > mine.txt",
    "grep -rn SECRET .",
    "cat .mozilla/firefox/deep/*",
    "mv .config c2",
    "mv .local/share s2",
    "mv .local l2",
    "mv .mozilla m2",
    "grep -rn SECRET c2 s2 l2 m2; cat */chromium/deep/* */paliadin/deep/*",
    "cat .local/share/*/deep/*; cat $(find . -name 's*t.txt'); cat conf*.toml",
    f'python3 -c "{PRINT_ALL}"',
    "mv .local away; grep -rn SECRET away; mv away .local; ln -s .local/share/paliadin link; grep -rn SECRET link/",
    "cd .local/share/*/deep && echo planted > new.txt",
    "echo planted >> con*.toml",
    "grep -rn SECRET claude; cat claude/.claude/projects/*/*.jsonl",
)


@pytest.mark.first(1)
@pytest.mark.parametrize("sandbox", ["", "false"])
def test_where_the_working_folder_holds_the_state_no_command_finds_it(house: House, sandbox: str) -> None:
    """As when Claude works in the home folder of its account, even if it needs no permission for anything."""
    config = house.root / "config.toml"
    config.write_text(f'database_url = "postgresql://x:{SECRET}@127.0.0.1/x"')
    home = house.root / ".local" / "share" / "paliadin"
    file = house.secret(home)
    for profile in (house.profile, house.root / ".config" / "chromium"):
        house.secret(profile)
    settings = house.settings(home, workdir=house.root, config=config, sandbox=sandbox)
    transcript = house.root / "claude" / ".claude" / "projects" / "another" / "conversation.jsonl"
    transcript.parent.mkdir(parents=True)
    transcript.write_text(SECRET)
    told = house.ask(settings, "go", [ToolUse("Bash", {"command": command}) for command in COMMANDS])
    looks = [ToolUse("Grep", {"pattern": "SECRET", "path": ".", "output_mode": "content"})]
    looks += [ToolUse("Glob", {"pattern": "**/secret.*", "path": "."})]
    if not sandbox:
        told += house.ask(settings, "go", looks, extra=TOOLS).replace("secret.*", "")
        assert "secret." not in told
    assert (house.root / "mine.txt").exists(), "the commands ran"
    assert (SECRET in told) is bool(sandbox)
    if not sandbox:
        assert [path.name for path in file.parent.iterdir()] == ["secret.txt"]
        assert "planted" not in config.read_text()


LOOKS = """
import os, pathlib, socket, urllib.request
pathlib.Path("written-here").touch()
for folder, _, files in os.walk("home"):
    print(*(f"FOUND {folder}/{name}" for name in files))
try:
    pathlib.Path("../outside").touch()
except OSError as error:
    print("outside:", error)
for address in (("127.0.0.1", PORT), "home/daemon.sock"):
    try:
        socket.socket(socket.AF_INET if isinstance(address, tuple) else socket.AF_UNIX).connect(address)
    except OSError as error:
        print("no connection:", error)
os.environ.pop("no_proxy"), os.environ.pop("NO_PROXY")
proxy = urllib.request.ProxyHandler({"http": os.environ["http_proxy"]})
print("elsewhere:", urllib.request.build_opener(proxy).open("http://127.0.0.1:PORT/livez").status)
"""


@pytest.fixture
def world(tmp_path: Path, claude: Path, api: tuple[ScriptedApi, str]) -> Iterator[World]:
    yield from make_world(tmp_path, claude, api)


@pytest.mark.long
def test_a_turn_in_the_sandbox_is_asked_and_permitted_as_any_other(world: World) -> None:
    """The working folder holds HOME, as `~` does."""
    world.workdir = world.root
    world.environment = private_environment(world.root / "claude", world.root, world.base_url)
    world.options = {"WORKDIR": str(world.root)}
    (world.root / "looks.py").write_text(LOOKS.replace("PORT", str(world.port)))
    world.start()
    turn_id = world.ask("scene:snoop")
    events, asked = [], []
    for event in world.follow(turn_id):
        events.append(event)
        if event.name == "interrupt":
            asked.append(event.data["input"]["command"])
            world.post(f"stream/{turn_id}/answer", {"interrupt_id": event.data["id"], "value": "allow"})
    assert events[-1].name == "end", events[-1]
    told = text_of(events)
    assert asked == ["python3 - < looks.py"]
    assert (world.root / "written-here").exists()
    assert "digest" not in told
    assert "FOUND" not in told
    assert "outside: " in told
    assert told.count("no connection: ") == 2
    assert "elsewhere: 200" in told, "what leads out of the sandbox asks no dialog that only the terminal shows"
    assert next(part["state"] for part in world.get("health")["parts"]) == "ready"


@pytest.mark.long
def test_a_link_in_the_working_folder_leads_no_command_to_the_state(house: House) -> None:
    """As in a repository whose author has guessed where the state is."""
    settings = replace(house.settings(house.root / ".local" / "share" / "paliadin"), permission_mode="default")
    house.secret(settings.home)
    (house.work / "docs").symlink_to("../.local")
    commands = ["grep -R SECRET .", "rg -L SECRET .", "cat < docs/share/paliadin/deep/secret.txt"]
    told = house.ask(settings, "go", [ToolUse("Bash", {"command": command}) for command in commands])
    assert SECRET not in told
