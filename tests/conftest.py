"""Nothing of the machine's owner reaches a test: no PALIADIN_ setting, no key, no login."""

from __future__ import annotations

import gc
import os
import shutil
from collections import Counter
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import hypothesis
import pytest

from paliadin.demo.scripted_api import ScriptedApi
from tests.worlds.postgres import *  # noqa: F403  # fixtures are found by name
from tests.worlds.scheduling import ByWorld, in_order
from tests.worlds.script import play
from tests.worlds.world import binaries

for _name in [name for name in os.environ if name.startswith(("PALIADIN_", "ANTHROPIC_", "CLAUDE"))]:
    if not _name.startswith("PALIADIN_TEST_"):
        del os.environ[_name]

gc.disable()  # until all is collected: of 8,000 tests nothing is garbage, and to look for it took a third of the time


# These machines are shared and slow at times: how long an example takes is no test.
hypothesis.settings.register_profile("paliadin", deadline=None)
hypothesis.settings.load_profile("paliadin")
# For `make mutants`: few examples, always the same, and none of them made shorter once it fails.
hypothesis.settings.register_profile(
    "mutants",
    deadline=None,
    max_examples=20,
    derandomize=True,
    database=None,
    phases=[hypothesis.Phase.explicit, hypothesis.Phase.generate],
)


@pytest.hookimpl(wrapper=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> Generator[None]:
    """Mark before pytest chooses by the marks, and order after it has put together what shares a parameter."""
    items[:] = [item for item in items if not _is_spared(item)]
    _mark_matrices(items)
    yield
    items[:] = in_order(items)


def _mark_matrices(items: list[pytest.Item]) -> None:
    lines: Counter[tuple[str, bool]] = Counter()  # of each matrix that run with all tests
    for item in items:
        if _is_with_older(item) and item.get_closest_marker("both_versions") is None:
            item.add_marker("matrix")
        first = item.get_closest_marker("first")
        if first is None or item.get_closest_marker("matrix") is not None:
            continue
        matrix = item.nodeid.partition("[")[0], _is_with_older(item)
        lines[matrix] += 1
        if lines[matrix] > first.args[0]:
            item.add_marker("matrix")


def pytest_collection_finish() -> None:
    gc.freeze()  # nor need it be looked through while the tests run
    gc.enable()


def _is_spared(item: pytest.Item) -> bool:
    """Whether the same test with the other Claude Code tells as much."""
    return _is_with_older(item) and item.get_closest_marker("any_version") is not None


def _is_with_older(item: pytest.Item) -> bool:
    parameters = item.callspec.params if isinstance(item, pytest.Function) and hasattr(item, "callspec") else {}
    return parameters.get("claude") == "npm"


def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> ByWorld:
    return ByWorld(config, log)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Function, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A test that fails shows what its fixtures know: terminals, the end of the daemon's log, the page's requests."""
    report = yield
    if report.failed:
        for name, value in item.funcargs.items():
            if evidence := getattr(value, "evidence", None):
                report.sections += evidence(name)
    return report


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """What was skipped, in one line for each reason."""
    reasons = Counter(str(report.longrepr[2]) for report in terminalreporter.stats.get("skipped", []))
    for reason, count in reasons.items():
        terminalreporter.write_line(f"{count} × {reason}")


@pytest.fixture(scope="session", params=["npm", "sdk"])
def claude(request: pytest.FixtureRequest) -> Path:
    """Each Claude Code binary under test."""
    binary = binaries().get(request.param)
    if binary is None or not binary.is_file():
        missing(f"Claude Code from {request.param} is not installed; `make test` installs it")
    return Path(str(binary))


@pytest.fixture(scope="session")
def one_claude() -> Path:
    """The binary that ships with claude-agent-sdk: for what does not depend on Claude's version."""
    binary = binaries().get("sdk")
    if binary is None or not binary.is_file():
        missing("the package claude-agent-sdk is not installed; `make test` installs it")
    return Path(str(binary))


@pytest.fixture(scope="session")
def api() -> Iterator[tuple[ScriptedApi, str]]:
    scripted = ScriptedApi(play)
    with scripted.running() as url:
        yield scripted, url


def need(tool: str) -> str:
    """The tool's path. Missing, it skips the test here and fails it in CI."""
    path = shutil.which(tool)
    if path is None:
        missing(f"{tool} is not installed; `make test` installs it")
    return str(path)


def missing(reason: str) -> None:
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)
