"""`make bench-messages`: what the daemon adds to a turn over the Messages API, on the scripted API. It asserts nothing.

The floor is the official SDK in a process of nothing else, which asks the same API for the same; both take turns.
`--workers 2` (`make bench-workers`): the daemon only serves the page, and so many other processes ask the API.
`--standby` as well: clients ask a second web process, which stands by and passes on to the first.
"""

from __future__ import annotations

import asyncio
import gc
import json
import multiprocessing
import re
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import anthropic
import click
import httpx2
from rich.console import Console
from rich.table import Table

from paliadin.demo.api_messages import Conversation, Message, Text
from paliadin.demo.scripted_api import ScriptedApi
from paliadin.postgres.cluster import remove_database
from tests.worlds.processes import Usage, daemon_of, usage
from tests.worlds.workers import Workers, hired, large_server
from tests.worlds.world import TOKEN, World

TURNS, TOKENS, PACE = 30, 60, 0.02  # one after the other; tokens of each, and seconds between two
ANEW = 5  # turns after which the conversation begins anew: near the limit of its tokens the API is asked to count
AT_ONCE, EACH, BETWEEN = (50, 100, 200), 150, 0.1  # conversations; chunks of each, and seconds between two
APART, SETTLE, WATCHED = 0.06, 2.0, 5.0  # seconds between two that begin, then until it is measured, and for how long
KEY = "key-of-the-bench"
EVENT = re.compile(rb"event: (\w+)\ndata: (.*)\n")


def script(conversation: Conversation) -> Message:
    """`tokens <number> <seconds between> <what each begins with>`."""
    number, pace, name = conversation.user_text.partition("tokens ")[2].split()[:3]
    return Message((Text(tuple(f"{name}{each:05} " for each in range(int(number))), float(pace)),))


@dataclass
class Turn:
    """When what happened in one turn, by the monotonic clock."""

    asked: float
    requested: float = 0.0
    sent: dict[str, float] = field(default_factory=dict)  # token → when the API sent it
    arrived: dict[str, float] = field(default_factory=dict)
    answered: float = 0.0

    @property
    def delays(self) -> list[float]:
        """Seconds from each token's way into the API's response to the client."""
        return [self.arrived[token] - at for token, at in self.sent.items()]


@contextmanager
def daemon(api: ScriptedApi, url: str, number: int, *, standby: bool) -> Iterator[tuple[World, Workers]]:
    """A daemon as clients have it, with so many workers if there are any."""
    root = Path(tempfile.mkdtemp(prefix="bench-"))
    world = World(root / "w", Path("/nonexistent"), api, url)
    world.options |= {"RELAY": "messages", "API_KEY": KEY, "API_URL": url, "TURNS_PER_HOUR": "100000"}
    world.options |= {"ALL_TURNS_PER_HOUR": "100000"}
    try:
        with ExitStack() as stack:
            if number:
                dsn = stack.enter_context(large_server(root / "server"))
                world.options |= {"ROLE": "web", "DATABASE_URL": dsn}
            world.start()
            world.agree()
            workers = stack.enter_context(hired(world))
            for _ in range(number):
                workers.hire()
            yield workers.stand_by() if standby else world, workers
    finally:
        world.close()
        remove_database(root / "w" / "home")
        shutil.rmtree(root, ignore_errors=True)


class Client:
    """Asks the daemon over HTTP and follows the stream."""

    def __init__(self, api: ScriptedApi | None, client: httpx2.AsyncClient) -> None:
        self._api, self._client = api, client

    async def conversation(self) -> str:
        made = await self._client.post("/api/paliadin/conversations", json={})
        return str(made.json()["id"])

    async def turn(self, session: str, tokens: int, pace: float, name: str = "w") -> Turn:
        turn, place = Turn(time.monotonic()), len(self._api.requests) if self._api else 0
        body = {"session_id": session, "user_message": f"tokens {tokens} {pace} {name}"}
        response = await self._client.post("/api/paliadin/turn", json=body)
        assert response.status_code == 202, response.text
        async for at, kind, data in self._events(response.json()["sse_url"]):
            if kind == "content_delta":
                for token in str(data["text"]).split():
                    turn.arrived[token] = at
            elif kind == "answered":
                turn.answered = at
            elif kind in {"end", "error"}:
                assert kind == "end", data
                break
        requests = self._api.requests[place:] if self._api else []
        turn.requested = requests[0][0] if requests else 0.0
        return turn

    async def _events(self, url: str) -> AsyncIterator[tuple[float, str, dict[str, object]]]:
        """Read a stream in a plain socket: 200 in a client of the usual kind take a third of a core from the rest."""
        address, token = self._client.base_url, self._client.headers["Authorization"]
        reader, writer = await asyncio.open_connection(address.host, address.port)
        try:
            head = f"GET {url} HTTP/1.1\r\nHost: {address.host}:{address.port}\r\nAuthorization: {token}\r\n\r\n"
            writer.write(head.encode())
            assert (await reader.readuntil(b"\r\n\r\n")).startswith(b"HTTP/1.1 200 ")
            while size := int(await reader.readline(), 16):
                chunk = await reader.readexactly(size + 2)  # whole events: that is how the daemon sends them
                at = time.monotonic()
                for name, data in EVENT.findall(chunk):
                    yield at, name.decode(), json.loads(data)
        finally:
            writer.close()


