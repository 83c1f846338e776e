"""Sets up the Messages API, the second way to a model: its relay, in this process or over workers, and its routes.

It is imported only where that is on.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from functools import partial
from pathlib import Path

from paliadin.base.secret_file import make_secret
from paliadin.base.settings import Settings
from paliadin.base.settings_values import MESSAGES, WEB
from paliadin.base.strict_json import JsonObject
from paliadin.parts.loading import House, Part
from paliadin.parts.messages import WORKERS_EXTRA
from paliadin.parts.messages.budget import Budget, budget_part
from paliadin.parts.messages.carrier import Carrier, LocalCarrier
from paliadin.parts.messages.consents import Consents
from paliadin.parts.messages.own_keys import OwnKeys
from paliadin.parts.messages.question_limits import QuestionLimits
from paliadin.parts.messages.redaction import Redaction
from paliadin.parts.messages.relay import MessagesRelay
from paliadin.parts.messages.retention import kept
from paliadin.parts.messages.routes import MessagesRoutes
from paliadin.parts.messages.settings import MessagesSettings
from paliadin.parts.messages.tools import ASK, Guard, Reader, Tools
from paliadin.people.directory import People
from paliadin.people.person_key import OWNER, PersonKey
from paliadin.reports.criteria import load_monitor_settings


def load(house: House) -> Part:
    """Make the relay and what belongs to it; its model gets the tools of the parts that are loaded."""
    settings, people, store, others = house.settings, house.people, house.store, house.loaded or Part()
    assert people is not None  # noqa: S101  # a worker is no web process: see `is_on`

    def reader_of(person: PersonKey) -> Reader:
        entry = people.entry_of(person)
        return Reader(entry.name, entry.office, entry.language) if entry else Reader(person.name)

    own, tools = settings.part(MessagesSettings), Tools(others.toolboxes, reader_of)
    unlimited = OWNER if own.owner_unlimited else None
    limits = QuestionLimits(store, own.turns_per_hour, own.all_turns_per_hour, unlimited)
    own_keys = OwnKeys(store, settings.home)
    consents = Consents(settings.home, own.api_host, own.api_model)
    prices = load_monitor_settings(settings.monitoring).prices
    budget = Budget(store, own.api_host, prices, own.budget_warns, own.budget_stops)
    local = LocalCarrier(settings, tools, own_keys.of)
    carrier: Carrier = _make_queue(house, people, reader_of) if settings.role == WEB else local
    guard = Guard(consents.has_agreed, limits.admit, budget.check, own_keys.of)
    routes = MessagesRoutes(limits, consents, own_keys, local.try_key, settings.keeps_words)
    return Part(
        relays=[MessagesRelay(settings, carrier, guard)],
        routes=lambda _: routes.routes(),
        terms={MESSAGES: routes},
        retained=kept(consents),
        health=[partial(budget_part, budget)] if budget.is_set else [],
        pages={"messages": Path(__file__).with_name("page")},
        redact=None if settings.keeps_words else _redaction(settings, tools).row,
    )


def _redaction(settings: Settings, tools: Tools) -> Redaction:
    return Redaction(make_secret(settings.home / "audit.secret"), {each.name for each in (*tools.specs(), ASK)})


def _make_queue(house: House, people: People, reader_of: Callable[[PersonKey], Reader]) -> Carrier:
    """Make the carrier that hands turns to workers; raises ConfigError without their extra."""
    WORKERS_EXTRA.check()
    from paliadin.parts.messages.workers.carrier import QueuedCarrier  # noqa: PLC0415  # an extra's
    from paliadin.parts.messages.workers.shared_turns import SharedTurns  # noqa: PLC0415

    async def describe(person: PersonKey) -> JsonObject:
        await people.announce()
        reader = {name: value for name, value in asdict(reader_of(person)).items() if name != "facts"}
        return {"id": house.id_of(person), **reader}

    return QueuedCarrier(house.settings, SharedTurns(str(house.settings.database_url)), describe)
