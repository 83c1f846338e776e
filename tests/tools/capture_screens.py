"""Walk the real Claude Code through every state that can be reached, and save what the terminal shows.

`python -m tests.tools.capture_screens [--status-line] [npm|sdk] [scene …]` writes the screens `<what>[--<size>]` into
tests/screens/<version>/<state>.ansi, which unit/test_screen.py reads; with `--status-line`, the same scenes with
Paliadin's status line on, into <version>-status-line. Run both for a new version of Claude Code, look at what changed,
and mend relays/terminal/screen.py. The state is what the scene brought about, not what read_screen makes of it: the
script knows what its model is doing, and a screen that is saved as ready has then taken text.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import secrets
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from paliadin.base.errors import TmuxUnresponsive
from paliadin.demo.api_messages import ApiError, Conversation, Message, Pause, Text, ToolUse, text
from paliadin.demo.private_home import private_environment
from paliadin.demo.scripted_api import ScriptedApi
from paliadin.relays.terminal import status_line
from paliadin.relays.terminal.claude import IN_COLOUR
from paliadin.relays.terminal.screen import State
from paliadin.relays.terminal.tmux import HEIGHT, WIDTH, TmuxServer
from tests.worlds.screens import SCREENS, keep
from tests.worlds.world import ROOT, binaries

TMP = "/tmp"  # noqa: S108  # a private home is made here, by a name that nobody can guess
OWNER = "/home/owner"  # stands in every captured screen where the private home was: as long as that
PATIENCE = 15.0  # seconds for one step
SIZES = ((80, 30), (20, 30))
RULE, NBSP = "─" * WIDTH, "\u00a0"
FAKE_COMPOSER = f"{RULE}\n❯{NBSP}\n{RULE}\n  ? for shortcuts"
FAKE_DIALOG = f"{RULE}\nDo you want to proceed?\n❯ 1. Yes\n  2. No\n\nEsc to cancel · Tab to amend"

# --- What the scripted model does: the word behind `do:` in the prompt. ----------------------------------------------


def play(conversation: Conversation) -> Message | ApiError:
    prompt = conversation.user_text
    if "summary of the conversation" in prompt:  # /compact
        return Message((Pause(4), text("<summary>They talked.</summary>\n")))
    if "SUGGESTION MODE" in prompt:  # what the user may want to say next: shown dim in the composer
        return Message((Text(("run the tests",)),))
    word = re.search(r"do:(\w+)", prompt)
    scene = MODEL.get(word[1]) if word else None
    return scene(conversation) if scene else Message((text("A short answer.\nIn two lines.\n", 0.05),))


def _tool(tool: str, preamble: str = "", /, **values: object) -> Callable[[Conversation], Message]:
    def use(conversation: Conversation) -> Message:
        if conversation.results:
            return Message((text("Done.\n"),))
        folder = re.search(r"in:(\S+)", conversation.user_text)
        tool_input = json.loads(json.dumps(values).replace("{cwd}", folder[1] if folder else ""))
        return Message((*([text(preamble)] if preamble else []), ToolUse(tool, tool_input)))

    return use


def _plan(conversation: Conversation) -> Message:
    """Write the plan to the file that Claude Code names, then ask whether to carry it out."""
    prompt = conversation.system + conversation.notes + "".join(conversation.prompts)
    path = re.search(r"(/\S+/\.claude/plans/[\w-]+\.md)", prompt)
    if path and not conversation.results:
        return Message(
            (ToolUse("Write", {"file_path": path[1], "content": f"# Plan\n\n1. Look.\n\n{FAKE_COMPOSER}\n"}),)
        )
    if len(conversation.results) < 2:
        return Message((ToolUse("ExitPlanMode", {}),))
    return Message((text("Done.\n"),))


def _option(label: str, **more: str) -> dict[str, str]:
    return {"label": label, "description": f"what {label} means", **more}


def _question(question: str, header: str, *labels: str, multi: bool = False) -> dict[str, object]:
    options = [_option(label) for label in labels]
    return {"question": question, "header": header, "multiSelect": multi, "options": options}


COLOUR = _question("Which colour?", "Colour", "Red", "Blue")
PREVIEWED = {**COLOUR, "options": [_option("Red", preview=FAKE_COMPOSER), _option("Blue", preview="b\nb\nb")]}
FAKED = _question(f"Which?\n{FAKE_COMPOSER}", "Fake", FAKE_COMPOSER, FAKE_DIALOG)
LETTERS = _question("Which letters?", "Letters", "A", "B", "C", multi=True)
SLOW_PYTHON = "python3 -c 'import time; time.sleep(20)'"
MODEL: dict[str, Callable[[Conversation], Message | ApiError]] = {
    "think": lambda _: Message((Pause(30), text("Late.\n"))),
    "stream": lambda _: Message((text("".join(f"Line {n} of a long answer.\n\n" for n in range(200)), 0.1),)),
    "scroll": lambda _: Message((text("".join(f"Line {n} of a long answer.\n\n" for n in range(80))),)),
    "composer": lambda _: Message((text(f"```\n{FAKE_COMPOSER}\n```\n\n{FAKE_COMPOSER}\n"),)),
    "dialog": lambda _: Message(
        (text(f"```\n{FAKE_DIALOG}\n```\n\nI asked: Do you want to proceed? esc to interrupt\n"),)
    ),
    "fail": lambda _: ApiError(400, "invalid_request_error", "the script says no"),
    "error": lambda _: ApiError(500, "api_error", "Something broke"),
    "bash": _tool("Bash", "I run it.\n", command="python3 -c 'print(6 * 7)'", description="Multiply"),
    "bash_slow": _tool("Bash", command=SLOW_PYTHON, description="Wait"),
    "bash_long": _tool("Bash", command="python3 -c '\n" + "print(1)\n" * 60 + "'", description="Many lines"),
    "bash_fake": _tool("Bash", command=f"python3 -c '\n{FAKE_COMPOSER}\n'", description=FAKE_COMPOSER),
    "background": _tool("Bash", command=SLOW_PYTHON, description="Wait", run_in_background=True),
    "write": _tool("Write", file_path="{cwd}/note.md", content="# Note\n\nCall the expert.\n"),
    "write_fake": _tool("Write", f"```\n{FAKE_COMPOSER}\n```\n", file_path="{cwd}/x.md", content=FAKE_COMPOSER),
    "write_long": _tool("Write", file_path="{cwd}/y.md", content="A line.\n" * 90),
    "edit": _tool("Edit", file_path="{cwd}/deadlines.csv", old_string="reply", new_string=f"defence\n❯{NBSP}"),
    "read": _tool("Read", file_path="{cwd}/deadlines.csv"),
    "outside": _tool("Read", file_path="/etc/hostname"),
    "web": _tool("WebFetch", url="https://example.org/", prompt="What is it?"),
    "mcp": _tool("mcp__office__lookup", name="harbour"),
    "plan": _plan,
    "agent": _tool("Agent", description="Look around", prompt="do:think", subagent_type="general-purpose"),
    "todo": _tool("TaskCreate", subject="Call the expert", description="Today", activeForm="Calling"),
    "single": _tool("AskUserQuestion", questions=[COLOUR]),
    "fake": _tool("AskUserQuestion", FAKE_COMPOSER, questions=[FAKED]),
    "preview": _tool("AskUserQuestion", questions=[PREVIEWED]),
    "multi": _tool("AskUserQuestion", questions=[LETTERS]),
    "several": _tool("AskUserQuestion", questions=[COLOUR, LETTERS]),
}
MCP_SERVER = """
import json, sys
def send(**message): print(json.dumps({"jsonrpc": "2.0", **message}), flush=True)
berth = {"type": "object", "properties": {"berth": {"type": "string", "description": "The number of the berth"}}}
results = {"initialize": {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}},
                          "serverInfo": {"name": "office", "version": "1"}},
           "tools/list": {"tools": [{"name": "lookup", "description": "Look up",
                                     "inputSchema": {"type": "object", "properties": {}}}]}}