async def by_sdk(api: ScriptedApi, url: str) -> Turn:
    """The same by the SDK alone."""
    client = anthropic.AsyncAnthropic(api_key=KEY, base_url=url)
    turn, place = Turn(time.monotonic()), len(api.requests)
    question = {"role": "user", "content": f"[PALIADIN:x] tokens {TOKENS} {PACE} w"}
    stream = await client.messages.create(model="m", max_tokens=9, messages=[question], stream=True)  # type: ignore[list-item]
    async for event in stream:
        if event.type == "content_block_delta" and event.delta.type == "text_delta":
            turn.arrived[event.delta.text.strip()] = time.monotonic()
        elif event.type == "message_stop":
            turn.answered = time.monotonic()
    turn.requested = api.requests[place][0]
    await client.close()
    return turn


def tokens_sent(api: ScriptedApi) -> dict[str, float]:
    """When the API sent each token since this was cleared; turns at the same time have tokens of their own."""
    found = {}
    for at, event in api.sent:
        text = json.loads(event.split(b"data: ")[1])["delta"]["text"]
        found[text.strip()] = at
    return found


async def one_after_another(world: World, api: ScriptedApi, url: str) -> None:
    rows: dict[str, dict[str, list[float]]] = {"paliadin": {}, "the SDK alone": {}}
    async with http(world.settings.port) as http_client:
        client = Client(api, http_client)
        for number in range(TURNS + 1):
            for whose, figures in rows.items():
                if number % ANEW == 0:
                    await http_client.post("/api/paliadin/reset", json={"session_id": "main"})
                api.sent.clear()
                turn = await (client.turn("main", TOKENS, PACE) if whose == "paliadin" else by_sdk(api, url))
                turn.sent = tokens_sent(api)
                await asyncio.sleep(0.2)
                if number:  # the first warms up
                    figures.setdefault("question → request", []).append(turn.requested - turn.asked)
                    figures.setdefault("token → client", []).extend(turn.delays)
                    figures.setdefault("last token → answered", []).append(turn.answered - max(turn.sent.values()))
    show(f"{TURNS} turns, one after the other; milliseconds", rows)


def http(port: int | None) -> httpx2.AsyncClient:
    limits = httpx2.Limits(max_connections=1000, max_keepalive_connections=1000)
    base = f"http://127.0.0.1:{port}"
    headers = {"Authorization": f"Bearer {TOKEN}"}
    return httpx2.AsyncClient(base_url=base, headers=headers, trust_env=False, timeout=60, limits=limits)


