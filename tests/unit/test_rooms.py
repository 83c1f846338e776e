"""Imports point one way, and what comes from elsewhere comes in at one door."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parent.parent.parent / "paliadin"

# From the bottom to the top; the modules of one line do not import each other.
LAYERS = [
    "__init__",
    "errors strictjson configvalues",
    "config prompt chips trailer tools timeline evidence logs",
    "answer interrupts failures turnlog",
    "displayed toolsteps folders",
    "reduce",
    "record",
    "relay store",
    "recorder live running",
    "machine",
    "remote",
    "relays",
    "turns database",
    "history health metrics tracing",
    "monitor",
    "janitor",
    "web scripted",
    "daemon",
    "demo",
    "cli",
    "__main__",
]

DOORS = {
    "libtmux": {"relay.tmux"},
    "psycopg": {"store"},
    "psycopg_pool": {"store"},
    "watchfiles": {"turnlog"},
    "uvicorn": {"daemon", "scripted"},
    "starlette": {"web", "scripted", "daemon"},
    "sse_starlette": {"web"},
    "jinja2": {"web"},
    "opentelemetry": {"tracing"},
    "prometheus_client": {"metrics"},
    "structlog": {"logs"},
    "pyarrow": {"monitor.export"},
    "httpx2": {"cli", "web.peers"},
    "click": {"cli"},
    "rich": {"cli"},
    "dotenv": {"config"},
    "platformdirs": {"config"},
}

RANK = {name: rank for rank, layer in enumerate(LAYERS) for name in layer.split()}
FILES = sorted(PACKAGE.rglob("*.py"))


def module(path: Path) -> str:
    """The dotted name within the package; a folder's `__init__` is the folder."""
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" and len(parts) > 1 else parts)


def part(name: str) -> str:
    return name.partition(".")[0]


def imports(path: Path) -> Iterator[str]:
    """Everything that is imported anywhere in the file, as absolute dotted names."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def own_imports(path: Path) -> Iterator[str]:
    for name in imports(path):
        if name.startswith("paliadin."):
            inner = name.removeprefix("paliadin.")
            yield "__init__" if part(inner).startswith("__") else inner


def test_every_part_has_its_layer() -> None:
    assert {part(module(path)) for path in FILES} == set(RANK)


@pytest.mark.parametrize("path", FILES, ids=module)
def test_nothing_imports_what_stands_above_it(path: Path) -> None:
    here = part(module(path))
    for name in own_imports(path):
        assert part(name) == here or RANK[part(name)] < RANK[here], f"{module(path)} imports {name}"


@pytest.mark.parametrize("path", FILES, ids=module)
def test_another_package_is_imported_at_its_door_only(path: Path) -> None:
    here = module(path)
    for name in imports(path):
        package = part(name)
        if package == "paliadin" or package in sys.stdlib_module_names:
            continue
        assert package in DOORS, f"{here} imports {package}, which has no door"
        assert {here, part(here)} & DOORS[package], f"{here} imports {package}"


def test_no_door_stands_open_for_nothing() -> None:
    imported = {(part(name), module(path)) for path in FILES for name in imports(path)}
    used = imported | {(package, part(here)) for package, here in imported}
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


@pytest.mark.parametrize("path", sorted((PACKAGE.parent / "skill" / "hooks").glob("*.py")), ids=lambda path: path.name)
def test_a_hook_needs_the_standard_library_only(path: Path) -> None:
    for name in imports(path):
        assert part(name) in sys.stdlib_module_names | {"record"}
