"""The part `processes` of `make load`: many turns at once over two web processes and two workers; each is killed once.

Whoever is asked when a process dies asks the other one. A turn whose worker was killed ends with an error, and is asked
again. PROCESS_TURNS: how many turns at once (200).
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import multiprocessing
import os
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import httpx2
import psycopg

from paliadin.demo.api_messages import Conversation, Message, Text
from paliadin.demo.scripted_api import ScriptedApi
from paliadin.postgres.cluster import remove_database
from tests.worlds.workers import Workers, hired, large_server
from tests.worlds.world import TOKEN, World, eventually

TURNS = int(os.environ.get("PROCESS_TURNS", "200"))
CHUNKS, BETWEEN = 600, 0.1  # of each answer, and seconds between two
APART = 0.06  # seconds between two questions
BETWEEN_KILLS = 8.0  # seconds
PATIENCE = 120.0  # seconds for which nobody answers
AWAY = (httpx2.TransportError, httpx2.StreamError)


def script(conversation: Conversation) -> Message:
    """Numbered words, each of which names its turn."""
    name = conversation.user_text.rpartition("words ")[2].split()[0]
    return Message((Text(tuple(f"{name}-{each:04} " for each in range(CHUNKS)), BETWEEN),))


@dataclass
class Seen:
    """What a client has seen of one turn."""

    turn_id: str
    numbers: list[int] = field(default_factory=list)
    words: list[str] = field(default_factory=list)
    end: str = ""  # "end", or an error's code
    broken_off: int = 0  # times that the stream broke off

    def faults(self, name: str) -> list[str]:
        """What is missing, or there twice."""
        expected = [f"{name}-{each:04}" for each in range(CHUNKS)]
        found = []
        if self.numbers != list(range(1, len(self.numbers) + 1)):
            found.append(f"{self.turn_id}: numbers of events {self.numbers[:3]}…{self.numbers[-3:]} have a gap")
        if self.words != expected[: len(self.words)]:
            found.append(f"{self.turn_id}: words are lost or doubled")
        if self.end == "end" and len(self.words) != CHUNKS:
            found.append(f"{self.turn_id}: {len(self.words)} of {CHUNKS} words")
        if self.end not in ("end", "stream_broken"):
            found.append(f"{self.turn_id}: ended with {self.end or 'nothing'}")
        return found


class Client:
    """Asks one of the web processes, and another one when that is away."""

    def __init__(self, ports: Sequence[int], place: int) -> None:
        headers = {"Authorization": f"Bearer {TOKEN}"}
        self._clients = [
            httpx2.AsyncClient(base_url=f"http://127.0.0.1:{port}", headers=headers, trust_env=False, timeout=30)
            for port in ports
        ]
        self._place = place

    @property
    def _client(self) -> httpx2.AsyncClient:
        return self._clients[self._place % len(self._clients)]

    async def ask_until_answered(self, name: str) -> list[Seen]:
        """Ask, and again after each turn that was broken; returns all turns."""
        session = (await self._post("conversations", {}))["id"]
        turns: list[Seen] = []
        while not turns or turns[-1].end == "stream_broken":
            turns.append(Seen(await self._ask(session, f"words {name} ")))
            await self._follow(turns[-1])
        for client in self._clients:
            await client.aclose()
        return turns

    async def _ask(self, session: str, text: str) -> str:
        asked = await self._post("turn", {"session_id": session, "user_message": text})
        return str(asked["turn_id"] if "turn_id" in asked else asked["error"]["turn_id"])  # in flight: it was asked

    async def _post(self, path: str, body: object) -> dict[str, dict[str, str]]:
        async for _ in self._attempts():
            with contextlib.suppress(*AWAY):
                response = await self._client.post(f"/api/paliadin/{path}", json=body)
                assert response.status_code < 500 or response.status_code == 503, response.text
                if response.status_code != 503:
                    answer: dict[str, dict[str, str]] = response.json()
                    return answer
            self._place += 1
        raise AssertionError(f"nobody answers to {path}")

    async def _follow(self, seen: Seen) -> None:
        async for _ in self._attempts():
            with contextlib.suppress(*AWAY):
                await self._read(seen)
            if seen.end:
                return
            self._place += 1
            seen.broken_off += 1
        raise AssertionError(f"nobody has the stream of {seen.turn_id}")

    async def _read(self, seen: Seen) -> None:
        url = f"/api/paliadin/stream/{seen.turn_id}?after={seen.numbers[-1] if seen.numbers else 0}"
        name = number = ""
        async with self._client.stream("GET", url) as stream:
            async for line in stream.aiter_lines():
                key, _, value = line.partition(": ")
                if key == "event":
                    name = value
                elif key == "id":
                    number = value
                elif key == "data" and name != "ping" and number:
                    self._take(seen, int(number), name, json.loads(value))
                    number = ""

    @staticmethod
    def _take(seen: Seen, number: int, name: str, data: dict[str, str]) -> None:
        seen.numbers.append(number)
        if name == "content_delta":
            seen.words += data["text"].split()
        elif name in ("end", "error"):
            seen.end = data.get("code", "end") if name == "error" else "end"

    @staticmethod
    async def _attempts() -> AsyncIterator[None]:
        latest = time.monotonic() + PATIENCE
        while time.monotonic() < latest:
            yield
            await asyncio.sleep(0.1)


def ask_all(ports: Sequence[int], number: int) -> list[tuple[str, list[Seen]]]:
    """Ask in so many conversations, one soon after the other."""

    async def ask(place: int) -> tuple[str, list[Seen]]:
        await asyncio.sleep(place * APART)
        return f"t{place}", await Client(ports, place).ask_until_answered(f"t{place}")

    async def all_of_them() -> list[tuple[str, list[Seen]]]:
        return await asyncio.gather(*(ask(place) for place in range(number)))

    return asyncio.run(all_of_them())


def processes() -> None:
    """Play it; ends with an error when an event was lost or doubled, or a turn has no row."""
    api, root = ScriptedApi(script), Path(tempfile.mkdtemp(prefix="load-"))
    with api.running() as url, large_server(root / "server") as dsn:
        world = World(root / "w", Path("/nonexistent"), api, url)
        world.options |= {"RELAY": "messages", "API_KEY": "key-of-the-load", "API_URL": url, "ROLE": "web"}
        world.options |= {"DATABASE_URL": dsn, "TURNS_PER_HOUR": "100000", "ALL_TURNS_PER_HOUR": "100000"}
        try:
            world.start()
            world.agree()
            with hired(world) as workers:
                _play(world, workers, dsn)
        finally:
            world.close()
            remove_database(root / "w" / "home")
            shutil.rmtree(root, ignore_errors=True)


def _play(world: World, workers: Workers, dsn: str) -> None:
    for _ in range(2):
        workers.hire()
    second = workers.stand_by()
    ports = [int(each.options["PORT"]) for each in (world, second)]
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as elsewhere:
        asking = elsewhere.submit(ask_all, ports, TURNS)
        time.sleep(TURNS * APART + BETWEEN_KILLS)
        for what in ("the web process that stands by", "a worker", "the web process that leads", "the other worker"):
            _kill(world, workers, second, what)
            time.sleep(BETWEEN_KILLS)
        seen = asking.result(600)
    faults = [fault for name, turns in seen for turn in turns for fault in turn.faults(name)]
    turns = [turn for _, each in seen for turn in each]
    ended = {end: sum(turn.end == end for turn in turns) for end in sorted({turn.end for turn in turns})}
    with psycopg.connect(dsn) as connection:

        def rows() -> int:
            query = "select count(*) from paliadin.turns where finished_at is not null"
            return int(connection.execute(query).fetchall()[0][0])

        eventually(lambda: rows() == len(turns), 30, "every turn has its row")
    sys.stdout.write(
        f"processes: {TURNS} questions at once, {len(turns)} turns ({ended}), {sum(len(t.numbers) for t in turns):,}"
        f" events; {sum(t.broken_off for t in turns)} streams went on after they had broken off;"
        f" lost or doubled: {len(faults)}\n"
    )
    if faults:
        sys.exit("\n".join(faults[:10]))


def _kill(world: World, workers: Workers, second: World, what: str) -> None:
    """Kill one of them, and start another one in its place."""
    began = time.monotonic()
    if "worker" in what:
        workers.end(workers.running[0], signal.SIGKILL)
        workers.hire()
    elif "stands by" in what:
        workers.end(workers.webs[0], signal.SIGKILL)
        workers.stand_by(second.options["PORT"])
    else:
        world.stop(signal.SIGKILL)
        with second.client() as client:
            client.get("/livez")
    sys.stdout.write(f"{what} was killed; after {time.monotonic() - began:.1f} s there is another one\n")
    sys.stdout.flush()