for line in sys.stdin:
    asked = json.loads(line)
    if asked.get("method") == "tools/call":
        send(id=99, method="elicitation/create", params={"message": "Which berth?", "requestedSchema": berth})
    elif "id" in asked and "method" in asked:
        send(id=asked["id"], result=results.get(asked["method"], {}))
"""

# --- One Claude in one pane. -----------------------------------------------------------------------------------------


@dataclass
class Stage:
    """A running Claude, and where its screens are kept."""

    terminal: TmuxServer
    pane: str
    home: Path
    out: Path
    saved: list[str] = field(default_factory=list)

    @property
    def cwd(self) -> Path:
        return self.home / "office"

    def captured(self) -> str:
        return "\n".join(self.terminal._capture(self.pane)[1])

    def plain(self) -> str:
        return re.sub(r"\x1b\[[0-9;:]*m", "", self.captured())

    def sees(self, pattern: str, seconds: float = PATIENCE) -> None:
        self._until(lambda: re.search(pattern, self.plain(), re.MULTILINE) is not None, seconds, f"seen: {pattern}")

    def no_longer_sees(self, pattern: str, seconds: float = PATIENCE) -> None:
        self._until(lambda: re.search(pattern, self.plain(), re.MULTILINE) is None, seconds, f"gone: {pattern}")

    def rests(self, seconds: float = 3.0) -> None:
        """Wait until the screen has not changed for 0.4 s."""
        deadline, since, before = time.monotonic() + seconds, time.monotonic(), self.captured()
        while time.monotonic() < deadline and time.monotonic() - since < 0.4:
            time.sleep(0.05)
            now = self.captured()
            if now != before:
                before, since = now, time.monotonic()

    def press(self, *keys: str) -> None:
        for key in keys:
            with self._takes_effect():
                self.terminal.press(self.pane, key)

    def press_twice(self, key: str) -> None:
        """Quickly; pressed at once, two Escapes may be read as one key with Alt."""
        self.terminal.press(self.pane, key)
        time.sleep(0.15)
        self.press(key)

    def type(self, typed: str) -> None:
        with self._takes_effect():
            self.terminal.type(self.pane, typed)

    def paste(self, pasted: str) -> None:
        self.terminal._run("set-buffer", "-b", "capture", pasted)
        with self._takes_effect():
            self.terminal._run("paste-buffer", "-p", "-r", "-b", "capture", "-t", self.pane)

    @contextlib.contextmanager
    def _takes_effect(self) -> Iterator[None]:
        """Wait for what a key shows: under load, a screen at rest may be the one before it. Some keys show nothing."""
        before = self.captured()
        yield
        time.sleep(0.15)
        with contextlib.suppress(AssertionError):
            self._until(lambda: self.captured() != before, 1.5, "a change")

    def say(self, prompt: str) -> None:
        self.rests()
        self.type(f"{prompt} ")
        self.rests()
        self.press("Enter")

    def command(self, typed: str) -> None:
        """Run a slash command. Unlike `say`, this types no blank behind it: that would begin its argument."""
        self.rests()
        self.type(typed)
        self.rests()
        self.press("Enter")

    def asks(self, what: str) -> None:
        self.say(f"do:{what} in:{self.cwd}")

    def answered(self, what: str = "hello") -> None:
        """Say something and wait until its answer is there and the screen is at rest."""
        self.say(what)
        time.sleep(0.5)
        self.rests(PATIENCE)  # a spinner moves

    def empty_composer(self) -> None:
        self.press("C-c")
        self.no_longer_sees("again to")
        self.rests()

    def takes_text(self) -> bool:
        """What is typed appears in the composer: the proof that a screen is ready. Takes it away again."""
        self.type("[")
        with contextlib.suppress(AssertionError):
            self.sees("^❯\u00a0\\[ *$", 0.5)
            self.press("BSpace")
            self.rests()
            return True
        self.press("BSpace")
        return False

    def save(self, state: State, what: str, *, rest: bool = True, sizes: Sequence[tuple[int, int]] = ()) -> None:
        if rest:
            self.rests()
        self._write(state, what)
        for width, height in sizes:
            self.terminal.resize(self.pane, width, height)
            time.sleep(0.3)
            if rest:
                self.rests()
            self._write(state, f"{what}--{width}x{height}")
        if sizes:
            self.terminal.resize(self.pane, WIDTH, HEIGHT)
            time.sleep(0.3)
            self.rests()
        if state is State.READY and not self.takes_text():
            raise AssertionError(f"{what} was to be ready, but takes no text:\n{self.plain()}")

    def save_as_it_turns_out(self, what: str, width: int, height: int) -> None:
        """Save a screen whose state is not the same in each version; whether it takes text decides."""
        self.rests(PATIENCE)  # while a command is at work, its spinner moves and the composer takes text, too
        screen = self.captured()
        self.terminal.resize(self.pane, width, height)
        time.sleep(0.3)
        self.rests()
        narrow = self.captured()
        self.terminal.resize(self.pane, WIDTH, HEIGHT)
        time.sleep(0.3)
        self.rests()
        state = State.READY if self.takes_text() else State.DIALOG
        self._write(state, what, screen)
        self._write(state, f"{what}--{width}x{height}", narrow)

    def film(self, state: State, what: str, seconds: float) -> None:
        """Save each frame that looks different from those before it, digits and the spinner's signs aside."""
        seen: set[str] = set()
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            kind = re.sub(r"\d+|[✻✶✳✽✢·*]|[A-Z][\wé-]+…|Line .*|\s+", "", self.plain())
            if kind not in seen:
                seen.add(kind)
                self._write(state, f"{what}-{len(seen)}")
            time.sleep(0.01)

    def _write(self, state: State, name: str, screen: str | None = None) -> None:
        keep(self.out, state, name, neutral(self.captured() if screen is None else screen, str(self.home)))
        self.saved.append(name)

    def _until(self, met: Callable[[], bool], seconds: float, what: str) -> None:
        deadline = time.monotonic() + seconds
        while not met():
            if time.monotonic() > deadline:
                raise AssertionError(f"not within {seconds} s: {what}\n{self.plain()}")
            time.sleep(0.02)


