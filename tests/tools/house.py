"""Measure the house: `python -m tests.tools.house [checkout …]` prints a column each, by default of this one."""

from __future__ import annotations

import ast
import re
import statistics
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path

HERE = Path(__file__).parents[2]
LONG_MODULE, LONG_FUNCTION = 250, 40  # lines
VAGUE = {"told", "found", "said"}  # names that say nothing of what they hold
RIDDLE = re.compile(r"(What|Who|Whose|One (that|who|which)|The same|That|Those|It)\b")

Function = ast.FunctionDef | ast.AsyncFunctionDef

COUNT_IMPORTS = """
import sys
__import__({module!r})
ours = [name for name in sys.modules if name.startswith("paliadin.")]
print(len(ours), len(sys.modules))
"""

ASK = """
import asyncio, sys, tempfile
from pathlib import Path
from paliadin.base.settings import ensure_home, load_settings
from paliadin.people.caller import Caller
from paliadin.relays import routing
from paliadin.relays.scripted import ScriptedRelay
from paliadin.turns.lifecycle import Turns
from paliadin.turns.question import Question
class Rows:
    waiting = ()
    def unrecorded(self): return []
    async def begin(self, row): pass
    def finish(self, *_, **__): pass
async def play(*_): await asyncio.Event().wait()
async def main():
    settings = load_settings({"PALIADIN_HOME": tempfile.mkdtemp()})
    ensure_home(settings)
    relays = ScriptedRelay(play, "here")
    if hasattr(routing, "Relays"):  # in an earlier checkout the relay itself was asked
        relays = routing.Relays(settings, [relays])
    turns = Turns(settings, relays, Rows())
    places, root = [], str(Path(sys.modules["paliadin"].__file__).parent)
    def look(frame, event, _):
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(root) and code.co_name[0] != "<":
            places.append((code.co_filename[len(root) + 1:], code.co_qualname))
    question = Question("main", "Hello", Caller.owner())
    sys.setprofile(look)
    asking = turns.ask(question)
    await asking
    sys.setprofile(None)
    seen = dict.fromkeys(places)
    turns_only = [place for place in seen if not place[0].startswith("base/")]
    print(len(seen), len({file for file, _ in seen}), len(turns_only), len({file for file, _ in turns_only}))
asyncio.run(main())
"""


def modules(package: Path) -> list[Path]:
    return sorted(path for path in package.rglob("*.py"))


def length(node: Function) -> int:
    """The function's lines without its docstring."""
    body = node.body[1:] if ast.get_docstring(node) else node.body
    docstring = (node.body[0].end_lineno or 0) - node.body[0].lineno + 1 if ast.get_docstring(node) else 0
    return (node.end_lineno or node.lineno) - node.lineno + 1 - docstring if body else 1


def assigned(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def static(checkout: Path) -> Iterator[tuple[str, object]]:
    """Yield (what, figure) of the code as text."""
    package = checkout / "paliadin"
    texts = {path: path.read_text("utf-8") for path in modules(package)}
    trees = {path: ast.parse(text) for path, text in texts.items()}
    lines = {path: text.count("\n") for path, text in texts.items()}
    parts = {path for path in texts if path.relative_to(package).parts[0] == "parts" and path.parent.name != "parts"}
    yield "modules", len(texts)
    yield "lines", sum(lines.values())
    yield "lines of the core", sum(lines[path] for path in texts if path not in parts)
    for part in sorted({path.relative_to(package).parts[1] for path in parts}):
        yield f"lines of parts/{part}", sum(lines[path] for path in parts if path.relative_to(package).parts[1] == part)
    yield "module: median", statistics.median(lines.values())
    yield f"modules over {LONG_MODULE} lines", sum(size > LONG_MODULE for size in lines.values())
    functions = [node for tree in trees.values() for node in ast.walk(tree) if isinstance(node, Function)]
    sizes = sorted(map(length, functions))
    yield "functions", len(sizes)
    yield "function: median, p90", f"{statistics.median(sizes):g}, {sizes[len(sizes) * 9 // 10]}"
    yield f"functions over {LONG_FUNCTION} lines", sum(size > LONG_FUNCTION for size in sizes)
    yield from names_and_words(texts, trees)


def names_and_words(texts: dict[Path, str], trees: dict[Path, ast.Module]) -> Iterator[tuple[str, object]]:
    documented = ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef
    docstrings = [
        text
        for tree in trees.values()
        for node in ast.walk(tree)
        if isinstance(node, documented) and (text := ast.get_docstring(node))
    ]
    yield "docstrings, riddles", f"{len(docstrings)}, {sum(bool(RIDDLE.match(text)) for text in docstrings)}"
    yield "told, found, said assigned", sum(name in VAGUE for tree in trees.values() for name in assigned(tree))
    names = Counter(path.name for path in texts if path.name != "__init__.py")
    yield "basenames that repeat", sum(count > 1 for count in names.values())
    everything = "\n".join(texts.values())
    yield "imports inside functions", everything.count("PLC0415")
    yield "unused arguments excused", everything.count("ARG00")
    yield "except BaseException", everything.count("except BaseException")


def dynamic(checkout: Path) -> Iterator[tuple[str, object]]:
    """Yield (what, figure) of the code as it runs."""
    for module in ("paliadin.daemon", "paliadin.web.app", "paliadin.turns.lifecycle"):
        ours, all_of_them = run(checkout, COUNT_IMPORTS.format(module=module))
        yield f"import {module}: ours, all", f"{ours}, {all_of_them}"
    stops, files, without_base, their_files = run(checkout, ASK)
    yield "Turns.ask: functions, files", f"{stops}, {files}"
    yield "… without base/", f"{without_base}, {their_files}"


def run(checkout: Path, program: str) -> list[str]:
    command = [sys.executable, "-c", program]
    shown = subprocess.run(
        command, cwd=checkout, env={"PYTHONPATH": str(checkout)}, capture_output=True, text=True, check=False
    )
    return shown.stdout.split() if shown.returncode == 0 else ["-"] * 4


def main(checkouts: Iterable[str]) -> None:
    columns = [dict([*static(Path(each)), *dynamic(Path(each))]) for each in checkouts]
    for name in dict.fromkeys(name for column in columns for name in column):
        figures = "".join(f"{column.get(name, '-')!s:>15}" for column in columns)
        sys.stdout.write(f"{name:<44}{figures}\n")


if __name__ == "__main__":
    main(sys.argv[1:] or [str(HERE)])
