"""The conversations of the scripted daemon in tests/worlds/cli_daemon.py."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

MADE = "k3m9wq2x7abc"
UNKNOWN = {"code": "unknown_session", "message": "there is no such session", "hint": "Sessions: main."}


def item(conversation_id: str, title: str = "", **fields: Any) -> dict[str, Any]:
    """A conversation as the daemon lists it."""
    defaults = {"host": "desk", "state": "parked", "pinned": False, "archived": False, "branch_of": None}
    times = {"created_at": 1, "last_at": 1_795_000_000_000, "queued": 0, "running_turn": None}
    return {"id": conversation_id, "title": title, **defaults, **times, **fields}


@dataclass
class ScriptedConversations:
    """`items` are listed, `unlisted` are the ids of those without a question; `requests` says what was asked for."""

    items: list[dict[str, Any]] = field(default_factory=list)
    unlisted: list[str] = field(default_factory=list)
    hosts: list[str] = field(default_factory=lambda: ["desk"])
    refusal: tuple[int, Mapping[str, Any]] | None = None
    requests: list[tuple[str, Any]] = field(default_factory=list)

    def routes(self, api: str) -> list[Route]:
        one = f"{api}/conversations/{{name}}"
        return [
            Route(f"{api}/conversations", self._list, methods=["GET"]),
            Route(f"{api}/conversations", self._make, methods=["POST"]),
            Route(one, self._change, methods=["PATCH"]),
            Route(one, self._delete, methods=["DELETE"]),
            Route(f"{api}/sessions", self._sessions, methods=["GET"]),
        ]

    async def _list(self, request: Request) -> Response:
        self.requests.append(("GET", dict(request.query_params)))
        archived = request.query_params.get("archived") == "1"
        return JSONResponse(
            {"conversations": [each for each in self.items if each["archived"] == archived], "hosts": self.hosts}
        )

    async def _make(self, request: Request) -> Response:
        self.requests.append(("POST", await request.json()))
        return self._refused() or JSONResponse(item(MADE), 201)

    async def _change(self, request: Request) -> Response:
        name, body = request.path_params["name"], await request.json()
        self.requests.append(("PATCH", (name, body)))
        known = {each["id"]: each for each in self.items} | {each: item(each) for each in self.unlisted}
        return self._refused() or JSONResponse(known[name] | body)

    async def _delete(self, request: Request) -> Response:
        self.requests.append(("DELETE", request.path_params["name"]))
        return self._refused() or JSONResponse({"undo_until": 1_795_000_010_000})

    async def _sessions(self, _request: Request) -> Response:
        names = [*(each["id"] for each in self.items), *self.unlisted]
        return JSONResponse({"sessions": [{"name": name, "state": "parked"} for name in names]})

    def _refused(self) -> Response | None:
        return JSONResponse({"error": self.refusal[1]}, self.refusal[0]) if self.refusal else None

    def changes(self) -> list[tuple[str, Any]]:
        """The requests that change something."""
        return [request for request in self.requests if request[0] != "GET"]