@dataclass
class Studio:
    """Starts one Claude after another, each with a home, a tmux server and leftovers of its own."""

    binary: Path
    url: str
    out: Path
    has_status_line: bool = False
    saved: list[str] = field(default_factory=list)

    @contextlib.contextmanager
    def stage(
        self,
        *arguments: str,
        config: Mapping[str, object] | None = None,
        settings: Mapping[str, object] | None = None,
        environment: Mapping[str, str | None] | None = None,
        files: Mapping[str, str] | None = None,
        mode: str | None = "default",
        wait: str | None = "^❯\u00a0",
    ) -> Iterator[Stage]:
        """`config` changes .claude.json and `environment` the environment; a value of None takes a name away."""
        home = Path(TMP) / secrets.token_hex(3)[: len(OWNER) - len(TMP) - 1]
        home.mkdir(mode=0o700)
        terminal = TmuxServer(f"paliadin-capture-{os.getpid()}", "capture")
        try:
            (home / "office").mkdir()
            variables = {**private_environment(home, home / "office", self.url), **(environment or {})}
            if self.has_status_line:
                owners: Mapping[str, object] = (settings or {}).get("statusLine") or {}  # type: ignore[assignment]
                variables |= status_line.environment(owners, 1) | {"PALIADIN_HOOK_SESSION": str(home)}
                overrides = {"statusLine": status_line.setting(ROOT / "skill", owners)}
                arguments = (*arguments, "--settings", json.dumps(overrides))
            furnish(home, config or {}, settings or {}, files or {})
            passed = [f"{name}={value}" for name, value in variables.items() if value is not None]
            modes = ["--permission-mode", mode] if mode else []
            in_colour = IN_COLOUR if self.has_status_line else ()
            command = ["env", "-i", *passed, *in_colour, str(self.binary), *modes, *arguments]
            pane = terminal.start("main", command, home / "office", {})
            stage = Stage(terminal, pane, home, self.out, self.saved)
            if wait:
                stage.sees(wait)
                stage.rests()
            yield stage
        finally:
            with contextlib.suppress(TmuxUnresponsive):
                terminal.kill_server()
            end_all_of(home)
            shutil.rmtree(home, ignore_errors=True)


