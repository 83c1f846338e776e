"""The package's rooms are those that docs/architecture.md draws, and imports between them point downwards only."""

from __future__ import annotations

import ast
import functools
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "paliadin"
FILES = sorted(PACKAGE.rglob("*.py"))
ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text("utf-8").partition("\n## The rooms\n")[2]
LOOSE = {"__init__.py", "__main__.py", "daemon.py"}
PARTS = {f"parts.{path.parent.name}" for path in PACKAGE.glob("parts/*/__init__.py")}

# Where a package from elsewhere may be imported: a room, or one module.
DOORS = {
    "psycopg": {"record", "postgres", "parts.practice", "parts.messages"},
    "psycopg_pool": {"record", "parts.messages.workers.jobs"},
    "procrastinate": {"parts.messages.workers.jobs"},
    "aiohttp": {"parts.messages.connections"},
    "anthropic": {"parts.messages.api", "parts.messages.connections", "parts.messages.failures"},
    "cryptography": {"parts.messages.own_keys"},
    "mcp": {"toolboxes.mcp_server"},
    "mcp_types": {"toolboxes.mcp_server"},
    "pydantic": {"parts.practice"},
    "holidays": {"parts.practice.days_off"},
    "watchfiles": {"turnlog.follow"},
    "libtmux": {"relays.terminal.tmux_commands"},
    "uvicorn": {"web.server", "demo"},
    "h11": {"web.server"},
    "starlette": {"web", "demo", "parts.messages.routes", "parts.practice.routes", "toolboxes.mcp_server"},
    "python_multipart": {"web.attachment_routes"},
    "sse_starlette": {"web"},
    "jinja2": {"web"},
    "markupsafe": {"web.dashboard.cards"},
    "opentelemetry": {"parts.tracing"},
    "prometheus_client": {"operations.metrics"},
    "structlog": {"base.logs"},
    "pyarrow": {"reports.export"},
    "httpx2": {
        *("cli", "web.peer_daemons"),
        *(f"parts.messages.{module}" for module in ("api", "connections", "failures", "limited_body")),
    },
    "click": {"cli", "demo.commands", "parts.practice.commands"},
    "rich": {"cli"},
    "markdown_it": {"cli.markdown"},
    "dotenv": {"base.settings"},
    "platformdirs": {"base.settings"},
}


