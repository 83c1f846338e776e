"""Which plan the hook finds when its input has none: that of the very call, never an older one."""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

HOOK = Path(__file__).parents[2] / "skill/hooks/plan.py"


@pytest.fixture
def hook(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    spec = importlib.util.spec_from_file_location("plan_hook", HOOK)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "PATIENCE", 0)
    return module


def called(call_id: str, name: str = "ExitPlanMode") -> dict[str, Any]:
    return {"hook": {"hook_event_name": "PreToolUse", "tool_name": name, "tool_use_id": call_id}}


def said(call_id: str, **tool_input: object) -> dict[str, Any]:
    block = {"type": "tool_use", "id": call_id, "name": "ExitPlanMode", "input": tool_input}
    return {"type": "assistant", "message": {"content": [{"type": "text", "text": "x"}, block]}}


def written(path: Path, *lines: object) -> str:
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return str(path)


def replied(call_id: str) -> dict[str, Any]:
    return {"type": "user", "message": {"content": [{"type": "tool_result", "tool_use_id": call_id, "content": "no"}]}}


def test_it_is_the_plan_of_the_last_call_and_of_no_other(hook: ModuleType, tmp_path: Path) -> None:
    log = written(tmp_path / "log", called("t1"), called("t2"), called("t3", "Read"))
    calls = [said("t1", plan="# Old"), replied("t1"), said("t2", plan="# New")]
    assert hook.find(log, written(tmp_path / "transcript", *calls)) == {"plan": "# New"}
    late = written(tmp_path / "late", said("t1", plan="# Old"))
    assert hook.find(log, late) == {}


def test_of_several_calls_in_one_message_all_plans_are_shown(hook: ModuleType, tmp_path: Path) -> None:
    """The hook does not tell which one it asks about."""
    log = written(tmp_path / "log", called("t1"), called("t2"))
    calls = [said("t1", plan="# First"), said("t2", plan="# Second")]
    assert hook.find(log, written(tmp_path / "transcript", *calls)) == {"plan": "# First\n\n---\n\n# Second"}
    done = written(tmp_path / "done", *calls, replied("t1"))
    assert hook.find(log, done) == {"plan": "# Second"}


@pytest.mark.parametrize("tool_input", [{}, {"plan": " "}, {"plan": 3}])
def test_a_call_without_a_plan_has_none(hook: ModuleType, tmp_path: Path, tool_input: dict[str, object]) -> None:
    log = written(tmp_path / "log", called("t1"))
    assert hook.find(log, written(tmp_path / "transcript", said("t1", **tool_input))) == {}


def test_without_a_call_or_a_transcript_there_is_none(hook: ModuleType, tmp_path: Path) -> None:
    transcript = written(tmp_path / "transcript", said("t1", plan="# Plan"))
    assert hook.find(written(tmp_path / "log", called("t1", "Read"), "odd", [1]), transcript) == {}
    assert hook.find(str(tmp_path / "missing"), transcript) == {}
    log = written(tmp_path / "log", called("t1"))
    for other in (None, str(tmp_path / "missing"), written(tmp_path / "odd", [], "t1", {"message": "t1"})):
        assert hook.find(log, other) == {}


def test_a_plan_of_any_size_is_bounded_and_a_transcript_is_not_read_whole(hook: ModuleType, tmp_path: Path) -> None:
    log, text = written(tmp_path / "log", called("t1")), "a" * 90_000 + "b" * 50_000
    found = hook.find(log, written(tmp_path / "transcript", {"x": "y" * 3_000_000}, said("t1", plan=text)))
    assert found["cut"] is True
    assert len(found["plan"]) < hook.LONGEST + 100
    assert found["plan"].startswith("aaa")
    assert found["plan"].endswith("bbb")
    assert len(hook.tail_of(str(tmp_path / "transcript"))[0]) < hook.TAIL


def test_a_plans_file_that_is_being_written_shows_no_card_and_takes_no_reply_until_it_is_whole(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.syspath_prepend(str(HOOK.parent))
    hook = importlib.import_module("interrupt")
    now, file, log = [0.0], tmp_path / "plan.md", tmp_path / "events.jsonl"
    monkeypatch.setattr(hook, "time", SimpleNamespace(monotonic=lambda: now[0]))
    written_plan = {"plan": "# Plan", "planFilePath": str(file)}
    interrupt = hook.Interrupt(str(tmp_path), {"tool_name": "ExitPlanMode", "tool_input": written_plan})
    first = interrupt.id

    def settles(text: str, after: float) -> list[bool]:
        """Whether it is settled when the text is there, and some time later; each look finds another file time."""
        file.write_text(text)
        os.utime(file, ns=(round(now[0] * 1e9), round(now[0] * 1e9)))
        looks = [interrupt.has_settled_plan()]
        now[0] += after
        return [*looks, interrupt.has_settled_plan()]

    soon, later = hook.SETTLED / 2, hook.SETTLED
    assert settles("# Plan\n", later) == [False, True]
    assert interrupt.has_settled_plan()
    assert settles("", 4 * later) == [False, False]
    assert settles("# Ano", soon) == [False, False]
    assert not log.exists()
    assert settles("# Another", later) == [False, False]
    assert interrupt.has_settled_plan()
    shown = [json.loads(line) for line in log.read_text().splitlines() if line]
    assert [(line.get("by"), line.get("answer")) for line in shown] == [("changed", first), (None, None)]
    assert shown[1]["hook"]["tool_input"]["plan"] == "# Another"