def furnish(home: Path, config: Mapping[str, object], settings: Mapping[str, object], files: Mapping[str, str]) -> None:
    known = home / ".claude.json"
    merged = {**json.loads(known.read_text("utf-8")), **config}
    state = {name: value for name, value in merged.items() if value is not None}
    whole = {
        ".claude.json": json.dumps(state),
        ".claude/settings.json": json.dumps(settings),
        "office/deadlines.csv": "id,what\nc47bd2,reply\n",
        "office/glossary.md": "# Glossary\n",
        **files,
    }
    for name, content in whole.items():
        (home / name).parent.mkdir(parents=True, exist_ok=True)
        (home / name).write_text(content, "utf-8")


def neutral(screen: str, home: str) -> str:
    """The screen with OWNER for `home`, also where a narrow terminal breaks or cuts it, and no port."""
    gap = r"(?:\s|\x1b\[[0-9;:]*m)*"
    begins = [(0, length) for length in range(len(home), len(TMP), -1)]
    ends = [(start, len(home)) for start in range(1, len(TMP) + 2)]  # a line of an old size, half drawn over
    for start, end in begins + ends:
        pattern = gap.join(f"({re.escape(char)})" for char in home[start:end])
        for match in reversed(list(re.finditer(pattern, screen))):
            for number in range(end - start, 0, -1):
                at = match.start(number)
                screen = screen[:at] + OWNER[start + number - 1] + screen[at + 1 :]
    if Path(home).name in screen or TMP in screen:
        raise AssertionError(f"a part of the path {home} is still there:\n{screen}")
    return re.sub(r"127\.0\.0\.1:\d{5}", "127.0.0.1:80800", screen)


def end_all_of(home: Path) -> None:
    """End what Claude left behind (its agents view starts a daemon): every process whose HOME is this one."""
    for _ in range(20):
        processes = [process for process in _processes() if f"HOME={home}" in process[1]]
        for pid, _environment in processes:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        if not processes:
            return
        time.sleep(0.1)


def _processes() -> Iterator[tuple[int, list[str]]]:
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            yield int(folder.name), (folder / "environ").read_text("utf-8", "replace").split("\0")


# --- The scenes. -----------------------------------------------------------------------------------------------------

Scene = Callable[[Studio], None]
SCENES: dict[str, Scene] = {}


def scene(play_it: Scene) -> Scene:
    SCENES[play_it.__name__] = play_it
    return play_it


@scene
def start(studio: Studio) -> None:
    with studio.stage(wait=None) as stage:
        stage.save(State.STARTING, "blank", rest=False)
        stage.sees("^❯\u00a0")
        stage.save(State.READY, "fresh", sizes=SIZES)
        stage.type("?")
        stage.save(State.READY, "shortcuts")
        stage.save(State.READY, "shortcuts-closed")
    for mode in ("acceptEdits", "plan", "auto", "dontAsk", None):
        with studio.stage(mode=mode) as stage:
            stage.save(State.READY, f"mode-{mode or 'not-given'}")


