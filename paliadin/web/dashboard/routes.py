"""The dashboard at /admin/paliadin: HTML pages and exports of the recorded turns.

They read the database and files only, and work whatever state Claude and the terminal are in.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from typing import Any
from urllib.parse import urlencode
from zoneinfo import ZoneInfo

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response, StreamingResponse

from paliadin.base import errors
from paliadin.base.settings import Settings
from paliadin.people.caller import Scope
from paliadin.record.store import Store
from paliadin.reports import export, listing
from paliadin.reports.criteria import MonitorSettings, load_monitor_settings
from paliadin.reports.days import local_day, owner_zone
from paliadin.reports.figures import compute_figures, unpriced_models
from paliadin.reports.filters import SORTS, SPANS, VERDICTS, Filter
from paliadin.web.dashboard import capture_download, charts, turn_page
from paliadin.web.dashboard.cards import Card
from paliadin.web.dashboard.chart_plans import all_charts
from paliadin.web.dashboard.chart_views import by_day
from paliadin.web.dashboard.locale import Locale
from paliadin.web.dashboard.page_operations import A_PAGE, EXPORT, LISTED
from paliadin.web.dashboard.texts import pick_lang
from paliadin.web.dashboard.view import ROOT, TEMPLATES, Links, criterion_link
from paliadin.web.openapi.schema import DIGITS, TEXT, one_of
from paliadin.web.route_declaration import Handler, Operation, Whose, route
from paliadin.web.scoped_routes import Declared, routes_of
from paliadin.words.catalogue import LANGS

PAGE_SIZE = 50
LAST_OFFSET = 10_000_000
LANG_COOKIE = "paliadin_lang"
LANG_AGE = 365 * 24 * 3600  # seconds
FORMAT_TYPES = {
    "jsonl": "application/x-ndjson",
    "csv": "text/csv; charset=utf-8",
    "parquet": "application/vnd.apache.parquet",
}
_TITLES = {  # an error's code → the key of the error page's heading
    "unknown_turn": "unknown_turn",
    "not_found": "not_found",
    "database_unavailable": "record_unreadable",
}


@dataclass
class Dashboard:
    """The handlers of the dashboard's routes. Days are days of `zone`; `cards` are those of parts."""

    settings: Settings
    store: Store
    monitor: MonitorSettings
    zone: ZoneInfo
    cards: Sequence[Card] = ()

    @classmethod
    def of(cls, settings: Settings, store: Store, cards: Sequence[Card] = ()) -> Dashboard:
        """Make the dashboard with the criteria, prices and time zone of the settings; raises ConfigError."""
        monitor, zone = load_monitor_settings(settings.monitoring), owner_zone(settings.timezone)
        return cls(settings, store, monitor, zone, cards)

    def routes(self) -> list[Declared]:
        """The routes to mount."""
        return routes_of(self, self._with_error_page)

    @route("GET", ROOT, Scope.OWNER, Whose.OWNERS)
    @A_PAGE
    async def show_overview(self, request: Request) -> Response:
        """The figures of these turns."""
        turn_filter, today, root = self._filter(request), self._today(), request.scope.get("root_path", "")
        async with self.store.snapshot() as snapshot:
            figures = await compute_figures(snapshot, turn_filter, self.monitor, self.zone, today)
        locale, chosen = self._locale(request), list(turn_filter.query_without_days().items())
        models = charts.sum_by_model(figures.tokens)
        return self._render(
            request,
            "dashboard.html",
            turn_filter,
            figures=figures,
            cards=[await card.render(turn_filter, locale, chosen) for card in self.cards],
            choices=_choices(figures.parts, turn_filter),
            all_charts=all_charts(figures, locale, Links(turn_filter, root)),
            by_day=by_day(figures.periods),
            chart_height=charts.HEIGHT,
            models=models,
            token_count=sum(map(charts.count_tokens, models)),
            cost=charts.known_sum([model["cost"] for model in models]),
            unpriced=unpriced_models(figures.tokens),
            prices=self.monitor.prices,
            gate_link=lambda name: criterion_link(figures.verdict, name, root),
        )

    @route("GET", f"{ROOT}/turns", Scope.OWNER, Whose.OWNERS)
    @replace(A_PAGE, query=LISTED | {"sort": one_of(*SORTS), "offset": DIGITS})
    async def list_turns(self, request: Request) -> Response:
        """These turns."""
        turn_filter = self._filter(request)
        sort = request.query_params.get("sort", "")
        sort = sort if sort in SORTS else "newest"
        offset = _parse_offset(request.query_params.get("offset", ""))
        async with self.store.snapshot() as snapshot:
            page = await listing.list_turns(snapshot, turn_filter, self.zone, sort=sort, limit=PAGE_SIZE, offset=offset)
        return self._render(
            request,
            "turns.html",
            turn_filter,
            here="/turns",
            rows=page.rows,
            count=page.count,
            choices=_choices(page.parts, turn_filter),
            sort=sort,
            offset=offset,
            page_size=PAGE_SIZE,
            formats=export.formats(),
        )

    @route("GET", f"{ROOT}/turns/{{turn_id}}", Scope.OWNER, Whose.OWNERS)
    @replace(A_PAGE, errors=(404, 503))
    async def show_turn(self, request: Request) -> Response:
        """A turn."""
        turn_id = request.path_params["turn_id"]
        row = await self.store.turn(turn_id)
        if row is None:
            raise errors.NotFound("there is no turn with this id", code="unknown_turn")
        turn_filter, is_filtered = self._filter(request), turn_page.is_filtered(request.query_params)
        async with self.store.snapshot() as snapshot:
            neighbours = await turn_page.find_all_neighbours(
                snapshot, row, turn_filter if is_filtered else None, self.zone
            )
        values = await turn_page.turn_values(self.settings, self.monitor.prices, row, self._locale(request))
        more = {"neighbours": neighbours, "is_filtered": is_filtered}
        return self._render(request, "turn.html", turn_filter, here="/turn", **values, **more)

    @route("GET", f"{ROOT}/turns/{{turn_id}}/captures/{{name}}", Scope.OWNER, Whose.OWNERS, audit="exported")
    @Operation(TEXT, errors=(404,), media=("text/plain",), errors_as_page=True)
    async def download_capture(self, request: Request) -> Response:
        """One of the turn's requests to the API and its response, as they were (PALIADIN_CAPTURE)."""
        turn_id, name = request.path_params["turn_id"], request.path_params["name"]
        return await asyncio.to_thread(capture_download.download, self.settings.captures_dir, turn_id, name)

    @route("GET", f"{ROOT}/export.{{format}}", Scope.OWNER, Whose.OWNERS, audit="exported")
    @EXPORT
    async def export(self, request: Request) -> Response:
        """These turns as a file."""
        name = request.path_params["format"]
        if name not in export.formats():
            formats = f"Formats: {', '.join(FORMAT_TYPES)}."
            hint = "Parquet needs `pip install '.[parquet]'` in Paliadin's folder." if name == "parquet" else formats
            raise errors.NotFound(f"there is no export as {name}", hint=hint)
        turn_filter = self._filter(request)
        chunks = self._export_chunks(turn_filter, name)
        first = await anext(chunks, b"")  # a missing database shows here, before the response has begun

        async def body() -> AsyncIterator[bytes]:
            yield first
            async for chunk in chunks:
                yield chunk

        file = f"paliadin-{turn_filter.first}-{turn_filter.last}.{name}"
        headers = {"content-disposition": f'attachment; filename="{file}"', "cache-control": "no-store"}
        return StreamingResponse(body(), media_type=FORMAT_TYPES[name], headers=headers)

    async def _export_chunks(self, turn_filter: Filter, name: str) -> AsyncIterator[bytes]:
        async with self.store.snapshot() as snapshot:
            async for chunk in export.export_turns(snapshot, turn_filter, self.zone, name):
                yield chunk

    def _with_error_page(self, handler: Handler) -> Handler:
        """Wrap a handler so that an error is shown as an HTML page."""

        async def page(request: Request) -> Response:
            try:
                return await handler(request)
            except errors.PaliadinError as error:
                response = self._render(
                    request,
                    "trouble.html",
                    self._filter(request),
                    here="/trouble",
                    title=_TITLES.get(error.code, "failure"),
                    message=error.message,
                    hint=error.hint,
                    retry_link=str(request.url.path),
                )
                response.status_code = error.status
                return response

        return page

    def _render(self, request: Request, template: str, turn_filter: Filter, here: str = "", **values: Any) -> Response:
        locale, root = self._locale(request), request.scope.get("root_path", "")
        other = next(lang for lang in LANGS if lang != locale.lang)
        query = urlencode({**request.query_params, "lang": other})
        page = TEMPLATES.get_template(template).render(
            locale=locale,
            t=locale.t,
            root=root,
            links=Links(turn_filter, root),
            turn_filter=turn_filter,
            spans=SPANS,
            verdicts=VERDICTS,
            chosen=list(turn_filter.query_without_days().items()),
            here=here,
            other_lang=other,
            lang_link=f"{request.url.path}?{query}",
            **values,
        )
        response = HTMLResponse(page)
        if request.query_params.get("lang") == locale.lang:
            response.set_cookie(LANG_COOKIE, locale.lang, max_age=LANG_AGE, samesite="strict", httponly=True)
        return response

    def _locale(self, request: Request) -> Locale:
        query, cookies, headers = request.query_params, request.cookies, request.headers
        preferences = (query.get("lang", ""), cookies.get(LANG_COOKIE, ""), headers.get("accept-language", ""))
        return Locale(pick_lang(*preferences), self.zone)

    def _filter(self, request: Request) -> Filter:
        return Filter.parse(request.query_params, self._today())

    def _today(self) -> date:
        return local_day(datetime.now(UTC), self.zone)


def _choices(parts: Mapping[str, list[dict[str, Any]]], turn_filter: Filter) -> dict[str, list[str]]:
    """Return the filter form's options: the values among these turns, and the chosen one."""
    names = ("session", "person", "origin", "tag")
    return {
        name: sorted({row["name"] for row in parts[name] if row["name"]} | ({getattr(turn_filter, name)} - {""}))
        for name in names
    }


def _parse_offset(text: str) -> int:
    return min(int(text), LAST_OFFSET) if text.isascii() and text.isdigit() and len(text) < 9 else 0
