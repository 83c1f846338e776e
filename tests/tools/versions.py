"""`make versions`: a short set of scenes with many versions of Claude Code, and a table of what came out.

`python -m tests.tools.versions [version …]`. A version is one of npm's package (`2.1.332`), a release of the Python
package claude-agent-sdk (`sdk:0.2.110`), or `newest` of either (`newest`, `sdk:newest`). What is fetched is kept in
.versions. Ends with status 1 when a scene failed.
"""

from __future__ import annotations

import argparse
import json
import shutil
import signal
import subprocess
import sys
import tempfile
import zipfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from paliadin.demo.api_messages import ApiError, Conversation, Message, Text, ToolUse
from paliadin.demo.scripted_api import ScriptedApi
from paliadin.postgres.cluster import remove_database
from tests.worlds.script import STEADY, answer, play
from tests.worlds.turns import rest_of, watched_until
from tests.worlds.world import ROOT, Event, World, last, text_of

CACHE = ROOT / ".versions"
NPM, WHEEL = "@anthropic-ai/claude-code", "claude-agent-sdk"
DEFAULT = ("2.1.197", "2.1.222", "2.1.257", "2.1.306", "2.1.330", "newest", "sdk:newest")
PLAN = "1. Look at the files.\n2. Change one."
GO_ON = "Output token limit hit"  # Claude Code's own prompt; since 2.1.332 a reminder, and so no prompt
PARTS = ("Part one of the answer, ", "which the limit cuts twice, ", "comes whole.")


def script(conversation: Conversation) -> Message | ApiError:
    """The scenes that only this needs, and else those of the tests."""
    if "scene:approve" in conversation.user_text:
        return _plan(conversation)
    if "scene:limit" in conversation.user_text or conversation.user_text.startswith(GO_ON):
        return _limited(next(prompt for prompt in reversed(conversation.prompts) if "scene:limit" in prompt))
    return play(conversation)


def _plan(conversation: Conversation) -> Message:
    if not conversation.results:
        return Message((ToolUse("ExitPlanMode", {"plan": PLAN}),))
    return answer("The plan was refused." if conversation.results[-1].is_error else "The plan was allowed.")


_asked: Counter[str] = Counter()


def _limited(prompt: str) -> Message:
    """The next part. All but the last run into the output limit, and Claude Code asks again by itself."""
    part = PARTS[min(_asked[prompt], len(PARTS) - 1)]
    _asked[prompt] += 1
    return answer(part) if part == PARTS[-1] else Message((Text((part,)),), stop_reason="max_tokens")


def question(world: World) -> None:
    """A question is answered."""
    shown = text_of(_well(world.turn("What is it?")))
    assert shown.startswith("You said "), shown or "no answer"


def tool(world: World) -> None:
    """A tool's call and result are shown, and its rows are known."""
    (world.workdir / "data.csv").write_text("id,what\nc47bd2,defence\n")
    events = _well(world.turn(f"in:{world.workdir} scene:read"))
    assert text_of(events) == "Let me look.\n\nFound it.\nNot this one.", text_of(events)
    assert last(events, "tool_result").data["rows"] == 2, "the tool's rows are not known"


def permission(world: World) -> None:
    """A permission is asked for on the page, and granted there."""
    events = _replying(world, f"in:{world.workdir} scene:permission", "allow")
    assert text_of(events).endswith("It was done."), text_of(events)
    assert (world.workdir / "written.txt").read_text() == "hello\n", "the file was not written"


def card(world: World) -> None:
    """A question of Claude's gets the reply of the page."""
    shown = text_of(_replying(world, "scene:question", "Blue"))
    assert "Blue" in shown, shown


def stop(world: World) -> None:
    """Stop ends a turn in mid-answer; the next question comes as it was asked."""
    turn_id, events = world.ask("scene:slow"), []  # type: tuple[str, list[Event]]
    watched_until(world, turn_id, "content_delta", events)
    world.post(f"stream/{turn_id}/abort")
    assert _well(list(world.follow(turn_id)))[-1].data.get("aborted"), "the turn was not stopped"
    question(world)