@scene
def first_questions(studio: Studio) -> None:
    with studio.stage(config={"projects": {}}, wait="trust") as stage:
        stage.save(State.TRUST, "folder", sizes=SIZES)
    with studio.stage(config={"customApiKeyResponses": None}, wait="API key") as stage:
        stage.save(State.TRUST, "api-key", sizes=SIZES)
    root = {"IS_SANDBOX": "1"}  # without it, it refuses to run as root in this mode
    with studio.stage("--dangerously-skip-permissions", mode=None, environment=root, wait="Bypass") as stage:
        stage.save(State.TRUST, "bypass-warning", sizes=SIZES)
        stage.press("Down", "Enter")
        stage.save(State.READY, "mode-bypass")
    unknown = {"hasCompletedOnboarding": None, "theme": None}
    with studio.stage(config=unknown, wait="get started") as stage:
        stage.save(State.DIALOG, "onboarding-theme", sizes=SIZES)
        stage.press("Enter")
        stage.save(State.DIALOG, "onboarding-next")
    with studio.stage("--resume", wait=None) as stage:
        stage.sees("\\S")
        stage.save(State.DIALOG, "resume-with-nothing-there")
    servers = json.dumps({"mcpServers": {"office": {"command": "false"}}})
    with studio.stage(files={"office/.mcp.json": servers}, wait="MCP server") as stage:
        stage.save(State.DIALOG, "mcp-server-found", sizes=SIZES)
    with studio.stage(files={"office/.claude/settings.json": "{]"}, wait="[Ss]ettings") as stage:
        stage.save(State.DIALOG, "settings-error")


@scene
def logins(studio: Studio) -> None:
    with studio.stage(environment={"ANTHROPIC_API_KEY": None}) as stage:
        # 2.1.329 shows nothing of it: `claude auth status` has to be asked.
        state = State.NOT_LOGGED_IN if "Not logged in" in stage.plain() else State.READY
        stage.save(state, "nobody-logged-in", sizes=SIZES)
        stage.answered("hello")
        stage.save(state, "nobody-logged-in-asked", sizes=SIZES)
        stage.type("x")
        stage.save(State.DRAFT, "nobody-logged-in")
        stage.empty_composer()
        stage.command("/login")
        stage.sees("Select login method")
        stage.save(State.LOGIN, "menu", sizes=SIZES)
    with studio.stage() as stage:
        stage.command("/login")
        stage.sees("Select login method")
        stage.save(State.LOGIN, "menu-with-a-key")
        stage.press("Escape")
        stage.save(State.READY, "login-menu-left")


@scene
def answers(studio: Studio) -> None:
    with studio.stage() as stage:
        stage.answered()
        stage.save(State.READY, "answer", sizes=SIZES)
        stage.answered(f"do:read in:{stage.cwd}")
        stage.save(State.READY, "answer-with-a-tool")
        stage.answered("do:scroll")
        stage.save(State.READY, "long-scrollback", sizes=SIZES)
        stage.answered("do:composer")
        stage.save(State.READY, "answer-imitates-a-composer", sizes=SIZES)
        stage.answered("do:dialog")
        stage.save(State.READY, "answer-imitates-a-dialog", sizes=SIZES)
        stage.answered(f"{NBSP}quoted\n❯ 1. Yes\n{RULE}\n❯{NBSP}")
        stage.save(State.READY, "prompt-imitates-a-composer", sizes=SIZES)
        stage.answered("do:fail")
        stage.save(State.READY, "api-error", sizes=SIZES)
        stage.command("/clear")
        stage.no_longer_sees("quoted")
        stage.save(State.READY, "clear")


@scene
def at_work(studio: Studio) -> None:
    with studio.stage() as stage:
        stage.asks("think")
        stage.film(State.BUSY, "submitted", 1)
        stage.save(State.BUSY, "thinking", rest=False, sizes=SIZES)
        stage.press("Escape")
        stage.save(State.DRAFT, "put-back-after-escape")
        stage.empty_composer()
        stage.asks("stream")
        stage.sees("Line 1 of")
        stage.film(State.BUSY, "streaming", 2)
        stage.save(State.BUSY, "streaming", rest=False, sizes=SIZES)
        stage.press("Escape")
        stage.sees("Interrupted")
        stage.save(State.READY, "interrupted", sizes=SIZES)
        stage.asks("error")
        stage.sees("attempt|etry")
        stage.film(State.BUSY, "asking-again", 2)
        stage.press("Escape")
    with studio.stage("--allowedTools", "Bash") as stage:
        stage.asks("bash_slow")
        stage.sees("Wait|Running")
        stage.film(State.BUSY, "tool", 2)
        stage.save(State.BUSY, "tool-runs", rest=False, sizes=SIZES)
        stage.press("Escape")
        stage.sees("Interrupted")
        stage.save(State.READY, "interrupted-tool")
        stage.asks("background")
        stage.sees("Done")
        stage.save(State.READY, "background-task")
        stage.press("Down")
        stage.save(State.DIALOG, "background-task-selected")
    with studio.stage() as stage:
        for _ in range(3):
            stage.answered()
        stage.command("/compact")
        stage.sees("Compacting")
        stage.film(State.BUSY, "compacting", 2)
        stage.no_longer_sees("Compacting")
        stage.save(State.READY, "compacted")


