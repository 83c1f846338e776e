"""The static files: their version, and how they are packed."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path

import pytest

from paliadin.web import pages, static_files

ROOT = Path(__file__).parents[2]


def test_a_file_that_was_changed_has_another_address(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1.0
    monkeypatch.setattr(static_files.time, "monotonic", lambda: now)
    file = tmp_path / "js" / "main.js"
    file.parent.mkdir()
    file.write_text("one")
    part = tmp_path / "part"
    part.mkdir()
    piece = part / "piece.js"
    piece.write_text("one")
    files = static_files.StaticFilesByVersion(file.parent, {"toy": part})
    versions = [files.version()]
    os.utime(file, (1, 1))
    assert files.version() == versions[0], "it is looked up once a second"
    for change in (lambda: os.utime(file, (2, 2)), lambda: file.write_text("three"), file.unlink, piece.unlink):
        change()
        now += 2
        versions.append(files.version())
    now += 2
    assert files.version() == versions[-1]
    assert len(set(versions)) == len(versions)


SCRIPTS = sorted([*pages.STATIC.glob("js/**/*.js"), *(ROOT / "paliadin" / "parts").glob("*/page/*.js")])
# Reads pairs of scripts, and prints the names of those that are not the same code, and whose lines are not the same.
SAME = """
const { __debug } = require("prettier");
const code = (text) => __debug.parse(text, { parser: "babel" }).then(({ ast }) => {
  ast.comments = [];
  const place = /^(start|end|loc|range|__contentEnd|.*[cC]omments|tokens|extra)$/;
  return JSON.stringify(ast, (key, value) => (place.test(key) ? undefined : value));
});
(async () => {
  for (const [name, one, other] of JSON.parse(require("fs").readFileSync(0, "utf8")))
    if ((await code(one)) !== (await code(other)) || one.match(/\\n/g).length !== other.match(/\\n/g).length)
      console.log(name);
})();
"""


def test_a_script_without_its_doc_comments_is_the_same_code_on_the_same_lines() -> None:
    pairs = [(path.name, text := path.read_text("utf-8"), static_files.without_doc_comments(text)) for path in SCRIPTS]
    assert len(pairs) > 100
    assert sum(len(bare) for _, _, bare in pairs) < 0.8 * sum(len(text) for _, text, _ in pairs)
    command, given = ["node", "-e", SAME], json.dumps(pairs)
    ended = subprocess.run(command, input=given, capture_output=True, text=True, check=True, cwd=ROOT)
    assert ended.stdout == ""


@pytest.mark.parametrize("code", ["a = `\n/* no doc */\n`;", "const a = '/** no */';", "f(); /** behind code */"])
def test_what_is_no_doc_comment_of_its_own_line_stays(code: str) -> None:
    assert static_files.without_doc_comments(code) == code
