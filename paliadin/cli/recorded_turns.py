"""Printing of recorded turns."""

from __future__ import annotations

from collections.abc import Iterable

from paliadin.base.terminal_text import clean, one_line
from paliadin.cli.console import MINUTE, SHORT, console, print_table, seconds
from paliadin.cli.facts import count_line, difference_lines, fact_lines, tool_names
from paliadin.cli.markdown import BoundedMarkdown
from paliadin.events.model import Error, as_json
from paliadin.events.timeline import CalledTool, Waited, waited_ms
from paliadin.record.row import TurnRow
from paliadin.reports.claims import differences_of
from paliadin.reports.listing import FolderContents
from paliadin.words.tool_names import row_count, tool_name

QUESTION_WIDTH = 36  # characters of a question that say what it is about
COLUMNS = ("id", "started", "from", "took", "tag", "tools", "error", "question")


def print_turns(rows: Iterable[TurnRow]) -> None:
    """Print a line per turn; the less important columns make room for the question."""
    print_table(COLUMNS, map(_cells, rows), spare=("tools", "from", "tag"), last_width=QUESTION_WIDTH)


def print_turn(row: TurnRow, folder: FolderContents | None, *, everything: bool = False) -> None:
    """Print one turn: its figures, its answer's facts, question, answer.

    `folder`: None if it is gone. `everything`: all facts with their sources, not only those that were not found.
    """
    out = console()
    for name, value in _figures(row, folder.error if folder else None):
        if value:
            out.print(f"{name:<10}{one_line(value)}", soft_wrap=True)
    evidence = as_json(folder.evidence) if folder and folder.evidence else {}
    for line in fact_lines(evidence.get("claims") or [], folder.tools if folder else {}, everything=everything):
        out.print(line, soft_wrap=True)
    joined = [("Typed in the terminal meanwhile", words.text) for words in row.joined]
    for title, text in (("Question", row.user_message), *joined, ("Answer", row.response)):
        out.print(f"\n{title}:", style="bold")
        body = clean(text or "(none)")
        if out.is_terminal and title == "Answer":
            out.print(BoundedMarkdown(body))
        else:
            out.print(body, soft_wrap=True)


def _cells(row: TurnRow) -> list[str]:
    return [
        row.turn_id[-SHORT:],
        f"{row.started_at.astimezone():{MINUTE}}",
        row.origin,
        seconds(_own_time(row)) or ("" if row.finished_at else "open"),
        row.classifier_tag or "",
        one_line(tool_names(row.observed_tools), 30),
        row.error_code or "",
        one_line(row.user_message, 120),
    ]


def _figures(row: TurnRow, error: Error | None) -> list[tuple[str, str]]:
    tokens = {
        "input": row.input_tokens,
        "output": row.output_tokens,
        "cache read": row.cache_read_tokens,
        "cache write": row.cache_write_tokens,
    }
    claims = tool_names(row.used_tools) or "none"
    return [
        ("turn", row.turn_id),
        ("session", f"{row.session_id} on {row.host}, asked by {row.person} from {row.origin}"),
        ("page", row.page_origin or ""),
        ("context", ", ".join(f"{key}={value}" for key, value in row.context.items())),
        ("started", f"{row.started_at.astimezone():%Y-%m-%d %H:%M:%S %Z}"),
        ("took", _took(row)),
        ("error", row.error_code or ""),
        ("reason", error.message if error else ""),
        ("hint", error.hint if error else ""),
        ("model", row.model or ""),
        ("tokens", ", ".join(f"{count:,} {name}" for name, count in tokens.items() if count is not None)),
        ("tag", f"{row.classifier_tag} ({row.classifier_source})" if row.classifier_tag else ""),
        ("tools", tool_names(row.observed_tools) or "none"),
        ("steps", "; ".join(map(_step, row.tool_calls))),
        ("asked", "; ".join(map(_interrupt, row.interrupts))),
        ("claims", claims if row.evidence_agrees is False else ""),
        ("differs", "; ".join(difference_lines(as_json(differences_of(row))))),
        ("chips", str(row.chip_count or "")),
        ("facts", count_line(row.claims)),
        ("abandoned", "nobody was watching when it ended" if row.abandoned else ""),
    ]


def _own_time(row: TurnRow) -> int | None:
    """The milliseconds that the turn took without those in which it waited for its user."""
    return None if row.duration_ms is None else max(row.duration_ms - waited_ms(row.interrupts), 0)


def _took(row: TurnRow) -> str:
    waited = waited_ms(row.interrupts)
    return seconds(row.duration_ms) + (f", of which {seconds(waited)} waiting for a reply" if waited else "")


def _step(call: CalledTool) -> str:
    """A tool call, as `File read (12 lines, 0.1 s)` or `File written (refused)`."""
    outcome = "refused" if call.refused else {False: "failed", None: "no result"}.get(call.ok)
    rows = None if call.rows is None else row_count(call.name, call.rows)
    return _with_details(tool_name(call.name), outcome, rows, seconds(call.duration_ms))


def _interrupt(wait: Waited) -> str:
    """An interrupt, its reply, where it was given, after how long: `permission: File written (allow, page, 2.3 s)`."""
    subject = f"permission: {tool_name(wait.tool)}" if wait.kind == "permission" else wait.kind
    return _with_details(subject, wait.answer, wait.by or "no reply", seconds(wait.waited_ms))


def _with_details(subject: object, *details: object) -> str:
    details_text = ", ".join(str(detail) for detail in details if detail)
    return f"{subject} ({details_text})" if details_text else str(subject)
