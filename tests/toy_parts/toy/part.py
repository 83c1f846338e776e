"""A toolbox with one tool, a route, a card on the dashboard, and a piece of the page."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from paliadin.events.reducer import Reducer
from paliadin.parts import House, Part
from paliadin.people.caller import Scope
from paliadin.people.person_key import PersonKey
from paliadin.relays.turn import Turn
from paliadin.toolboxes.toolbox import Returned, ToolSpec, Words
from paliadin.turnlog.description import Description
from paliadin.turns.stages import Ask
from paliadin.web.dashboard.cards import Card
from paliadin.web.declaration import Operation, Whose, route
from paliadin.web.openapi.schema import TEXT, record
from paliadin.web.scoped_routes import caller_of, routes_of

TEXTS = {"toys": ("Toys", "Spielzeug")}
NOTHING = {"type": "object", "properties": {}}


class Toys:
    """Tells whose toys are asked for."""

    name = "toy"
    words = Words("Toys of the reader.", "Use whose_toys.", "## Toys\n\nNever break them.")

    def specs(self) -> Sequence[ToolSpec]:
        return [ToolSpec("whose_toys", "Tell whose.", NOTHING), ToolSpec("suggest_toy", "One.", NOTHING, suggests=True)]

    async def call(
        self, person: PersonKey, name: str, arguments: Mapping[str, object], turn_id: str | None
    ) -> Returned:
        known = name in {"whose_toys", "suggest_toy"}
        return Returned(f"{person.as_text} {turn_id}" if known else "no such toy", is_error=not known)

    async def facts(self, person: PersonKey) -> Mapping[str, str]:
        return {"Toys": "3"}


class ToyRoutes:
    @route("GET", "toy", Scope.CONVERSATION, Whose.CALLERS)
    @Operation(record({"whose": TEXT}))
    async def show(self, request: Request) -> Response:
        """Whose toys."""
        return JSONResponse({"whose": caller_of(request).person_key.as_text})


async def read_card(*_: object) -> Mapping[str, Any]:
    return {"toys": "<b>3</b>"}


async def check() -> dict[str, Any]:
    return {"name": "toys", "ok": True, "state": "warning", "message": "one is broken", "hint": "Mend it."}


async def ask_which_toy(turn: Turn, ask: Ask) -> Description:
    options = [{"label": label, "description": ""} for label in ("Ball", "Doll")]
    replies = await ask([{"question": "Which toy?", "header": "Toy", "multiSelect": False, "options": options}])
    return replace(turn.description, user_message=f"{turn.message}: {replies and replies['Which toy?']}")


class Length:
    """Counts the characters of an answer."""

    kind = "toy_length"

    async def __call__(self, turn: Reducer) -> object:
        return len(turn.answer_text)


def load(_house: House) -> Part:
    return Part(
        toolboxes=[Toys()],
        routes=lambda _turns: routes_of(ToyRoutes()),
        cards=[Card(Path(__file__).with_name("toys.html"), read_card, TEXTS)],
        stages=[ask_which_toy],
        annotators=[Length()],
        health=[check],
        pages={"toy": Path(__file__).with_name("page")},
    )
