"""The tools that show due items: deadlines, appointments, requests for approval."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from typing import Literal

from pydantic import Field

from paliadin.parts.practice.tools.model import (
    Arguments,
    Call,
    Day,
    Id,
    Limit,
    NoArguments,
    Result,
    Tool,
    ToolError,
    Words,
)
from paliadin.parts.practice.transactions import Row, first, pattern

LONGEST_SPAN = 366  # days that one list of appointments covers


class DeadlineArguments(Arguments):
    """The arguments of search_my_deadlines."""

    q: Words | None = Field(
        None, description="Words in the deadline's title, or in its project's label or file number."
    )
    status: Literal["open", "done", "cancelled", "any"] = "open"
    project_id: Id | None = Field(None, description="Only of this project and what is below it.")
    due_after: Day | None = Field(None, description="The first day, included.")
    due_before: Day | None = Field(None, description="The last day, included.")
    court: Words | None = Field(None, description="A court's name, its short form or its id.")
    limit: Limit = 25


async def search_my_deadlines(call: Call, arguments: DeadlineArguments) -> Result:
    """Return the person's deadlines that match, the earliest first."""
    rows = await call.transaction.rows(
        "search_deadlines",
        words=arguments.q and pattern(arguments.q),
        status=None if arguments.status == "any" else arguments.status,
        project_id=arguments.project_id,
        due_after=arguments.due_after,
        due_before=arguments.due_before,
        court=arguments.court and pattern(arguments.court),
        court_id=arguments.court,
        most=arguments.limit + 1,
    )
    shown, more = first(rows, arguments.limit)
    result = Result([{**row, "days_left": (row["due_date"] - call.today).days} for row in shown])
    if more:
        result.more = f"There are more: narrow the search, or go on with due_after = {shown[-1]['due_date']}."
    result.head = {"today": call.today}
    return result


class AppointmentArguments(Arguments):
    """The arguments of list_my_appointments."""

    start: Day | None = Field(None, alias="from", description="The first day; today if it is left out.")
    end: Day | None = Field(None, alias="to", description="The last day; 30 days after the first if it is left out.")
    project_id: Id | None = Field(None, description="Only of this project and what is below it.")


async def list_my_appointments(call: Call, arguments: AppointmentArguments) -> Result:
    """Return the person's appointments in these days, the earliest first."""
    start = arguments.start or call.today
    try:
        end = arguments.end or start + timedelta(days=30)
        if not start <= end <= start + timedelta(days=LONGEST_SPAN):
            raise ToolError(f"`to` must be after `from`, by at most {LONGEST_SPAN} days", hint="Ask for fewer days.")
        after = end + timedelta(days=1)
    except OverflowError:
        raise ToolError("the dates are beyond the calendar", hint="Give dates of this century.") from None
    zone = call.now.tzinfo
    times = {"start": datetime.combine(start, time(), zone), "end": datetime.combine(after, time(), zone)}
    rows = await call.transaction.rows("list_appointments", project_id=arguments.project_id, **times)
    shown, more = first(rows, 25)
    result = Result([_with_times(row, call) for row in shown], {"from": start, "to": end})
    if more:
        result.more = f"There are more: go on with from = {call.local(shown[-1]['starts_at'])[:10]}."
    return result


async def list_my_pending_approvals(call: Call, _arguments: NoArguments) -> Result:
    """Return the requests that wait for the person's decision, the oldest first."""
    shown, more = first(await call.transaction.rows("pending_approvals"), 25)
    rows = [{**row, "requested_at": call.local(row["requested_at"])} for row in shown]
    return Result(rows, more="Only the oldest 25 are shown." if more else "")


def _with_times(row: Row, call: Call) -> Row:
    return {**row, "starts_at": call.local(row["starts_at"]), "ends_at": call.local(row["ends_at"])}


TOOLS = (
    Tool(
        "search_my_deadlines",
        "Search my deadlines",
        "The reader's deadlines, the earliest first: by words, status (open if it is left out), project, days or "
        "court. `days_left` is counted from today; a negative one is overdue.",
        DeadlineArguments,
        search_my_deadlines,
    ),
    Tool(
        "list_my_appointments",
        "My appointments",
        "The reader's appointments from a day to a day (the next 30 days if both are left out): hearings, calls, "
        "inspections, with place and project.",
        AppointmentArguments,
        list_my_appointments,
    ),
    Tool(
        "list_my_pending_approvals",
        "What waits for my approval",
        "Deadlines, appointments and notes that somebody, or the assistant, has entered and that the reader has to "
        "approve or reject. Only a person can do that, on the page of the practice.",
        NoArguments,
        list_my_pending_approvals,
    ),
)
