"""A tool: a name, arguments that are checked strictly, and a function that reads as one person.

The person is never an argument, but follows from the conversation. Every result is a JSON object with `rows`, of at
most MAX_BYTES; rows that do not fit are left out, and `more` says so.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta, tzinfo
from pathlib import Path
from typing import Annotated, Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, WithJsonSchema

from paliadin.base.errors import PaliadinError
from paliadin.parts.practice.transactions import Row, Transaction

MAX_BYTES = 6000  # of a result
LONGEST_TEXT = 300  # characters of one value in a row
LONGEST_ID = 80  # characters
LONGEST_WORDS = 200  # characters of what is searched for
LOCALTIME = Path("/etc/localtime")


class ToolError(PaliadinError):
    """A call that cannot be carried out; its message and hint are for the model, which may call again."""

    default_code, default_status = "tool_error", 400


def _without_nul(text: str) -> str:
    if any(each == "\x00" or "\ud800" <= each <= "\udfff" for each in text):
        raise ValueError("must be text without control characters")
    return text.strip()


def _day(value: object) -> date:
    try:
        if isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\d", value, re.ASCII):
            return date.fromisoformat(value)
    except ValueError:
        pass
    raise ValueError("must be a date such as 2026-11-26")


Words = Annotated[str, Field(min_length=1, max_length=LONGEST_WORDS), AfterValidator(_without_nul)]
Id = Annotated[str, Field(min_length=1, max_length=LONGEST_ID), AfterValidator(_without_nul)]
Day = Annotated[date, BeforeValidator(_day), WithJsonSchema({"type": "string", "format": "date"})]
Limit = Annotated[int, Field(ge=1, le=25)]


class Arguments(BaseModel):
    """A tool's arguments; undeclared ones are refused."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class NoArguments(Arguments):
    """The arguments of a tool that takes none."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call on its way: the person's transaction, and the time at the practice's place.

    `turn` is the id of the turn that it comes from, if that is known.
    """

    transaction: Transaction
    now: datetime
    turn: str | None = None

    @property
    def today(self) -> date:
        return self.transaction.today

    @property
    def week_end(self) -> date:
        """The Sunday of this week."""
        return self.today + timedelta(days=6 - self.today.weekday())

    def local(self, at: datetime) -> str:
        """Write a time at the practice's place, to the minute: 2026-11-26T09:30+01:00."""
        return at.astimezone(self.now.tzinfo).isoformat(timespec="minutes")


@dataclass(slots=True)
class Result:
    """A tool's result. `head` stands before the rows; `more` says what is left out, and how to get it."""

    rows: list[Row]
    head: Row = field(default_factory=dict)
    more: str = ""

    def as_json(self) -> str:
        """Return JSON of at most MAX_BYTES: rows that do not fit are left out, of the largest kind first."""
        rows, left_out = list(map(_shortened, self.rows)), 0
        while len((text := self._text(rows, left_out)).encode()) > MAX_BYTES and rows:
            left_out += 1
            del rows[_least_missed(rows)]
        return text

    def _text(self, rows: list[Row], left_out: int) -> str:
        more = [self.more] if self.more else []
        more += [f"{left_out} rows were left out, since a result has at most {MAX_BYTES} bytes."] if left_out else []
        values = {**_shortened(self.head), "rows": rows, "row_count": len(rows)}
        values |= {"more": " ".join(more)} if more else {}
        return json.dumps(values, ensure_ascii=False, separators=(",", ":"))


Function = Callable[[Call, Any], Awaitable[Result]]


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool: `arguments` is its model, `function` takes a call and such arguments.

    `suggests`: it makes an entry that waits for a person's approval. All other tools only read.
    """

    name: str
    title: str
    description: str
    arguments: type[Arguments]
    function: Function
    suggests: bool = False

    @property
    def schema(self) -> dict[str, Any]:
        """The JSON schema of its arguments."""
        schema: dict[str, Any] = _without_titles(self.arguments.model_json_schema())
        del schema["description"]
        return schema

    def parse(self, arguments: Mapping[str, object]) -> Arguments:
        """Check the arguments; raises ToolError, which says what is wrong and what the tool takes."""
        try:
            return self.arguments.model_validate(dict(arguments))
        except ValidationError as error:
            wrong = "; ".join(_words_for(each) for each in error.errors(include_url=False, include_input=False)[:3])
            fields = self.arguments.model_fields.items()
            takes = ", ".join(each.alias or name for name, each in fields) or "no arguments"
            raise ToolError(
                f"{self.name} was called with wrong arguments: {wrong}", hint=f"It takes {takes}. Call it again."
            ) from None


def unknown_project(project_id: str) -> ToolError:
    """Build the error for a project that does not exist or that the person may not see; it does not tell which."""
    return ToolError(f"there is no project {project_id!r}", hint="list_my_projects shows the projects with their ids.")


def zone_of(name: str | None) -> tzinfo:
    """Return the time zone with this name; for None the machine's, by TZ or else /etc/localtime.

    Where neither can be read, today's offset is used, without summer time.
    """
    if name:
        return ZoneInfo(name)
    of_process = os.environ.get("TZ", "").removeprefix(":")
    try:
        if of_process:
            return ZoneInfo(of_process)
        with LOCALTIME.open("rb") as file:
            return ZoneInfo.from_file(file)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        return datetime.now().astimezone().tzinfo or UTC


def _words_for(error: Any) -> str:
    name = ".".join(str(part)[:40] for part in error["loc"]) or "the arguments"
    if error["type"] == "extra_forbidden":
        return f"there is no argument {name!r}"
    return f"{name}: {error['msg'].removeprefix('Value error, ')}"


def _without_titles(schema: Any) -> Any:
    """Return the schema without pydantic's titles, which repeat each name."""
    if isinstance(schema, dict):
        is_schema = "type" in schema or "anyOf" in schema
        return {k: _without_titles(v) for k, v in schema.items() if not (k == "title" and is_schema)}
    return [_without_titles(each) for each in schema] if isinstance(schema, list) else schema


def _shortened(row: Row) -> Row:
    return {name: _value(value) for name, value in row.items() if value not in (None, "", [])}


def _value(value: object) -> object:
    if isinstance(value, str):
        return value if len(value) <= LONGEST_TEXT else value[: LONGEST_TEXT - 1] + "…"
    if isinstance(value, dict):
        return _shortened(value)
    if isinstance(value, list | tuple):
        return [_value(each) for each in value]
    return value if isinstance(value, int | float | bool) else str(value)


def _least_missed(rows: list[Row]) -> int:
    """Return the index of the last row of the kind that takes most space."""
    sizes: dict[object, int] = {}
    for row in rows:
        sizes[row.get("kind")] = sizes.get(row.get("kind"), 0) + len(json.dumps(row, ensure_ascii=False).encode())
    largest = max(sizes, key=lambda kind: sizes[kind])
    return max(place for place, row in enumerate(rows) if row.get("kind") == largest)