def restart(world: World) -> None:
    """The daemon is killed in mid-answer; the answer comes whole from the next one."""
    turn_id, events = world.ask("scene:steady"), []  # type: tuple[str, list[Event]]
    watched_until(world, turn_id, "content_delta", events, 3)
    world.stop(signal.SIGKILL)
    world.start()
    events += rest_of(world, turn_id, events)
    assert text_of(_well(events)) == "\n".join(STEADY), "the answer is not whole"


def plan(world: World) -> None:
    """The card of a plan shows it, and Allow approves it."""
    with world.client() as client:
        chosen = client.patch("/api/paliadin/conversations/main", json={"permission_mode": "plan"})
    assert chosen.status_code == 200, chosen.text
    shown: list[Event] = []
    events = _replying(world, "scene:approve", "allow", shown)
    assert text_of(events).endswith("The plan was allowed."), text_of(events) or "nothing came of Allow"
    assert PLAN.splitlines()[1] in json.dumps(shown[0].data, ensure_ascii=False), "the card does not show the plan"


def limit(world: World) -> None:
    """An answer that runs twice into the output limit is one answer with all its parts, shown and recorded."""
    turn_id = world.ask("scene:limit")
    shown = text_of(_well(list(world.follow(turn_id))))
    assert _has_parts(shown), f"parts are missing: {shown!r}"
    turns = {turn["turn_id"]: turn for turn in world.get("history?session_id=main&limit=5")["turns"]}
    assert _has_parts(json.dumps(turns[turn_id])), "parts are missing in the record"


SCENES: dict[str, Callable[[World], None]] = {
    "question": question,
    "tool": tool,
    "permission": permission,
    "card": card,
    "stop": stop,
    "restart": restart,
    "limit": limit,
    "plan": plan,
}


def _has_parts(text: str) -> bool:
    places = [text.find(part.strip()) for part in PARTS]
    return min(places) >= 0 and places == sorted(places)


def _replying(world: World, text: str, value: str, shown: list[Event] | None = None) -> list[Event]:
    """Ask, and reply to each card with this value; `shown` gets the cards."""
    turn_id, events = world.ask(text), []  # type: tuple[str, list[Event]]
    for event in world.follow(turn_id):
        events.append(event)
        if event.name == "interrupt":
            if shown is not None:
                shown.append(event)
            world.post(f"stream/{turn_id}/answer", {"interrupt_id": event.data["id"], "value": value})
    assert any(event.name == "interrupt" for event in _well(events)), f"no card: {text_of(events)}"
    return events


def _well(events: list[Event]) -> list[Event]:
    """The events, unless they end with an error."""
    failure = next((event.data["message"] for event in events if event.name == "error"), None)
    assert failure is None, failure
    return events


def fetch(name: str) -> Path:
    """The program of this version, from the cache or from where pip and npm get their packages."""
    source, _, release = name.rpartition(":")
    if source not in ("", "npm", "sdk"):
        raise SystemExit(f"{name}: a version is 2.1.332, newest, sdk:0.2.189 or sdk:newest")
    return _from_wheel(release) if source == "sdk" else _from_npm(release)


def _from_npm(release: str) -> Path:
    if release == "newest":
        release = _output(["npm", "view", NPM, "version"]).strip()
    folder = CACHE / f"npm-{release}"
    if not folder.is_dir():
        with _made(folder) as temporary:
            command = ["npm", "install", "--silent", "--no-audit", "--no-fund", "--no-package-lock"]
            _output([*command, "--prefix", str(temporary), f"{NPM}@{release}"])
    native = sorted(folder.glob("node_modules/@anthropic-ai/claude-code-*/claude"))
    return native[0] if native else folder / "node_modules/.bin/claude"


