from __future__ import annotations

import itertools
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from examples.host.app import Host
from paliadin.demo import office
from paliadin.demo.scripted_api import ScriptedApi
from paliadin.parts.practice import tables
from paliadin.postgres.cluster import remove_database
from paliadin.relays.terminal.screen import State, read_screen
from tests.conftest import need
from tests.worlds.far import Far
from tests.worlds.office import MADE, application
from tests.worlds.postgres import clone, make_database
from tests.worlds.world import UNOPTIMIZED, World, eventually

_numbers = itertools.count()


def make_world(
    tmp: Path, claude: Path, api: tuple[ScriptedApi, str], *, animated: bool = False, played: bool = False
) -> Iterator[World]:
    """A world, not started. Without its animations Claude Code needs half the CPU; some worlds have it as it is.

    Its engine compiles less, too (`UNOPTIMIZED`).

    `played`: its turns are played without Claude Code (tests/worlds/played.py).
    """
    need("tmux")
    root = tmp / f"w{next(_numbers)}"
    world = World(root, claude, *api, preloaded=True, played=played)
    world.environment |= UNOPTIMIZED
    if not animated:
        folder = root / "claude/.claude"
        folder.mkdir()
        (folder / "settings.json").write_text('{"prefersReducedMotion": true}')
    try:
        yield world
    finally:
        world.close()
        remove_database(root / "home")
        shutil.rmtree(root, ignore_errors=True)


@pytest.fixture(scope="module")
def module_world(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, claude: Path, api: tuple[ScriptedApi, str]
) -> Iterator[World]:
    """A running daemon for the tests of a module, once with each Claude Code."""
    animated = getattr(request.module, "ANIMATED", False)
    for world in make_world(tmp_path_factory.mktemp("shared"), claude, api, animated=animated):
        world.start()
        yield world


@pytest.fixture
def shared(module_world: World) -> World:
    """That daemon, at rest: a test that failed in mid-turn does not take the others along."""
    running = module_world.get("history?session_id=main&limit=1")["running_turn"]
    if running:
        module_world.post(f"stream/{running}/abort")
        list(module_world.follow(running))
    return module_world


class Household:
    """A world whose daemon and Claude live on from test to test."""

    def __init__(self, new: Callable[[], Iterator[World]]) -> None:
        self._new = new
        self._worlds: Iterator[World] | None = None

    def lend(self) -> World:
        """The world: its daemon runs, its Claude waits for a question, its working folder is empty."""
        if self._worlds is None:
            worlds = self._new()
            world = next(worlds)
            world.start()  # a world that does not start is nobody's: it ends with its generator
            self._worlds, self._world = worlds, world
        return self._world

    def take_back(self) -> None:
        """Bring it to rest for the next test; one that does not come to rest fails the test that had it last."""
        world = self._world
        try:
            if world.process is None or world.process.poll() is not None:
                world.restart()
            if running := world.get("history?session_id=main&limit=1")["running_turn"]:
                world.post(f"stream/{running}/abort")
                list(world.follow(running))
            if not world.played:
                eventually(lambda: read_screen(world.screen()).state is State.READY, 20, "Claude waits for a question")
        except Exception as error:  # whatever it was: it is raised again, with what the terminal shows
            for name, text in world.evidence("household"):
                error.add_note(f"{name}:\n{text}")
            self.close()
            raise
        for file in world.workdir.iterdir():
            file.unlink()

    def close(self) -> None:
        """End the world, if there is one; the next `lend` makes another."""
        if self._worlds is not None:
            for _ in self._worlds:  # to its end
                pass
        self._worlds = None


@pytest.fixture(scope="session")
def household(
    tmp_path_factory: pytest.TempPathFactory, one_claude: Path, api: tuple[ScriptedApi, str]
) -> Iterator[Household]:
    """One for each worker."""
    household = Household(lambda: make_world(tmp_path_factory.mktemp("household"), one_claude, api))
    yield household
    household.close()


@pytest.fixture
def lent_world(household: Household) -> Iterator[World]:
    """The household's world, for a test that leaves it as it was: what still runs or is dead is put right after it."""
    yield household.lend()
    household.take_back()


@pytest.fixture(scope="session")
def played_household(
    tmp_path_factory: pytest.TempPathFactory, one_claude: Path, api: tuple[ScriptedApi, str]
) -> Iterator[Household]:
    """One whose turns are played without Claude Code."""
    household = Household(lambda: make_world(tmp_path_factory.mktemp("household"), one_claude, api, played=True))
    yield household
    household.close()


@pytest.fixture
def played_world(played_household: Household) -> Iterator[World]:
    """As `lent_world`, for what stands before Claude Code: HTTP, the record."""
    yield played_household.lend()
    played_household.take_back()


@pytest.fixture
def fresh_world(tmp_path: Path, one_claude: Path, api: tuple[ScriptedApi, str]) -> Iterator[World]:
    """A world of the test's own; the daemon is not started yet."""
    yield from make_world(tmp_path, one_claude, api)


@pytest.fixture
def world(fresh_world: World) -> World:
    """The same under its usual name; a module may share one world under that name instead."""
    return fresh_world


@pytest.fixture(scope="module")
def far(tmp_path_factory: pytest.TempPathFactory, one_claude: Path, api: tuple[ScriptedApi, str]) -> Iterator[Far]:
    """A host that is reached over ssh: its sshd runs."""
    far = Far(tmp_path_factory.mktemp("far"), one_claude, api[1], variables=UNOPTIMIZED)
    far.start()
    yield far
    far.close()


@pytest.fixture(scope="session")
def practice_template(database_server: str, database_template: str) -> str:
    """The name of a database with a practice's tables and reference data."""
    tables.prepare(make_database(database_server, "practice_template", database_template))
    return "practice_template"


@pytest.fixture
def practice_database(database_server: str, practice_template: str) -> Iterator[str]:
    """The conninfo of such a database of the test's own."""
    yield from clone(database_server, practice_template)


@pytest.fixture(scope="session")
def office_template(database_server: str, practice_template: str) -> str:
    """The same with the made-up practice MADE in it."""
    office.insert(MADE, make_database(database_server, "office_template", practice_template))
    return "office_template"


@pytest.fixture
def office_database(database_server: str, office_template: str) -> Iterator[str]:
    """The conninfo of such a database of the test's own."""
    yield from clone(database_server, office_template)


@pytest.fixture
def host(office_database: str) -> Iterator[Host]:
    """The example application on the made-up practice's database."""
    with application(office_database) as host:
        yield host


@pytest.fixture(scope="session")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with ca.pem, a private authority, and server.pem with its key, for localhost."""
    need("openssl")
    folder = tmp_path_factory.mktemp("certificates")

    def openssl(*arguments: str) -> None:
        subprocess.run(["openssl", *arguments], cwd=folder, check=True, capture_output=True)

    key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    openssl("req", "-x509", *key, "-keyout", "ca.key", "-out", "ca.pem", "-days", "2", "-subj", "/CN=Private")
    openssl("req", *key, "-keyout", "server.key", "-out", "server.csr", "-subj", "/CN=localhost")
    (folder / "names").write_text("subjectAltName=DNS:localhost\n")
    signing = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-days", "2", "-extfile", "names"]
    openssl("x509", "-req", "-in", "server.csr", "-out", "server.pem", *signing)
    return folder
