"""Summaries of tool calls and their results for a person: one line, and the number of rows. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import cast

from paliadin.base.strict_json import parse_json
from paliadin.base.visible_text import keep_ends

MAX_SUMMARY = 160  # characters
MAX_TEXT = 2000  # characters of each text that the page shows of a tool's input or result
MAX_ITEMS = 50  # items of each list
_ERROR = re.compile(r"\s*<tool_use_error>(.*?)(?:</tool_use_error>\s*)?", re.DOTALL)  # a long one lacks its end
_SUMMARY_KEYS = ("file_path", "command", "pattern", "url", "query", "path", "description", "skill", "prompt")


def call_summary(tool_input: object, *, both_ends: bool = False) -> str:
    """Summarize a call by the most telling value of its input: a path, a command, a pattern.

    A long one is cut at its end, or with `both_ends` in its middle.
    """
    if not isinstance(tool_input, Mapping):
        return ""
    named = [tool_input[key] for key in _SUMMARY_KEYS if isinstance(tool_input.get(key), str)]
    others = [value for value in tool_input.values() if isinstance(value, str | int | float)]
    text = str((named + others + [""])[0])
    return keep_ends(" ".join(text.split()), MAX_SUMMARY) if both_ends else one_line(text)


def result_text(response: object) -> str:
    """Flatten a tool's whole result to text, in which the ids of chips are looked up.

    Claude Code puts an error of its own into tags for the model; a person gets the text between them. The bytes of a
    picture or a document are left out: they are no text, and could hold any id by chance.
    """
    if isinstance(response, str):
        error = _ERROR.fullmatch(response)
        return error[1] if error else response
    if isinstance(response, Mapping):
        bytes_at = "data" if response.get("type") == "base64" else "base64"
        return "\n".join(result_text(value) for key, value in response.items() if key != bytes_at)
    if isinstance(response, list):
        return "\n".join(result_text(item) for item in response)
    return "" if response is None or isinstance(response, bool) else str(response)


def result_rows(name: str, response: object) -> int | None:
    """Count the rows, lines or hits of a result that is a list or holds their number; None for any other.

    The field names are those of Claude Code's own tools: Read (file.numLines), Grep (numLines, numMatches), Glob and
    Grep (numFiles, filenames), Bash (stdout). A tool of an MCP server returns text blocks, which may hold JSON.
    """
    if isinstance(response, str):
        return _rows_of_text(response)
    if isinstance(response, list):
        return _rows_of_blocks(response)
    if not isinstance(response, Mapping):
        return None
    file = response.get("file")
    if isinstance(file, Mapping) and isinstance(file.get("content"), str):
        return len(cast("str", file["content"]).splitlines())
    for key in ("numMatches", "numLines", "numFiles", "total_count", "count"):
        count = response.get(key)
        if isinstance(count, int) and count and not isinstance(count, bool):
            return count
    for key in ("filenames", "rows", "items", "results", "data"):
        if isinstance(response.get(key), list):
            return len(cast("list[object]", response[key]))
    if name == "Bash" and isinstance(response.get("stdout"), str):
        return len(cast("str", response["stdout"]).splitlines())
    return (
        _rows_of_blocks(cast("list[object]", response["content"]))
        if isinstance(response.get("content"), list)
        else None
    )


def result_summary(response: object) -> str:
    """Summarize a result by the first line of its output, message or text block."""
    if isinstance(response, list) and response:
        return result_summary(response[0])
    if isinstance(response, Mapping):
        for key in ("stdout", "content", "text", "filenames", "file", "error", "message"):
            if response.get(key):
                return result_summary(response[key])
    text = result_text(response).strip()
    return one_line(text.split("\n", 1)[0])


def shorten(value: object) -> object:
    """Copy a JSON value with its strings cut in their middle to MAX_TEXT, and its lists and objects at MAX_ITEMS."""
    if isinstance(value, str):
        return keep_ends(value, MAX_TEXT)
    if isinstance(value, Mapping):
        return {key: shorten(item) for key, item in list(value.items())[:MAX_ITEMS]}
    if isinstance(value, list):
        return [shorten(item) for item in value[:MAX_ITEMS]]
    return value


def one_line(text: str) -> str:
    """Join the text's lines with blanks, and cut it at MAX_SUMMARY."""
    joined = " ".join(text.split())
    return joined if len(joined) <= MAX_SUMMARY else joined[: MAX_SUMMARY - 1] + "…"


def _rows_of_blocks(blocks: list[object]) -> int | None:
    texts = [block.get("text") for block in blocks if isinstance(block, Mapping) and block.get("type") == "text"]
    if len(texts) == len(blocks) and len(texts) == 1:
        return _rows_of_text(str(texts[0]))
    return len(blocks)


def _rows_of_text(text: str) -> int | None:
    if not text.strip():
        return 0
    if text.lstrip()[0] in "[{":
        try:
            value = parse_json(text)
        except ValueError:
            return len(text.splitlines())
        if isinstance(value, list):
            return len(value)
        return result_rows("", value) if isinstance(value, Mapping) else None
    return len(text.splitlines())
