"""The parts of a daemon that are off unless a setting asks for them: what is off is not loaded."""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import logging
import socket
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from paliadin.base.errors import ConfigError, StoreUnavailable
from paliadin.base.secret_file import make_secret
from paliadin.base.settings import PREFIX, Settings
from paliadin.base.settings_values import WEB
from paliadin.base.strict_json import JsonObject
from paliadin.people.caller import Role, account_name
from paliadin.people.directory import People
from paliadin.record.redaction import Redact, Redaction, whole
from paliadin.relays.routing import MESSAGES

if TYPE_CHECKING:
    from paliadin.operations.tracing import Tracing
    from paliadin.practice.mcp_server import McpServer
    from paliadin.practice.practice import Practice
    from paliadin.record.store import Store
    from paliadin.relays.messages.carrier import Carrier
    from paliadin.relays.messages.relay import MessagesRelay
    from paliadin.relays.messages.tools import Reader, Tools
    from paliadin.reports.budget import Budget
    from paliadin.turns.lifecycle import Turns
    from paliadin.web.messages_routes import MessagesPart
    from paliadin.web.scoped_routes import Declared

log = logging.getLogger(__name__)

OTLP_PROTOCOL = "http/protobuf"  # the only one that the extra `otel` installs


@dataclass(frozen=True)
class Messages:
    """The second way to a model: its relay, and what its routes need."""

    relay: MessagesRelay
    part: MessagesPart
    budget: Budget
    tool_names: Collection[str]


def make_messages(settings: Settings, people: People, practice: Practice | None, store: Store) -> Messages | None:
    """Make the relay to the Messages API if that is set up, else None; raises ConfigError without its extra."""
    if settings.relay != MESSAGES and not settings.api_key:
        return None
    _need_messages("RELAY and PALIADIN_API_KEY")
    from paliadin.people.consents import Consents  # noqa: PLC0415
    from paliadin.record.own_keys import OwnKeys  # noqa: PLC0415
    from paliadin.record.question_limits import QuestionLimits  # noqa: PLC0415
    from paliadin.relays.messages.carrier import LocalCarrier  # noqa: PLC0415
    from paliadin.relays.messages.relay import MessagesRelay  # noqa: PLC0415
    from paliadin.relays.messages.tools import ASK, Guard, Reader  # noqa: PLC0415
    from paliadin.reports.budget import Budget  # noqa: PLC0415
    from paliadin.reports.criteria import load_monitor_settings  # noqa: PLC0415
    from paliadin.web.messages_routes import MessagesPart  # noqa: PLC0415

    def reader_of(person: str) -> Reader:
        entry = people.get(person) if person else people.owner
        return Reader(entry.name, entry.office, entry.language) if entry else Reader(person)

    tools = _make_tools(practice, people.id_of, reader_of)
    unlimited = account_name() if settings.owner_unlimited else None
    limits = QuestionLimits(store, settings.turns_per_hour, settings.all_turns_per_hour, unlimited)
    own_keys = OwnKeys(store, settings.home)
    consents = Consents(settings.home, settings.api_host, settings.api_model)
    prices = load_monitor_settings(settings.monitoring).prices
    budget = Budget(store, settings.api_host, prices, settings.budget_warns, settings.budget_stops)
    local = LocalCarrier(settings, tools, own_keys.of)
    carrier: Carrier = local
    if settings.role == WEB:
        carrier = _make_queue(settings, practice, people.id_of, reader_of)
    relay = MessagesRelay(settings, carrier, Guard(consents.has_agreed, limits.admit, budget.check, own_keys.of))
    names = {each.name for each in (*tools.specs(), ASK)}
    return Messages(relay, MessagesPart(limits, consents, own_keys, local.try_key), budget, names)


def _need_messages(setting: str) -> None:
    for package in ("anthropic", "cryptography"):
        if importlib.util.find_spec(package) is None:
            raise _without_extra(setting, package, "messages")


def _make_tools(practice: Practice | None, id_of: Callable[[str], str], reader_of: Callable[[str], Reader]) -> Tools:
    if practice is None:
        from paliadin.relays.messages.tools import NoTools  # noqa: PLC0415

        return NoTools(reader_of)
    from paliadin.practice.relay_tools import RelayTools  # noqa: PLC0415

    return RelayTools(practice, id_of, reader_of)


def _make_queue(
    settings: Settings,
    practice: Practice | None,
    id_of: Callable[[str], str],
    reader_of: Callable[[str], Reader],
) -> Carrier:
    """Make what hands turns to workers."""
    _need_workers()
    from paliadin.workers.carrier import QueuedCarrier  # noqa: PLC0415
    from paliadin.workers.shared_turns import SharedTurns  # noqa: PLC0415

    async def describe(person: str) -> JsonObject:
        if practice is not None:
            with contextlib.suppress(StoreUnavailable):  # the tools say that it is away
                await practice.follow_people()
        return {"id": id_of(person), **asdict(reader_of(person))}

    return QueuedCarrier(settings, SharedTurns(str(settings.database_url)), describe)


def lead(
    home: Path, listeners: Sequence[socket.socket], most: int, stands_by: Callable[[], object]
) -> AbstractAsyncContextManager[Path]:
    """See `paliadin.workers.standby.leading`: one of several web processes leads."""
    from paliadin.workers.standby import leading  # noqa: PLC0415

    return leading(home, listeners, most, stands_by)