@scene
def agents(studio: Studio) -> None:
    with studio.stage("--allowedTools", "Agent,Task,TaskCreate") as stage:
        stage.asks("todo")
        stage.sees("Call the expert")
        stage.save(State.READY, "with-a-task-list")
        stage.asks("agent")
        stage.sees("general-purpose  Look around")
        stage.rests(2)
        # 2.1.329 runs it in the background: the turn ends, the next prompt is taken at once.
        background = "Waiting for 1 background agent" in stage.plain()
        stage.film(State.READY if background else State.BUSY, "subagent", 1)
        stage.press("Down", "Down")
        stage.save(State.DIALOG if background else State.BUSY, "subagent-selected", rest=False)
        stage.press("Enter")
        time.sleep(0.5)
        stage.save(State.DIALOG if background else State.BUSY, "subagent-viewed", rest=False)
    with studio.stage() as stage:  # the view of all sessions; what it starts is ended with the stage
        stage.answered()
        stage.press("Left")
        stage.sees("describe a task")
        stage.save(State.DIALOG, "all-agents", sizes=SIZES)
        stage.press("Up")
        stage.save(State.DIALOG, "all-agents-another-row")
        stage.press("Down", "Space")
        stage.save(State.DIALOG, "all-agents-reply")


@scene
def keys_while_at_work(studio: Studio) -> None:
    with studio.stage() as stage:
        stage.asks("stream")
        stage.sees("Line 1 of")
        stage.type("and another one ")
        stage.save(State.BUSY, "draft", rest=False)
        stage.press("Enter")
        stage.film(State.BUSY, "queued", 1)
        stage.type("!")
        stage.film(State.BUSY, "shell-mode", 0.5)
    with studio.stage() as stage:
        stage.asks("stream")
        stage.sees("Line 1 of")
        stage.type("?")
        stage.film(State.BUSY, "shortcuts", 0.5)
        stage.press("BSpace", "C-o")
        stage.film(State.DIALOG, "transcript-while-streaming", 0.5)
        stage.press("C-o")
        stage.rests(0.5)
        stage.paste("x" * 900)
        stage.film(State.BUSY, "pasted", 0.5)
        stage.press("C-u")
        stage.film(State.BUSY, "paste-removed", 1)
        stage.type("/")
        stage.film(State.BUSY, "menu", 0.5)


@scene
def owners_settings(studio: Studio) -> None:
    line = {"statusLine": {"type": "command", "command": "echo 'office on main | 42 %'"}}
    with studio.stage(settings=line) as stage:
        stage.sees("42 %")
        stage.save(State.READY, "status-line", sizes=SIZES)
        stage.asks("think")
        stage.sees("…")
        stage.film(State.BUSY, "status-line-thinking", 2)
        stage.press("Escape")
        stage.rests()
        stage.empty_composer()
        stage.asks("stream")
        stage.sees("Line 1 of")
        stage.film(State.BUSY, "status-line-streaming", 2)
        stage.press("Escape")
        stage.save(State.READY, "status-line-interrupted")
    # NORMAL mode is not among the screens: it looks like a composer without vim.
    with studio.stage(settings={"editorMode": "vim"}, config={"editorMode": "vim"}) as stage:
        stage.save(State.READY, "vim-insert")
        stage.asks("stream")
        stage.sees("Line 1 of")
        stage.save(State.BUSY, "vim-streaming", rest=False)
    with studio.stage(environment={"CLAUDE_CODE_ENABLE_PROMPT_SUGGESTION": "1"}) as stage:
        stage.save(State.READY, "placeholder-example")
        for _ in range(3):
            stage.answered()
        stage.sees("❯\u00a0run the tests")
        stage.save(State.READY, "placeholder-suggestion", sizes=SIZES)
    keys = {"bindings": [{"context": "Chat", "bindings": {"alt+q": "chat:cancel", "escape": None}}]}
    with studio.stage(files={".claude/keybindings.json": json.dumps(keys)}) as stage:
        stage.asks("stream")
        stage.sees("Line 1 of")
        stage.save(State.BUSY, "rebound-key", rest=False)
    with studio.stage() as stage:
        stage.command("/color red")
        stage.save(State.READY, "coloured")
        stage.command("/rename the harbour")
        stage.save(State.READY, "named")
        stage.asks("stream")
        stage.sees("Line 1 of")
        stage.save(State.BUSY, "coloured-and-named", rest=False)