def _from_wheel(release: str) -> Path:
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check"]
    if release == "newest":
        release = _output([*pip, "index", "versions", WHEEL]).split("(")[1].split(")")[0]
    folder = CACHE / f"sdk-{release}"
    if not folder.is_dir():
        with _made(folder) as temporary:
            _output([*pip, "download", "-q", "--no-deps", "-d", str(temporary), f"{WHEEL}=={release}"])
            (wheel,) = temporary.glob("*.whl")
            with zipfile.ZipFile(wheel) as packed:
                packed.extract("claude_agent_sdk/_bundled/claude", temporary)
            wheel.unlink()
    program = folder / "claude_agent_sdk/_bundled/claude"
    program.chmod(0o755)
    return program


@contextmanager
def _made(folder: Path) -> Iterator[Path]:
    """A folder beside it, which takes its place at the end: what broke off in between is not taken for whole."""
    temporary = folder.with_name(f".{folder.name}")
    shutil.rmtree(temporary, ignore_errors=True)
    temporary.mkdir(parents=True)
    yield temporary
    temporary.rename(folder)


def _output(command: list[str]) -> str:
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode:
        raise SystemExit(f"{' '.join(command)}: {result.stderr.strip() or result.stdout.strip()}")
    return result.stdout


def version_of(program: Path) -> str:
    return _output([str(program), "--version"]).split()[0]


@contextmanager
def running(claude: Path, api: ScriptedApi, url: str) -> Iterator[World]:
    with tempfile.TemporaryDirectory(prefix="versions-", ignore_cleanup_errors=True) as folder:
        world = World(Path(folder).resolve() / "w", claude, api, url, {"TURN_TIMEOUT": "40"})
        try:
            world.start()
            yield world
        finally:
            world.close()
            remove_database(world.root / "home")


def outcomes(claude: Path, names: list[str]) -> dict[str, str]:
    """What came out of each scene: "ok", or why it failed. One that failed leaves its world to nobody."""
    seen: dict[str, str] = {}
    api = ScriptedApi(script)
    with api.running() as url:
        while rest := [name for name in names if name not in seen]:
            with running(claude, api, url) as world:
                for name in rest:
                    seen[name] = _outcome(world, SCENES[name])
                    if seen[name] != "ok":
                        break
    return seen


def _outcome(world: World, scene: Callable[[World], None]) -> str:
    try:
        scene(world)
    except Exception as error:  # noqa: BLE001  # whatever it is, it stands in the table
        return (str(error).splitlines() or [repr(error)])[0]
    return "ok"


def table(rows: list[tuple[str, str, dict[str, str]]], names: list[str]) -> str:
    """A table in Markdown, and the reasons below it."""
    lines = [f"| version | source | {' | '.join(names)} |", f"| --- | --- |{' --- |' * len(names)}"]
    for version, source, seen in rows:
        words = ["ok" if seen[name] == "ok" else "failed" for name in names]
        lines.append(f"| {version} | {source} | {' | '.join(words)} |")
    lines.append("")
    for version, source, seen in rows:
        lines += [f"{version} ({source}), {name}: {why}" for name, why in seen.items() if why != "ok"]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("versions", nargs="*", help=f"by default {' '.join(DEFAULT)}")
    parser.add_argument("--scene", action="append", choices=SCENES, dest="scenes", help="only this one; repeatable")
    options = parser.parse_args()
    names = options.scenes or list(SCENES)
    rows: list[tuple[str, str, dict[str, str]]] = []
    for name in options.versions or DEFAULT:
        program = fetch(name)
        rows.append((version_of(program), "wheel" if name.startswith("sdk:") else "npm", outcomes(program, names)))
        sys.stderr.write(f"{table(rows[-1:], names)}\n")
    sys.stdout.write(f"{table(rows, names)}\n")
    raise SystemExit(any(why != "ok" for *_, seen in rows for why in seen.values()))


if __name__ == "__main__":
    main()
