"""Summaries of tool calls and their results for a person, in one line. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from paliadin.base.visible_text import keep_ends
from paliadin.evidence.results import result_text

MAX_SUMMARY = 160  # characters
MAX_TEXT = 2000  # characters of each text that the page shows of a tool's input or result
MAX_ITEMS = 50  # items of each list
_SUMMARY_KEYS = ("file_path", "command", "pattern", "url", "query", "path", "description", "skill", "prompt")

_PATH_KEYS = frozenset({"file_path", "notebook_path", "path"})


def call_summary(tool_input: object, *, both_ends: bool = False) -> str:
    """Summarize a call by the most telling value of its input: a path, a command, a pattern.

    A long one is cut at its end, a path at its beginning, or with `both_ends` both in their middle.
    """
    if not isinstance(tool_input, Mapping):
        return ""
    keys = [key for key in _SUMMARY_KEYS if isinstance(tool_input.get(key), str)]
    keys += [key for key, value in tool_input.items() if isinstance(value, str | int | float)]
    text = " ".join(str(tool_input[keys[0]]).split()) if keys else ""
    if both_ends:
        return keep_ends(text, MAX_SUMMARY)
    return _end_of(text) if keys and keys[0] in _PATH_KEYS else one_line(text)


def result_summary(response: object) -> str:
    """Summarize a result by the first line of its output, message or text block."""
    if isinstance(response, list) and response:
        words = [item for item in response if not (isinstance(item, Mapping) and item.get("type") == "image")]
        return result_summary(words[0]) if words else ""
    if isinstance(response, Mapping) and response.get("type") == "image":
        return ""
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


def _end_of(path: str) -> str:
    return path if len(path) <= MAX_SUMMARY else "…" + path[1 - MAX_SUMMARY :]


def one_line(text: str) -> str:
    """Join the text's lines with blanks, and cut it at MAX_SUMMARY."""
    joined = " ".join(text.split())
    return joined if len(joined) <= MAX_SUMMARY else joined[: MAX_SUMMARY - 1] + "…"
