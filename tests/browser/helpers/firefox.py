"""Debian's Firefox, which Playwright cannot drive: firefox.mjs does, and a test tells it what to do."""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.conftest import need
from tests.worlds.world import eventually

INPUT = ".composer textarea"
SCRIPT = Path(__file__).with_suffix(".mjs")
SEEN = """[...document.querySelectorAll(%s)]
  .filter((el) => el.checkVisibility({ visibilityProperty: true }))
  .map((el) => (el.matches("input, textarea") ? el.value : el.innerText).trim().replace(/\\s+/g, " "))"""


@dataclass(frozen=True)
class Firefox:
    """One tab. What is clicked is waited for; `shows` waits for what comes."""

    process: subprocess.Popen[str]

    def do(self, act: str, *args: Any) -> Any:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps([act, *args]) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        assert line, "Firefox has ended"
        answer = json.loads(line)
        assert "error" not in answer, answer["error"]
        return answer["value"]

    def go(self, address: str, ready: str | None = None) -> dict[str, str]:
        """Load this; the page's address and text, once it has what `ready` names. Without it, it leads nowhere else."""
        return dict(self.do("go", address, ready))

    def evaluate(self, code: str) -> Any:
        return self.do("evaluate", code)

    def tab(self, number: int) -> None:
        """Go to the tab of this number, from 0; a new one if there is none. Those that are left are hidden."""
        self.do("tab", number)

    def click(self, selector: str) -> None:
        self.do("click", selector)

    def press(self, *keys: str) -> None:
        for key in keys:
            self.do("press", key)

    def type(self, text: str) -> None:
        self.do("type", text)

    def attach(self, selector: str, *paths: Path) -> None:
        """Choose files in a field for files."""
        self.do("attach", selector, *map(str, paths))

    def texts(self, selector: str) -> list[str]:
        """What the elements say that can be seen."""
        return list(self.evaluate(SEEN % json.dumps(selector)))

    def shows(self, selector: str, *texts: str) -> None:
        """Wait until as many elements can be seen, each with its text in it."""

        def there() -> bool:
            seen = self.texts(selector)
            return len(seen) == len(texts) and all(text in each for text, each in zip(texts, seen, strict=True))

        try:
            eventually(there, 30)
        except AssertionError:
            raise AssertionError(f"{selector} is {self.texts(selector)}, not {texts}") from None

    def focuses(self, selector: str) -> None:
        """Wait until this has the focus."""
        code = f"document.activeElement?.matches({json.dumps(selector)})"
        focus = "document.activeElement.outerHTML.slice(0, 300)"
        try:
            eventually(lambda: self.evaluate(code), 30)
        except AssertionError:
            raise AssertionError(f"{selector} has not the focus, but {self.evaluate(focus)}") from None

    def evidence(self, name: str) -> list[tuple[str, str]]:
        """(title, text) for a test that failed."""
        if self.process.poll() is not None:  # its tests have ended
            return []
        try:
            page = self.evaluate("`${location.href}\\n${document.body.innerText}`")
        except (AssertionError, OSError) as error:
            page = repr(error)
        return [(f"{name}: its page", page)]


@contextlib.contextmanager
def running(profile: Path) -> Iterator[Firefox]:
    """Firefox with a profile of its own, which is also its HOME."""
    environment = {"PATH": os.environ["PATH"], "HOME": str(profile), "LANG": "C.UTF-8"}
    profile.mkdir(exist_ok=True)
    command = [need("node"), str(SCRIPT), need("firefox-esr"), str(profile)]
    pipe = subprocess.PIPE
    process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True, env=environment)
    try:
        yield Firefox(process)
    finally:
        process.communicate(timeout=30)


def ask(tab: Firefox, question: str) -> None:
    tab.click(INPUT)
    tab.type(question)
    tab.press("Enter")
    tab.shows(INPUT, "")
