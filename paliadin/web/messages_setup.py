"""Sets up the Messages API, the second way to a model: its relay, in this process or over workers, and its routes.

It is imported only where that is on.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial

from paliadin.base.errors import StoreUnavailable
from paliadin.base.secret_file import make_secret
from paliadin.base.settings import Settings
from paliadin.base.settings_values import WEB
from paliadin.base.strict_json import JsonObject
from paliadin.operations.health import Check, budget_part
from paliadin.people.consents import Consents
from paliadin.people.data_keeper import DataKeeper
from paliadin.people.directory import People
from paliadin.people.person_key import OWNER, PersonKey
from paliadin.record.own_keys import OwnKeys
from paliadin.record.question_limits import QuestionLimits
from paliadin.record.redaction import Redact, Redaction, whole
from paliadin.record.store import Store
from paliadin.relays.messages.carrier import Carrier, LocalCarrier
from paliadin.relays.messages.relay import MessagesRelay
from paliadin.relays.messages.tools import ASK, Guard, Reader, Tools
from paliadin.reports.budget import Budget
from paliadin.reports.criteria import load_monitor_settings
from paliadin.toolboxes.toolbox import Toolbox
from paliadin.web.messages_routes import MessagesRoutes


@dataclass(frozen=True)
class Messages:
    """The relay to the Messages API with its routes, its checks and its redaction."""

    relay: MessagesRelay
    handlers: MessagesRoutes
    checks: Sequence[Check]  # for the health report
    redact: Redact  # takes the words out of rows, where none may be kept


def make_messages(
    settings: Settings, people: People, toolboxes: Sequence[Toolbox], keepers: Sequence[DataKeeper], store: Store
) -> Messages:
    """Make the relay and what belongs to it; `keepers` are those that keep data of people."""

    def reader_of(person: PersonKey) -> Reader:
        entry = people.entry_of(person)
        return Reader(entry.name, entry.office, entry.language) if entry else Reader(person.name)

    tools = Tools(toolboxes, reader_of)
    unlimited = OWNER if settings.owner_unlimited else None
    limits = QuestionLimits(store, settings.turns_per_hour, settings.all_turns_per_hour, unlimited)
    own_keys = OwnKeys(store, settings.home)
    consents = Consents(settings.home, settings.api_host, settings.api_model)
    prices = load_monitor_settings(settings.monitoring).prices
    budget = Budget(store, settings.api_host, prices, settings.budget_warns, settings.budget_stops)
    local = LocalCarrier(settings, tools, own_keys.of)
    carrier: Carrier = local
    if settings.role == WEB:
        carrier = _make_queue(settings, people, keepers, reader_of)
    relay = MessagesRelay(settings, carrier, Guard(consents.has_agreed, limits.admit, budget.check, own_keys.of))
    names = {each.name for each in (*tools.specs(), ASK)}
    secret = settings.home / "audit.secret"
    redact = whole if settings.keeps_words else Redaction(make_secret(secret), names).row
    checks = [partial(budget_part, budget)] if budget.is_set else []
    return Messages(relay, MessagesRoutes(limits, consents, own_keys, local.try_key), checks, redact)


def _make_queue(
    settings: Settings, people: People, keepers: Sequence[DataKeeper], reader_of: Callable[[PersonKey], Reader]
) -> Carrier:
    """Make the carrier that hands turns to workers."""
    from paliadin.workers.carrier import QueuedCarrier  # noqa: PLC0415  # an extra's
    from paliadin.workers.shared_turns import SharedTurns  # noqa: PLC0415

    async def describe(person: PersonKey) -> JsonObject:
        for keeper in keepers:
            with contextlib.suppress(StoreUnavailable):  # the tools say that it is away
                await keeper.follow_people()
        reader = {name: value for name, value in asdict(reader_of(person)).items() if name != "facts"}
        return {"id": people.id_of(person), **reader}

    return QueuedCarrier(settings, SharedTurns(str(settings.database_url)), describe)