@scene
def themes(studio: Studio) -> None:
    plain: dict[str, dict[str, str | None]] = {
        "truecolor": {"COLORTERM": "truecolor", "CLAUDE_CODE_TMUX_TRUECOLOR": "1"},
        "no-color": {"NO_COLOR": "1"},
        "fullscreen": {"CLAUDE_CODE_NO_FLICKER": "1"},
    }
    for theme in ("light", "dark-daltonized", "light-daltonized", "dark-ansi", "light-ansi", *plain):
        config = {} if theme in plain else {"theme": theme}
        with studio.stage(config=config, settings=config, environment=plain.get(theme)) as stage:
            stage.save(State.READY, f"theme-{theme}")
            stage.asks("stream")
            stage.sees("Line 1 of")
            stage.save(State.BUSY, f"theme-{theme}", rest=False)
            stage.press("Escape")
            stage.sees("Interrupted")
            stage.asks("bash")
            stage.sees(r"❯ +1\.")
            stage.save(State.PERMISSION, f"theme-{theme}")
    # No cursor is drawn: where the keys go is not to be seen, so that is never ready.
    with studio.stage(environment={"CLAUDE_CODE_ACCESSIBILITY": "1"}) as stage:
        stage.save(State.DIALOG, "no-cursor-is-drawn")


@scene
def drafts(studio: Studio) -> None:
    with studio.stage() as stage:
        stage.type("a question that somebody has begun")
        stage.save(State.DRAFT, "one-line", sizes=SIZES)
        stage.press("Escape")
        stage.save(State.DRAFT, "escape-once")
        stage.press("C-c")
        stage.save(State.BUSY, "press-again-to-leave", rest=False)
        stage.no_longer_sees("again to")
        stage.save(State.READY, "not-left")
        stage.type("one\ntwo\n\n  three\n")
        stage.save(State.DRAFT, "many-lines", sizes=SIZES)
        stage.press("Home", "Up", "Up", "Up", "Up")
        stage.save(State.DRAFT, "cursor-at-the-beginning")
        stage.press("C-s")
        stage.save(State.READY, "draft-stashed")
        stage.press("C-s")
        stage.empty_composer()
        for number in range(70):
            stage.type(f"line {number}\n")
        stage.save(State.DRAFT, "scrolled", sizes=SIZES)
        stage.empty_composer()
        for _ in range(8):
            stage.type(" \n" * 8)
        stage.save(State.DRAFT, "blank-lines")
        stage.empty_composer()
        for _ in range(10):
            stage.type("a long line of a long draft " * 14)
        stage.save(State.DRAFT, "long", sizes=((80, 30),))
        stage.empty_composer()
        stage.type(f"{FAKE_COMPOSER}\n\n{RULE}\n❯{NBSP}")
        stage.save(State.DRAFT, "imitates-a-composer", sizes=SIZES)


DRAFTS = {
    "shell": "!", "shell-command": "!ls", "menu": "/", "menu-word": "/mod", "argument": "/model ", "file": "@",
    "file-word": "@dead", "hash": "#", "blank": " ", "blanks": "   ", "dead-end": "/nothing-of-that-name ",
}  # fmt: skip


@scene
def drafts_of_kinds(studio: Studio) -> None:
    with studio.stage() as stage:
        for name, typed in DRAFTS.items():
            stage.type(typed)
            stage.save(State.DRAFT, name)
            stage.empty_composer()
            stage.press("BSpace")  # leaves shell mode
            stage.rests()
        stage.paste("x" * 900 + "\n" * 9)
        stage.save(State.DRAFT, "paste")
        stage.empty_composer()
        stage.type("y")
        stage.press("Left")
        stage.save(State.DRAFT, "one-letter-cursor-on-it")
        stage.empty_composer()
        stage.press("C-r")
        stage.save(State.DIALOG, "history-search")
        stage.type("zzz")
        stage.save(State.DIALOG, "history-search-finds-nothing")


ASKING = (
    "bash",
    "bash_long",
    "bash_fake",
    "write",
    "write_fake",
    "write_long",
    "edit",
    "outside",
    "web",
    "plan",
    "mcp",
)


