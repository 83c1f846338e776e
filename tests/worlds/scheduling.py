"""Which tests go to one worker of pytest-xdist together, and in which order: those that share a running world do."""

from __future__ import annotations

import re
from collections.abc import Iterable

import pytest
from xdist.scheduler import LoadScopeScheduling
from xdist.workermanage import WorkerController

# A worker keeps its browser until its end, and with it Playwright an event loop: no asyncio test can run after that.
_FOLDERS = ("integration", "unit", "browser")
# These share a world among a module's tests, and begin first: what cannot be divided must not be left to the end.
_SHARING = (
    "wire",
    "live",
    "drawer",
    "firefox",
    "firefox_drawer",
    "firefox_files",
    "ssh_key",
    "input",
    "peers",
    "turn",
    "contract",
    "http",
    "monitor_figures",
    "attacks",
    "embed",
    "ssh",
    "far_terminal",
    "members",
    "conversations",
    "branching",
    "low_windows",
    "list",
    "list_use",
    "other_relay",
)
# Each of their tests has a world of its own, or takes any that runs.
_APART = (
    "hands",
    "recover",
    "crash",
    "faults",
    "hung_tmux",
    "storage",
    "tracing",
    "login",
    "embedded",
    "parking",
    "queue",
    # Of the browser's, those that take long: at the end, one worker would be at them alone.
    "looks",
    "many_tabs",
    "figures",
    "hostile",
    "thief",
)
_CLAUDE = re.compile(r"[\[-](npm|sdk)[\]-]")


def _module(path: str) -> str:
    return path.rpartition("/")[2].removeprefix("test_").removesuffix(".py")


def _is_for_first(scope: str) -> bool:
    return _is_browsers(scope) or "/unit/" in scope or "/test_wire." in scope


def _is_browsers(path: str) -> bool:
    return "/browser/" in path


class ByWorld(LoadScopeScheduling):
    """Hands out what shares a world as one: the tests of a module, with each Claude Code apart, or a single test.

    Of several workers, the first has the unit tests and then the browser's: they keep a processor busy, and most others
    wait. Before them it has those that make network interfaces, as a browser that runs meanwhile gives up its requests
    (`ERR_NETWORK_CHANGED`). Whoever has no other tests left helps with the browser's.
    """

    def _assign_work_unit(self, node: WorkerController) -> None:
        self.workqueue.move_to_end(self._next_for(node), last=False)
        super()._assign_work_unit(node)

    def _next_for(self, node: WorkerController) -> str:
        """The scope in the queue that this worker gets."""
        is_first = len(self.nodes) > 1 and node is self.nodes[0]
        wanted = (scope for scope in self.workqueue if _is_for_first(scope) is is_first)
        return next(wanted, next(iter(self.workqueue)))

    def _reschedule(self, node: WorkerController) -> None:
        """End a worker that has a browser when only other tests are left: see _FOLDERS."""
        has_browser = any(map(_is_browsers, self.assigned_work[node]))
        if has_browser and self.workqueue and not any(map(_is_browsers, self.workqueue)) and not node.shutting_down:
            node.shutdown()
        else:
            super()._reschedule(node)

    def _split_scope(self, nodeid: str) -> str:
        path, _, name = nodeid.partition("::")
        browser = _is_browsers(path)
        if _module(path) in _APART or (browser and _module(path) not in _SHARING):
            return nodeid
        claude = _CLAUDE.search(name)
        return f"{path} {claude[1]}" if claude and "/integration/" in path else path


def in_order(items: Iterable[pytest.Item]) -> list[pytest.Item]:
    """The tests in the order in which they are handed out."""

    def rank(item: pytest.Item) -> tuple[int, int]:
        folder = next(number for number, name in enumerate(_FOLDERS) if name in item.path.parts)
        order = (*_SHARING, *_APART)
        module = _module(item.path.name)
        return folder, order.index(module) if module in order else len(order)

    return sorted(items, key=rank)
