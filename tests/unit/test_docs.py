"""The documents name tests that exist, and link to what is there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
RELIABILITY = ROOT / "docs" / "reliability.md"
MODULES = {path.stem: path for path in (ROOT / "tests").rglob("test_*.py")}


def named_tests() -> Iterator[tuple[str, str]]:
    """(module, name) as the tables write them: `test_x`: `…part of a name…`, `…another[parameter]`."""
    for line in RELIABILITY.read_text("utf-8").splitlines():
        module = ""
        for word in re.findall(r"`([^`]+)`", line):
            if (name := word.rpartition("/")[2]) in MODULES:
                module = name
            elif "…" in word and module:
                yield module, word.partition("[")[0]


def test_each_promise_of_reliability_names_a_test_that_exists() -> None:
    named = list(named_tests())
    assert len(named) > 50
    missing = []
    for module, name in named:
        pattern = "def " + re.escape(name).replace("…", "[a-z0-9_]*") + "[(]"
        if not re.search(pattern, MODULES[module].read_text("utf-8")):
            missing.append((module, name))
    assert missing == []


def anchors(path: Path) -> set[str]:
    """The anchors that GitHub makes of a document's headings, and those that it sets itself."""
    text = path.read_text("utf-8")
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    made = {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}
    return made | set(re.findall(r'<a id="([^"]+)">', text))


def test_every_link_between_documents_leads_somewhere() -> None:
    broken = []
    for path in (*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")):
        for link in re.findall(r"\]\(([^)\s:]+)\)", path.read_text("utf-8")):
            name, _, anchor = link.partition("#")
            target = path.parent / name if name else path
            if not target.exists() or (anchor and anchor not in anchors(target)):
                broken.append((path.name, link))
    assert broken == []
