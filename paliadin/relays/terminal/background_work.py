"""Tell from the logs of a session's turns whether its Claude has work in the background."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from pathlib import Path

from paliadin.relays.terminal.session_reports import SessionReports
from paliadin.steps.model import Failed, Step, Stopped, ToolStarted, is_over
from paliadin.turnlog.log import FileTurnLog

AGENT_TOOLS = frozenset({"Agent", "Task"})


def may_have_background_work(reports: SessionReports) -> bool:
    """Tell whether work may go on behind an idle screen. Work of an earlier process of Claude ended with that process.

    Claude reports background work when it stops. A turn that was interrupted or failed has no such report, so the work
    that it began counts, and earlier work. 2.1.330 runs every subagent in the background, even if told not to.
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
    """Tell whether agents were at work when Claude last stopped: they may work still, or wait for a reply."""
    reports.read()
    for turn in newest_prompts(reports.folder):
        steps = list(FileTurnLog(turn / "events.jsonl").read())
        if not steps or steps[-1].at < reports.started_ms:
            return False
        if stops := [step for step in steps if isinstance(step, Stopped)]:
            return bool(stops[-1].background_tasks)
    return False


def newest_prompts(session: Path) -> Iterator[Path]:
    """Yield the links to the session's turns, newest first. Each is made, and named, as its prompt arrives."""
    links: list[tuple[int, Path]] = []
    for link in (session / "prompts").glob("*"):
        with contextlib.suppress(FileNotFoundError):  # an old turn is being deleted
            links.append((link.lstat().st_mtime_ns, link))
    yield from (link for _, link in sorted(links, reverse=True))


def _begins_background_work(step: Step) -> bool:
    if not isinstance(step, ToolStarted) or not isinstance(step.input, Mapping):
        return False
    return step.name in AGENT_TOOLS or bool(step.input.get("run_in_background"))
