"""/admin/paliadin: what the record says, as pages made here. They work on rows alone, whatever the daemon is doing."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Any
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Route

from paliadin import errors
from paliadin.config import Settings
from paliadin.monitor import export, records
from paliadin.monitor.days import days_from, local_day, owner_zone
from paliadin.monitor.figures import figures
from paliadin.monitor.filters import SORTS, SPANS, Filter
from paliadin.monitor.gate import DAYS, Verdict
from paliadin.monitor.settings import MonitorSettings, load
from paliadin.store import Store
from paliadin.web import adminview
from paliadin.web.admintexts import LANGS, pick_lang
from paliadin.web.adminview import ROOT, TEMPLATES, Links, View

PAGE_SIZE = 50
LAST_OFFSET = 10_000_000
LONGEST_SELECTION = 80  # characters: what somebody had marked on another page is not ours to spread
LANG_COOKIE = "paliadin_lang"
LANG_AGE = 365 * 24 * 3600  # seconds
FORMAT_TYPES = {
    "jsonl": "application/x-ndjson",
    "csv": "text/csv; charset=utf-8",
    "parquet": "application/vnd.apache.parquet",
}

Handler = Callable[[Request], Awaitable[Response]]


@dataclass
class Admin:
    """`today` may be set by tests."""

    settings: Settings
    store: Store
    monitor: MonitorSettings
    zone: ZoneInfo

    @classmethod
    def of(cls, settings: Settings, store: Store) -> Admin:
        """Raises ConfigError for criteria or prices that are not usable."""
        return cls(settings, store, load(settings.monitoring), owner_zone(settings.timezone))

    def routes(self) -> list[BaseRoute]:
        return [
            Route(ROOT, self._page(self.dashboard)),
            Route(f"{ROOT}/turns", self._page(self.turns)),
            Route(f"{ROOT}/turns/{{turn_id}}", self._page(self.turn)),
            Route(f"{ROOT}/export.{{format}}", self._page(self.export)),
        ]

    async def dashboard(self, request: Request) -> Response:
        wanted, today = self._wanted(request), self._today()
        chart_days = 30 if request.query_params.get("chart") == "30" else 90
        async with self.store.reading() as reading:
            found = await figures(reading, wanted, self.monitor, self.zone, today, chart_days=chart_days)
        counts = [turns for _, turns in found.daily]
        models = adminview.by_model(found.tokens)
        chart = adminview.token_chart(days_from(wanted.first, wanted.days), found.tokens)
        return self._html(
            request,
            "dashboard.html",
            wanted,
            f=found,
            choices=_choices(found.parts, wanted),
            chart_days=chart_days,
            daily=list(zip(found.daily, adminview.columns(counts), strict=True)),
            token_days=list(zip(chart.days, chart.bars, strict=True)),
            colours=dict(chart.models),
            models=models,
            token_count=sum(map(adminview.tokens_of, models)),
            cost=sum(model["cost"] or 0 for model in models),
            prices=self.monitor.prices,
            gate_link=lambda name: _judged(found.verdict, name),
            width=adminview.CHART_WIDTH,
            height=adminview.CHART_HEIGHT,
        )

    async def turns(self, request: Request) -> Response:
        wanted = self._wanted(request)
        sort = request.query_params.get("sort", "")
        offset = _whole(request.query_params.get("offset", ""))
        async with self.store.reading() as reading:
            found = await records.page(
                reading, wanted, self.zone, sort=sort if sort in SORTS else "newest", limit=PAGE_SIZE, offset=offset
            )
        return self._html(
            request,
            "turns.html",
            wanted,
            here="/turns",
            rows=found.rows,
            count=found.count,
            choices=_choices(found.parts, wanted),
            sort=sort if sort in SORTS else "newest",
            offset=offset,
            page_size=PAGE_SIZE,
            formats=export.formats(),
        )

    async def turn(self, request: Request) -> Response:
        turn_id = request.path_params["turn_id"]
        row = await self.store.turn(turn_id)
        if row is None:
            raise errors.NotFound("there is no turn with this id", code="unknown_turn")
        folder = records.folder(self.settings, row.turn_id)
        view = self._view(request)
        steps = _steps(row.tool_calls, row.interrupts, view)
        first_text = (row.first_text_at - row.started_at).total_seconds() * 1000 if row.first_text_at else None
        tokens = {kind: value or 0 for kind, value in asdict(row).items() if kind.endswith("_tokens")}
        return self._html(
            request,
            "turn.html",
            self._wanted(request),
            here="/turn",
            row=row,
            context=[(name, _shortened(name, value)) for name, value in row.context.items()],
            folder=folder,
            daemon=self.settings.peer_of(row.session_id),
            chips=folder.chips if folder else [],
            first_text_ms=first_text,
            steps=list(zip(steps, adminview.time_line(steps, row.duration_ms), strict=True)),
            cost=self.monitor.prices.cost(row.model or "", tokens),
        )

    async def export(self, request: Request) -> Response:
        name = request.path_params["format"]
        if name not in export.formats():
            raise errors.NotFound(
                f"there is no export as {name}", hint="Parquet takes `pip install 'paliadin[parquet]'`."
            )
        wanted = self._wanted(request)
        parts = self._exported(wanted, name)
        first = await anext(parts, b"")  # before the answer begins: is there a database?

        async def body() -> AsyncIterator[bytes]:
            yield first
            async for part in parts:
                yield part

        file = f"paliadin-{wanted.first}-{wanted.last}.{name}"
        headers = {"content-disposition": f'attachment; filename="{file}"', "cache-control": "no-store"}
        return StreamingResponse(body(), media_type=FORMAT_TYPES[name], headers=headers)

    async def _exported(self, wanted: Filter, name: str) -> AsyncIterator[bytes]:
        async with self.store.reading() as reading:
            async for part in export.export(reading, wanted, self.zone, name):
                yield part

    def _page(self, handler: Handler) -> Handler:
        """Errors as a page: whoever comes here is a person."""

        async def page(request: Request) -> Response:
            try:
                return await handler(request)
            except errors.PaliadinError as error:
                what = "unknown_turn" if isinstance(error, errors.NotFound) else "trouble"
                told = {"message": error.message, "hint": error.hint, "again": str(request.url.path)}
                answer = self._html(request, "trouble.html", self._wanted(request), here="/trouble", what=what, **told)
                answer.status_code = error.http_status
                return answer

        return page

    def _html(self, request: Request, template: str, wanted: Filter, here: str = "", **values: Any) -> Response:
        view = self._view(request)
        other = next(lang for lang in LANGS if lang != view.lang)
        query = urlencode({**request.query_params, "lang": other})
        chosen = [(name, value) for name, value in wanted.query().items() if name not in {"span", "from", "to"}]
        page = TEMPLATES.get_template(template).render(
            view=view,
            t=view.t,
            links=Links(wanted),
            wanted=wanted,
            spans=SPANS,
            chosen=chosen,
            here=here,
            other_lang=other,
            lang_link=f"{request.url.path}?{query}",
            **values,
        )
        answer = HTMLResponse(page, headers={"cache-control": "no-store"})
        if request.query_params.get("lang") == view.lang:
            answer.set_cookie(LANG_COOKIE, view.lang, max_age=LANG_AGE, samesite="strict", httponly=True)
        return answer

    def _view(self, request: Request) -> View:
        query, cookies, headers = request.query_params, request.cookies, request.headers
        wanted = (query.get("lang", ""), cookies.get(LANG_COOKIE, ""), headers.get("accept-language", ""))
        return View(pick_lang(*wanted), self.zone)

    def _wanted(self, request: Request) -> Filter:
        return Filter.parse(request.query_params, self._today())

    def _today(self) -> date:
        return local_day(datetime.now(UTC), self.zone)


def _judged(verdict: Verdict, criterion: str) -> str:
    """The address of the turns that a criterion counted."""
    late = verdict.first + timedelta(days=DAYS // 2) if criterion == "turns_per_working_day" else verdict.first
    flags = {"tool_use_rate": "tool", "abandonment_rate": "abandoned", "death_rate": "died"}
    return Links(Filter(late, verdict.last, None)).turns(flag=flags.get(criterion, "person"))


def _choices(parts: Mapping[str, list[dict[str, Any]]], wanted: Filter) -> dict[str, list[str]]:
    """What the selects offer: what there is among these turns, and what is chosen."""
    names = ("session", "person", "origin", "tag")
    return {
        name: sorted({row["name"] for row in parts[name] if row["name"]} | ({getattr(wanted, name)} - {""}))
        for name in names
    }


def _shortened(name: str, value: object) -> object:
    long = name == "user_selection_text" and isinstance(value, str) and len(value) > LONGEST_SELECTION
    return f"{str(value)[:LONGEST_SELECTION]} …" if long else value


def _steps(calls: Any, interrupts: Any, view: View) -> list[dict[str, Any]]:
    """Tool calls and questions back, in the order of time."""
    steps = []
    for call in calls:
        state = "refused" if call["refused"] else {True: "worked", False: "failed", None: "no_result"}[call["ok"]]
        kind = "c0" if call["ok"] else "bad"
        steps.append({**call, "took_ms": call["duration_ms"], "result": view.t(state), "kind": kind})
    for asked in interrupts:
        name = f"{asked['kind']}: {asked['tool']}"
        result = view.t("by", asked["by"]) if asked["by"] else view.t("no_result")
        steps.append(
            {**asked, "name": name, "took_ms": asked["waited_ms"], "result": result, "rows": None, "kind": "wait"}
        )
    return sorted(steps, key=lambda step: step["at_ms"] or 0)


def _whole(text: str) -> int:
    return min(int(text), LAST_OFFSET) if text.isascii() and text.isdigit() and len(text) < 9 else 0
