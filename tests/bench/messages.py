"""`make bench-messages`: what the daemon adds to a turn over the Messages API, on the scripted API. It asserts nothing.

The floor is the official SDK in a process of nothing else, which asks the same API for the same; both take turns.
`--workers 2` (`make bench-workers`): the daemon only serves the page, and so many other processes ask the API.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator, Sequence
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
AT_ONCE, EACH, BETWEEN = (50, 100, 200), 60, 0.1  # conversations; chunks of each, and seconds between two
KEY = "key-of-the-bench"


def words(number: int) -> tuple[str, ...]:
    return tuple(f"w{each:05} " for each in range(number))


def script(conversation: Conversation) -> Message:
    """`tokens <number> <seconds between>`."""
    number, pace = conversation.user_text.partition("tokens ")[2].split()[:2]
    return Message((Text(words(int(number)), float(pace)),))


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
def daemon(api: ScriptedApi, url: str, number: int) -> Iterator[tuple[World, Workers]]:
    """A daemon, with so many workers if there are any."""
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
            yield world, workers
    finally:
        world.close()
        remove_database(root / "w" / "home")
        shutil.rmtree(root, ignore_errors=True)


class Client:
    """Asks the daemon over HTTP and follows the stream."""

    def __init__(self, world: World, api: ScriptedApi, client: httpx2.AsyncClient) -> None:
        self._api, self._client = api, client

    async def conversation(self) -> str:
        made = await self._client.post("/api/paliadin/conversations", json={})
        return str(made.json()["id"])

    async def turn(self, session: str, tokens: int, pace: float) -> Turn:
        turn, place = Turn(time.monotonic()), len(self._api.requests)
        body = {"session_id": session, "user_message": f"tokens {tokens} {pace}"}
        response = await self._client.post("/api/paliadin/turn", json=body)
        assert response.status_code == 202, response.text
        async for at, name, data in self._events(response.json()["sse_url"]):
            if name == "content_delta":
                for token in str(data["text"]).split():
                    turn.arrived[token] = at
            elif name == "answered":
                turn.answered = at
            elif name in {"end", "error"}:
                assert name == "end", data
                break
        requests = self._api.requests[place:]
        turn.requested = requests[0][0] if requests else 0.0
        return turn

    async def _events(self, url: str) -> AsyncIterator[tuple[float, str, dict[str, object]]]:
        async with self._client.stream("GET", url) as stream:
            assert stream.status_code == 200, await stream.aread()
            name = ""
            async for line in stream.aiter_lines():
                if line.startswith("event: "):
                    name = line[7:]
                elif line.startswith("data: ") and name:
                    yield time.monotonic(), name, json.loads(line[6:])


async def by_sdk(api: ScriptedApi, url: str) -> Turn:
    """The same by the SDK alone."""
    client = anthropic.AsyncAnthropic(api_key=KEY, base_url=url)
    turn, place = Turn(time.monotonic()), len(api.requests)
    question = {"role": "user", "content": f"[PALIADIN:x] tokens {TOKENS} {PACE}"}
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
    """When the API sent each token of the only turn since it was cleared."""
    found = {}
    for at, event in api.sent:
        text = json.loads(event.split(b"data: ")[1])["delta"]["text"]
        found[text.strip()] = at
    return found


async def one_after_another(world: World, api: ScriptedApi, url: str) -> None:
    rows: dict[str, dict[str, list[float]]] = {"paliadin": {}, "the SDK alone": {}}
    async with http(world) as http_client:
        client = Client(world, api, http_client)
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


def http(world: World) -> httpx2.AsyncClient:
    limits = httpx2.Limits(max_connections=1000, max_keepalive_connections=1000)
    base = f"http://127.0.0.1:{world.settings.port}"
    headers = {"Authorization": f"Bearer {TOKEN}"}
    return httpx2.AsyncClient(base_url=base, headers=headers, trust_env=False, timeout=60, limits=limits)


async def at_once(world: World, workers: Workers, api: ScriptedApi, number: int) -> None:
    """Memory and delays while so many answer at once; the delay is that of the token with the same number."""
    async with http(world) as http_client:
        client = Client(world, api, http_client)
        sessions = [await client.conversation() for _ in range(number)]
        await asyncio.sleep(1)
        before = usages(world, workers)
        api.sent.clear()
        turns = [asyncio.create_task(client.turn(session, EACH, BETWEEN)) for session in sessions]
        await asyncio.sleep(EACH * BETWEEN / 2)
        during = usages(world, workers)
        done = await asyncio.gather(*turns)
    lost = sum(set(turn.arrived) != {word.strip() for word in words(EACH)} for turn in done)
    gaps = [later - at for turn in done for at, later in itertools.pairwise(sorted(turn.arrived.values()))]
    late = sorted(max(gap - BETWEEN, 0) for gap in gaps)
    used = [
        f"{name} {then.memory - at.memory:.1f} MB more ({(then.memory - at.memory) / number * 1000:.0f} KB a turn),"
        f" CPU {then.cpu - at.cpu:.1f} s of {EACH * BETWEEN / 2:.1f} s"
        for (name, at), then in zip(before.items(), during.values(), strict=True)
    ]
    sys.stdout.write(
        f"{number} turns at once, {1 / BETWEEN:.0f} chunks a second each: {'; '.join(used)}; a chunk is later than the"
        f" one before by {late[len(late) // 2] * 1000:.1f} ms (median), {late[len(late) * 99 // 100] * 1000:.0f} ms"
        f" (p99); turns with lost text: {lost}\n"
    )
    sys.stdout.flush()


def usages(world: World, workers: Workers) -> dict[str, Usage]:
    """What each process has used: the daemon and the workers."""
    pids = {"daemon": daemon_of(world)} | {f"worker {each.pid}": each.pid for each in workers.running}
    return {name: usage(pid) for name, pid in pids.items()}


async def stop(world: World, api: ScriptedApi) -> list[float]:
    """Seconds from Stop until the API sends nothing more."""
    took = []
    async with http(world) as client:
        for _ in range(10):
            api.sent.clear()
            body = {"session_id": "main", "user_message": "tokens 2000 0.005"}
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
@click.argument("numbers", nargs=-1, type=int)
def main(hands: int, numbers: Sequence[int]) -> None:
    """Measure; `numbers`: how many turns at once."""
    api = ScriptedApi(script)
    with api.running() as url, daemon(api, url, hands) as (world, workers):
        asyncio.run(one_after_another(world, api, url))
        took = asyncio.run(stop(world, api))
        sys.stdout.write(
            f"Stop → the API sends nothing more: {statistics.median(took) * 1000:.0f} ms (median of {len(took)}),"
            f" {max(took) * 1000:.0f} ms at most\n"
        )
        sys.stdout.flush()
        for number in numbers or AT_ONCE:
            asyncio.run(at_once(world, workers, api, number))


if __name__ == "__main__":
    main()