def module(path: Path) -> str:
    """The dotted name within the package; a folder's `__init__` is the folder."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


def room(name: str) -> str:
    """The room that a module is in, or (another package's) the package: each part is a room of its own."""
    part = ".".join(name.split(".")[:2])
    return part if part in PARTS else name.partition(".")[0]


def floors() -> list[list[str]]:
    """The rooms of each floor as the page draws them, from the ground up."""
    drawing = re.search(r"```\n(.*?)```", ARCHITECTURE, re.DOTALL)
    assert drawing, "docs/architecture.md draws no rooms"
    return [line.split() for line in reversed(drawing[1].strip().splitlines())]


def table() -> dict[str, set[str]]:
    """Room → the rooms that it imports, as the page's table says."""
    rows = re.findall(r"^\| `([\w.]+)` \|.*\|([^|]*)\|$", ARCHITECTURE, re.MULTILINE)
    return {name: set(re.findall(r"[\w.]+", imported)) for name, imported in rows}


@functools.cache
def imports(path: Path) -> tuple[str, ...]:
    """Everything that is imported anywhere in the file, as absolute dotted names."""
    return tuple(_imports(path))


def _imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def own_imports(path: Path) -> Iterator[str]:
    for name in imports(path):
        inner = name.removeprefix("paliadin.")
        if inner != name and not inner.startswith("__"):  # __version__ is everybody's
            yield inner


def test_three_files_lie_loose_and_all_else_has_a_room() -> None:
    assert {path.name for path in PACKAGE.glob("*.py")} == LOOSE


def test_every_room_is_drawn_once_and_described() -> None:
    drawn = sorted(name for floor in floors() for name in floor)
    assert drawn == sorted({room(module(path)) for path in FILES} - {"__init__"})
    assert sorted(table()) == drawn


def test_a_room_imports_only_what_stands_on_a_lower_floor() -> None:
    height = {name: number for number, floor in enumerate(floors()) for name in floor}
    upwards = [
        f"{module(path)} imports {name}"
        for path in FILES
        for name in own_imports(path)
        if (there := room(name)) != (here := room(module(path))) and height[there] >= height[here]
    ]
    assert upwards == []


def test_the_table_names_all_imports_between_rooms_and_no_others() -> None:
    imported: dict[str, set[str]] = {room(module(path)): set() for path in FILES}
    for path in FILES:
        here = room(module(path))
        imported[here] |= {room(name) for name in own_imports(path)} - {here}
    del imported["__init__"]
    assert table() == imported


WORDS_OF_PARTS = {
    "messages": r"parts[./]messages|procrastinate|(import|from) anthropic",
    "practice": r"practice|\bpaliad_|paliad__",
    "tracing": r"tracing|opentelemetry",
}
"""Part → what else than its folder's name would tell of it."""

WORDS_ON_PAGE = {
    "practice": "practice|paliad__|suggestion|suggest_|deadline|appointment",
    "tracing": "tracing|opentelemetry",
}
"""The same for the page, but for `messages`, whose agreement, own keys and limits are still drawn by the core's."""


def mentions(files: Iterable[Path], words: str) -> str:
    """The lines with one of the words, each behind its place."""
    pattern = re.compile(words, re.IGNORECASE)
    return "\n".join(
        f"{path.relative_to(PACKAGE)}:{number}: {line.strip()}"
        for path in files
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if pattern.search(line)
    )


@pytest.mark.parametrize("part", sorted(PARTS))
def test_the_core_names_no_part(part: str) -> None:
    name = part.removeprefix("parts.")
    core = [path for path in FILES if room(module(path)) not in PARTS | {"demo"}]  # the demo shows what parts can do
    assert mentions(core, WORDS_OF_PARTS.get(name, name)) == ""


@pytest.mark.parametrize("part", WORDS_ON_PAGE)
def test_the_page_names_no_part(part: str) -> None:
    kinds, static = (".js", ".css", ".html"), PACKAGE / "web" / "static"
    page = [path for path in static.rglob("*") if path.suffix in kinds and "vendor" not in path.parts]
    own = [path for path in page if not path.name.startswith("words.")]  # those are generated from the catalogue
    assert len(own) > 100
    assert mentions(own, WORDS_ON_PAGE[part]) == ""


def test_no_way_to_a_model_reaches_into_the_routing_above_it() -> None:
    ways = sorted([*PACKAGE.glob("relays/*/*.py"), *PACKAGE.glob("parts/messages/**/*.py")])
    assert ways
    for path in ways:
        above = ("relays.routing", "relays.ssh") if path.parent.name == "terminal" else ("relays.routing",)
        assert [name for name in own_imports(path) if name.startswith(above)] == [], module(path)


def test_another_package_is_imported_at_its_door_only() -> None:
    for here, packages in ((module(path), {room(name) for name in imports(path)}) for path in FILES):
        for package in packages - {"paliadin"} - sys.stdlib_module_names:
            assert package in DOORS, f"{here} imports {package}, which has no door"
            assert {here, room(here)} & DOORS[package], f"{here} imports {package}"


def test_no_door_stands_open_for_nothing() -> None:
    imported = {(room(name), module(path)) for path in FILES for name in imports(path)}
    used = imported | {(package, room(here)) for package, here in imported}
    assert {(package, door) for package, doors in DOORS.items() for door in doors} <= used


def test_no_two_modules_import_each_other() -> None:
    graph = {module(path): set(own_imports(path)) for path in FILES}
    names = set(graph)
    graph = {name: {_nearest(target, names) for target in targets} - {name} for name, targets in graph.items()}
    while leaves := [name for name, targets in graph.items() if not targets & set(graph)]:
        for name in leaves:
            del graph[name]
    assert graph == {}


def _nearest(target: str, names: set[str]) -> str:
    """The module that `paliadin.<target>` is, or that a name of it stands in."""
    while target not in names:
        target = target.rpartition(".")[0]
    return target


HOOKS = sorted((ROOT / "skill" / "hooks").glob("*.py"))


@pytest.mark.parametrize("path", HOOKS, ids=lambda path: path.name)
def test_a_hook_needs_the_standard_library_only(path: Path) -> None:
    for name in imports(path):
        assert room(name) in sys.stdlib_module_names | {hook.stem for hook in HOOKS}