def _need_workers() -> None:
    if importlib.util.find_spec("procrastinate") is None:
        raise _without_extra("ROLE", "procrastinate", "workers")


async def run_worker(settings: Settings, ready: Callable[[], None]) -> None:
    """Carry other processes' turns until cancelled; raises ConfigError, StoreUnavailable where it cannot begin."""
    _need_messages("ROLE=worker")
    _need_workers()
    from paliadin.record import migrate  # noqa: PLC0415
    from paliadin.record.own_keys import OwnKeys  # noqa: PLC0415
    from paliadin.record.store import Store  # noqa: PLC0415
    from paliadin.relays.messages.carrier import LocalCarrier  # noqa: PLC0415
    from paliadin.relays.messages.tools import Reader  # noqa: PLC0415
    from paliadin.workers import jobs  # noqa: PLC0415
    from paliadin.workers.shared_turns import SharedTurns  # noqa: PLC0415
    from paliadin.workers.worker import Worker  # noqa: PLC0415

    known: dict[str, tuple[str, Reader]] = {}  # person → their id in the practice, and what else is known of them

    def reads_as(person: str, described: Mapping[str, Any]) -> None:
        known[person] = described["id"], Reader(**{name: described[name] for name in described if name != "id"})

    conninfo, store = str(settings.database_url), Store()
    practice = make_practice(settings, None)[0] if settings.paliad else None
    tools = _make_tools(practice, lambda person: known[person][0], lambda person: known[person][1])
    carrier = LocalCarrier(settings, tools, OwnKeys(store, settings.home).of)
    await asyncio.to_thread(migrate.up, conninfo)
    await asyncio.to_thread(jobs.prepare, conninfo)
    async with contextlib.AsyncExitStack() as stack:
        await stack.enter_async_context(store.connected(conninfo))
        if practice:
            await stack.enter_async_context(practice.connected(conninfo))
        worker = Worker(SharedTurns(conninfo), carrier, reads_as, settings.worker_turns, settings.turn_timeout)
        await worker.run(ready)


def routes(
    settings: Settings,
    turns: Turns,
    people: People,
    *,
    practice: Practice | None,
    server: McpServer | None,
    messages: Messages | None,
) -> list[Declared]:
    """Make the routes of the parts that are on."""
    of_messages = messages.part.routes() if messages else []
    if practice is None or server is None:
        return of_messages
    from paliadin.web.practice_routes import PracticeRoutes  # noqa: PLC0415

    return [*PracticeRoutes(settings, turns, people, practice, server).routes(), *of_messages]


def make_redaction(settings: Settings, messages: Messages | None) -> Redact:
    """Make what takes the words out of rows, where none may be kept; else what leaves them."""
    if settings.keeps_words or messages is None:
        return whole
    return Redaction(make_secret(settings.home / "audit.secret"), messages.tool_names).row


def make_practice(settings: Settings, people: People | None) -> tuple[Practice, McpServer]:
    """Make the practice and the server of its tools; raises ConfigError without the extra that they need.

    Without `people` its users are those that another process has written.
    """
    try:
        from paliadin.practice.mcp_server import McpServer  # noqa: PLC0415  # an extra: what is off is not loaded
        from paliadin.practice.practice import Practice  # noqa: PLC0415
        from paliadin.practice.transactions import User  # noqa: PLC0415
    except ImportError as error:
        raise _without_extra("PALIAD", str(error.name), "practice") from error
    for package in ("mcp", "holidays"):  # they are imported later, when they are needed
        if importlib.util.find_spec(package) is None:
            raise _without_extra("PALIAD", package, "practice")

    def users() -> list[User] | None:
        if people is None:
            return None
        known = [User(each.id, each.name, each.office, each.language, each.role) for each in people.list()]
        owner = people.owner_id
        return known if people.owner else [*known, User(owner, owner, "", "en", Role.OWNER)]

    practice = Practice(users, settings.timezone, second_pair=settings.second_pair)
    return practice, McpServer(practice)


def _without_extra(setting: str, package: str, extra: str) -> ConfigError:
    return ConfigError(
        f"{PREFIX}{setting} needs a package that is missing: {package}",
        hint=f"Run `pip install '.[{extra}]'` in Paliadin's folder.",
    )


def make_tracing(environ: Mapping[str, str]) -> Tracing | None:
    """Return a Tracing if OpenTelemetry's variables name a collector and the extra `otel` is installed, else None."""
    endpoint, protocol = (
        environ.get(f"OTEL_EXPORTER_OTLP_TRACES_{name}") or environ.get(f"OTEL_EXPORTER_OTLP_{name}")
        for name in ("ENDPOINT", "PROTOCOL")
    )
    if not endpoint or environ.get("OTEL_TRACES_EXPORTER", "otlp") != "otlp":
        return None
    if protocol and protocol != OTLP_PROTOCOL:
        log.warning("no traces are sent: set OTEL_EXPORTER_OTLP_PROTOCOL to %s, not %s", OTLP_PROTOCOL, protocol)
        return None
    try:
        from paliadin.operations.tracing import Tracing  # noqa: PLC0415  # an extra
    except ImportError:
        log.warning("no traces are sent: OpenTelemetry is missing, run `pip install '.[otel]'` in Paliadin's folder")
        return None
    return Tracing()
