"""Tell from the logs of a session's turns whether its Claude has work that goes on in the background."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from pathlib import Path

from paliadin.relays.terminal.session_reports import SessionReports
from paliadin.steps.model import Failed, Step, Stopped, ToolStarted, is_over
from paliadin.turnlog.log import FileTurnLog

AGENT_TOOLS = frozenset({"Agent", "Task"})


def may_go_on(reports: SessionReports) -> bool:
    """Tell whether work may go on behind an idle screen; what an earlier process of Claude had begun ended with it.

    Claude tells it when it stops, and nobody does after a turn that was interrupted or failed: what such a turn has
    begun counts, and what an earlier one had. 2.1.330 runs every subagent in the background, whatever it is told.
    """
    reports.read()
    for turn in newest_prompts(reports.folder):
        steps = list(FileTurnLog(turn / "events.jsonl").read())
        if not steps or steps[-1].at < reports.started_ms:
            return False
        stops = [step for step in steps if isinstance(step, Stopped)]
        if stops and not any(isinstance(step, Failed) for step in steps):  # the hook of a failure names no tasks
            return bool(stops[-1].background_tasks)
        if not is_over(steps) or any(map(_begins_background_work, steps)):
            return True
    return False


def agents_work(reports: SessionReports) -> bool:
    """Tell whether work went on behind Claude when it stopped last: agents may be at it still, or wait for a reply."""
    reports.read()
    for turn in newest_prompts(reports.folder):
        steps = list(FileTurnLog(turn / "events.jsonl").read())
        if not steps or steps[-1].at < reports.started_ms:
            return False
        if stops := [step for step in steps if isinstance(step, Stopped)]:
            return bool(stops[-1].background_tasks)
    return False


def newest_prompts(session: Path) -> Iterator[Path]:
    """Yield the links to the session's turns, named by their prompts' ids, the newest first: made as each arrived."""
    made: list[tuple[int, Path]] = []
    for link in (session / "prompts").glob("*"):
        with contextlib.suppress(FileNotFoundError):  # an old turn is being deleted
            made.append((link.lstat().st_mtime_ns, link))
    yield from (link for _, link in sorted(made, reverse=True))


def _begins_background_work(step: Step) -> bool:
    if not isinstance(step, ToolStarted) or not isinstance(step.input, Mapping):
        return False
    return step.name in AGENT_TOOLS or bool(step.input.get("run_in_background"))
