"""Tool calls with their results, in the shapes that Claude Code gives them."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Sequence
from typing import Any

from tests.evidence.model import CallGiven, Outcome


def read(path: str, text: str, start: int = 1, total: int | None = None) -> CallGiven:
    """Read: `text` stands in the file from line `start` on."""
    lines = text.count("\n") + 1
    file = {"filePath": path, "content": text, "numLines": lines, "startLine": start}
    given = {"file_path": path} if start == 1 and total is None else {"file_path": path, "offset": start}
    return call("Read", given, {"type": "text", "file": file | {"totalLines": total or start + lines - 1}})


def bash(command: str, stdout: str, stderr: str = "") -> CallGiven:
    """Bash, which ended with status 0."""
    result = {"stdout": stdout, "stderr": stderr, "interrupted": False, "isImage": False}
    return call("Bash", {"command": command, "description": "Run a command"}, result)


def grep(pattern: str, *lines: str) -> CallGiven:
    """Grep in its mode `content`; each line is `path:line:text`."""
    result = {"mode": "content", "numFiles": 0, "filenames": [], "content": "\n".join(lines), "numLines": len(lines)}
    return call("Grep", {"pattern": pattern, "output_mode": "content", "-n": True}, result)


def grep_files(pattern: str, *paths: str) -> CallGiven:
    """Grep in its mode `files_with_matches`."""
    result = {"mode": "files_with_matches", "filenames": list(paths), "numFiles": len(paths)}
    return call("Grep", {"pattern": pattern}, result)


def glob(pattern: str, *paths: str) -> CallGiven:
    """Glob."""
    result = {"filenames": list(paths), "durationMs": 12, "numFiles": len(paths), "truncated": False}
    return call("Glob", {"pattern": pattern}, result)


def mcp(tool: str, given: dict[str, Any], *blocks: Any, indent: int | None = None) -> CallGiven:
    """A tool of an MCP server (`server__tool`); what is no text becomes JSON."""
    texts = [block if isinstance(block, str) else compact(block, indent) for block in blocks]
    return call(f"mcp__{tool}", given, [{"type": "text", "text": text} for text in texts])


def compact(value: Any, indent: int | None = None) -> str:
    """The value as JSON, with the letters as they are."""
    return json.dumps(value, ensure_ascii=False, indent=indent)


def web_search(query: str, hits: Sequence[tuple[str, str]], text: str) -> CallGiven:
    """WebSearch: titles with addresses, and what the search made of them."""
    content = [{"title": title, "url": url} for title, url in hits]
    results = [{"tool_use_id": "srvtoolu_01", "content": content}, text]
    return call("WebSearch", {"query": query}, {"query": query, "results": results, "durationSeconds": 3.21875})


def web_fetch(url: str, prompt: str, text: str) -> CallGiven:
    """WebFetch: what was made of a page."""
    result = {"bytes": 48211, "code": 200, "codeText": "OK", "result": text, "durationMs": 1834, "url": url}
    return call("WebFetch", {"url": url, "prompt": prompt}, result)


def task(prompt: str, text: str) -> CallGiven:
    """Task: a subagent's report; its prompt comes back with it."""
    result = {
        "status": "completed",
        "prompt": prompt,
        "agentId": "a5f0e9c",
        "content": [{"type": "text", "text": text}],
    }
    totals = {"totalDurationMs": 48217, "totalTokens": 21874, "totalToolUseCount": 9}
    given = {"description": "Look it up", "prompt": prompt, "subagent_type": "general-purpose"}
    return call("Task", given, result | totals)


def write(path: str, text: str) -> CallGiven:
    """Write: all of its result is what it was given."""
    result = {"type": "create", "filePath": path, "content": text, "structuredPatch": []}
    return call("Write", {"file_path": path, "content": text}, result)


def edit(path: str, old: str, new: str, original: str) -> CallGiven:
    """Edit: the file as it was comes back with it."""
    given = {"file_path": path, "old_string": old, "new_string": new}
    result = {"filePath": path, "oldString": old, "newString": new, "originalFile": original, "structuredPatch": []}
    return call("Edit", given, result | {"userModified": False, "replaceAll": False})


def todo(*texts: str) -> CallGiven:
    """TodoWrite: Claude's own list."""
    todos = [{"content": text, "status": "pending", "activeForm": text} for text in texts]
    return call("TodoWrite", {"todos": todos}, {"oldTodos": [], "newTodos": todos})


def failed(name: str, given: dict[str, Any], message: str, outcome: Outcome = "failed") -> CallGiven:
    """A call that failed, or was refused: its result is a message."""
    return dataclasses.replace(call(name, given, message), outcome=outcome)


def earlier(made: CallGiven, turn: int = 1) -> CallGiven:
    """The same call, made by an earlier turn of the conversation."""
    return dataclasses.replace(made, turn_id=f"01890c7e-0000-7000-8000-{turn:012d}")


def cut(made: CallGiven) -> CallGiven:
    """The same call, of whose result the middle is gone."""
    return dataclasses.replace(made, cut=True)


def call(name: str, given: dict[str, Any], result: Any) -> CallGiven:
    """Any call; its id is given when it becomes part of a case."""
    return CallGiven("", name, given, result)