@scene
def permissions(studio: Studio) -> None:
    server = json.dumps({"mcpServers": {"office": {"command": "python3", "args": ["-c", MCP_SERVER]}}})
    for what in ASKING:
        with studio.stage("--mcp-config", server, mode="plan" if what == "plan" else "default") as stage:
            if what == "edit":  # only what was read may be edited
                stage.answered(f"do:read in:{stage.cwd}")
            name = what.replace("_", "-")
            stage.say(f"do:{what}" if what == "plan" else f"do:{what} in:{stage.cwd}")  # a plan is named by its prompt
            stage.sees(r"❯ +1\.")
            stage.save(State.PERMISSION, name, sizes=SIZES)
            stage.press("Tab")
            stage.save(State.PERMISSION, f"{name}-amended")
            if what == "mcp":
                stage.press("Escape")
                stage.rests()
                stage.say("do:mcp")
                stage.sees(r"❯ +1\.")
                stage.rests()
                stage.press("Enter")
                stage.sees("Which berth")
                stage.save(State.DIALOG, "mcp-server-asks", sizes=SIZES)


@scene
def questions(studio: Studio) -> None:
    for what in ("single", "fake", "preview", "multi", "several"):
        with studio.stage() as stage:
            stage.asks(what)
            stage.sees(r"❯ +1\.")
            stage.save(State.QUESTION, what, sizes=SIZES)
            if what == "single":
                stage.press("Down", "Down")
                stage.save(State.QUESTION, "free-text")
                stage.type("rather green")
                stage.save(State.QUESTION, "free-text-typed", sizes=SIZES)
                stage.press("Down")
                stage.save(State.QUESTION, "chat-about-this")
            if what == "multi":
                stage.press("Space", "Down")
                stage.save(State.QUESTION, "multi-one-marked")
                stage.press("Tab")
                stage.save(State.QUESTION, "multi-submit")
            if what == "several":
                stage.press("Enter")
                stage.save(State.QUESTION, "several-second")
                stage.press("Space", "Tab")
                stage.save(State.QUESTION, "several-submit", sizes=SIZES)
            if what == "preview":
                stage.type("n")
                stage.save(State.QUESTION, "preview-note")


COMMANDS = (
    "model", "config", "help", "permissions", "mcp", "resume", "agents", "hooks", "theme", "status", "memory",
    "export", "effort", "plugin", "btw", "tasks", "context", "skills", "diff",
)  # fmt: skip


@scene
def commands(studio: Studio) -> None:
    for name in COMMANDS:
        with studio.stage() as stage:
            stage.command(f"/{name}")
            time.sleep(0.7)
            # Some open a dialog in one version and only print something in the other.
            stage.save_as_it_turns_out(f"slash-{name}", 80, 30)


@scene
def other_dialogs(studio: Studio) -> None:
    with studio.stage() as stage:
        for _ in range(3):
            stage.answered()
        stage.press_twice("Escape")
        stage.sees("Rewind")
        stage.save(State.DIALOG, "rewind-list", sizes=SIZES)
        stage.press("Up", "Enter")
        stage.sees("Restore")
        stage.save(State.DIALOG, "rewind-confirm")
        stage.press("Escape", "Escape")
        stage.sees("^❯\u00a0")
        stage.press("C-o")
        stage.sees("Showing detailed transcript")
        stage.save(State.DIALOG, "transcript", sizes=SIZES)
        stage.press("C-o")
        stage.sees("^❯\u00a0")
        stage.command("/resume")
        stage.sees("Resume [Ss]ession")
        stage.save(State.DIALOG, "resume-list", sizes=SIZES)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("which", nargs="?", choices=["npm", "sdk"], help="one Claude Code; both without it")
    parser.add_argument("scenes", nargs="*", metavar="scene", help=f"of {', '.join(SCENES)}; all without it")
    parser.add_argument("--status-line", action="store_true", help="with Paliadin's status line on")
    chosen = parser.parse_args()
    failed = 0
    for which, binary in binaries().items():
        if chosen.which in (None, which):
            failed += capture(binary, chosen.scenes or list(SCENES), has_status_line=chosen.status_line)
    sys.exit(failed)


def capture(binary: Path, scenes: Sequence[str], *, has_status_line: bool) -> int:
    """Play the scenes; returns how many of them broke off. A run of them all begins with an empty folder."""
    version = subprocess.run([binary, "--version"], capture_output=True, text=True, check=True).stdout.split()[0]
    out = SCREENS / (f"{version}-status-line" if has_status_line else version)
    if set(scenes) == set(SCENES):
        shutil.rmtree(out, ignore_errors=True)
    out.mkdir(parents=True, exist_ok=True)
    failed = 0
    with ScriptedApi(play).running() as url:
        for name in scenes:
            studio, begun = Studio(binary, url, out, has_status_line), time.monotonic()
            try:
                SCENES[name](studio)
            except AssertionError as error:
                failed += 1
                sys.stderr.write(f"{version} {name} broke off: {error}\n")
            sys.stdout.write(f"{version} {name}: {len(studio.saved)} screens, {time.monotonic() - begun:.0f} s\n")
            sys.stdout.flush()
    return failed


if __name__ == "__main__":
    main()
