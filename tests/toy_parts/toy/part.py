"""Makes a part that has one of everything."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from paliadin.base.errors import PaliadinError
from paliadin.base.retained import LeftBehind, Retained
from paliadin.events.reducer import Reducer
from paliadin.parts.loading import House, Part
from paliadin.people.caller import Door, Scope
from paliadin.people.person_key import PersonKey
from paliadin.relays.turn import Turn
from paliadin.toolboxes.toolbox import Returned, ToolSpec, Words
from paliadin.turnlog.description import Description
from paliadin.turns.stages import Ask
from paliadin.web.dashboard.cards import Card
from paliadin.web.openapi.schema import TEXT, record
from paliadin.web.route_declaration import Operation, Whose, route
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
    @route("GET", "toy/lent", Scope.PAGE, Whose.CALLERS, key="toy")
    @Operation(record({"whose": TEXT}), query={"person": TEXT})
    async def lend(self, request: Request) -> Response:
        """Whose toys, also for a program that says for whom it asks."""
        caller = caller_of(request)
        if caller.door is Door.API and caller.is_member:
            caller = replace(caller, person=request.query_params.get("person", ""))
        return JSONResponse({"whose": caller.person_key.as_text})

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


class Chest:
    """Keeps a file of each turn, conversation and person, by its name."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    async def of_turns(self, turn_ids: Collection[str]) -> int:
        return sum([await self.remove(turn_id) for turn_id in turn_ids])

    async def of_person(self, person_id: str, deletes: bool) -> LeftBehind:
        removed = deletes and await self.remove(person_id)
        return LeftBehind({}, "" if removed else f"Toys of {person_id} stay.")

    async def check_new(self, person_id: str, name: object) -> None:
        if (self.folder / person_id).exists():
            raise PaliadinError(f"{name} finds toys of somebody else", code="has_toys", status=409)

    async def remove(self, name: str) -> bool:
        was_there = (self.folder / name).exists()
        (self.folder / name).unlink(missing_ok=True)
        return was_there

    def retained(self) -> Retained:
        return Retained(
            "`$PALIADIN_HOME/toys/`",
            "toys",
            "until they are old",
            self.of_turns,
            self.remove,
            self.of_person,
            self.check_new,
            sweep=lambda: self.remove("old"),
        )


def load(house: House) -> Part:
    return Part(
        retained=[Chest(house.settings.home / "toys").retained()],
        toolboxes=[Toys()],
        routes=lambda _turns: routes_of(ToyRoutes()),
        cards=[Card(Path(__file__).with_name("toys.html"), read_card, TEXTS)],
        stages=[ask_which_toy],
        annotators=[Length()],
        health=[check],
        pages={"toy": Path(__file__).with_name("page")},
    )