def at_once(world: World, workers: Workers, api: ScriptedApi, number: int) -> None:
    """CPU and delays while so many answer at once, once all of them do, and memory beside that before.

    The clients have a process of their own: in this one they would hold up the API that they measure. Neither looks for
    garbage meanwhile: that stops all clients for 0.13 s, and would be found as the daemon's.
    """
    with no_collecting(), ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as elsewhere:
        at_rest = usages(workers)
        api.sent.clear()
        asking = elsewhere.submit(ask_all, world.settings.port, number)
        while not api.sent:
            time.sleep(0.01)
        time.sleep(number * APART + SETTLE)
        before, began = usages(workers), time.monotonic()
        time.sleep(WATCHED)
        during, ended = usages(workers), time.monotonic()
        arrived = asking.result()
    sent = tokens_sent(api)
    late = sorted(arrived[token] - at for token, at in sent.items() if token in arrived and began <= at <= ended)
    used = [
        f"{name}: {then.memory - at_rest[name].memory:.1f} MB more, {(then.cpu - at.cpu) / WATCHED:.2f} of a core"
        for (name, at), then in zip(before.items(), during.values(), strict=True)
    ]
    sys.stdout.write(
        f"{number} turns at once, {1 / BETWEEN:.0f} chunks a second each: token → client"
        f" {late[len(late) // 2] * 1000:.1f} ms (median), {late[len(late) * 9 // 10] * 1000:.0f} ms (p90),"
        f" {late[len(late) * 99 // 100] * 1000:.0f} ms (p99) of {len(late)}; chunks that did not come:"
        f" {len(sent.keys() - arrived.keys())}; {'; '.join(used)}\n"
    )
    sys.stdout.flush()


@contextmanager
def no_collecting() -> Iterator[None]:
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def ask_all(port: int | None, number: int) -> dict[str, float]:
    """Ask in so many conversations, one soon after the other; returns when each token came."""

    async def ask() -> dict[str, float]:
        async with http(port) as http_client:
            client = Client(None, http_client)
            sessions = [await client.conversation() for _ in range(number)]

            async def later(place: int, session: str) -> Turn:
                await asyncio.sleep(place * APART)
                return await client.turn(session, EACH + int(number * APART / BETWEEN), BETWEEN, f"t{place}x")

            turns = await asyncio.gather(*(later(place, session) for place, session in enumerate(sessions)))
            return {token: at for turn in turns for token, at in turn.arrived.items()}

    with no_collecting():
        return asyncio.run(ask())


def usages(workers: Workers) -> dict[str, Usage]:
    """What each process has used: the daemon and the workers."""
    pids = {"daemon": daemon_of(workers.world)}
    pids |= {f"web {each.pid}, standing by": each.pid for each in workers.webs}
    pids |= {f"worker {each.pid}": each.pid for each in workers.running}
    return {name: usage(pid) for name, pid in pids.items()}


async def stop(world: World, api: ScriptedApi) -> list[float]:
    """Seconds from Stop until the API sends nothing more."""
    took = []
    async with http(world.settings.port) as client:
        for _ in range(10):
            api.sent.clear()
            body = {"session_id": "main", "user_message": "tokens 2000 0.005 w"}
            turn_id = (await client.post("/api/paliadin/turn", json=body)).json()["turn_id"]
            while len(api.sent) < 20:
                await asyncio.sleep(0.01)
            pressed = time.monotonic()
            await client.post(f"/api/paliadin/stream/{turn_id}/abort", json={})
            await asyncio.sleep(0.5)
            took.append(max(api.sent[-1][0] - pressed, 0))
    return took


def show(title: str, rows: dict[str, dict[str, list[float]]]) -> None:
    table = Table(title=title)
    for column in ("what", "", "n", "median", "p90", "p99"):
        table.add_column(column, justify="left" if column in ("what", "") else "right")
    for what in next(iter(rows.values())):
        for whose, values in rows.items():
            found = sorted(values[what])
            figures = (statistics.median(found), found[len(found) * 9 // 10], found[len(found) * 99 // 100])
            table.add_row(what, whose, str(len(found)), *(f"{each * 1000:.2f}" for each in figures))
    Console(width=110).print(table)


@click.command()
@click.option("--workers", "hands", default=0, help="So many other processes ask the API.")
@click.option("--standby", is_flag=True, help="Clients ask a second web process, which passes on to the first.")
@click.argument("numbers", nargs=-1, type=int)
def main(hands: int, standby: bool, numbers: Sequence[int]) -> None:
    """Measure; `numbers`: how many turns at once."""
    api = ScriptedApi(script)
    with api.running() as url, daemon(api, url, hands, standby=standby) as (world, workers):
        asyncio.run(one_after_another(world, api, url))
        took = asyncio.run(stop(world, api))
        sys.stdout.write(
            f"Stop → the API sends nothing more: {statistics.median(took) * 1000:.0f} ms (median of {len(took)}),"
            f" {max(took) * 1000:.0f} ms at most\n"
        )
        sys.stdout.flush()
        for number in numbers or AT_ONCE:
            at_once(world, workers, api, number)


if __name__ == "__main__":
    main()
