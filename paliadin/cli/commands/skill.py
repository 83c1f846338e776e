"""`paliadin skill install|path`"""

from __future__ import annotations

import hashlib
import os
import shlex
from pathlib import Path

import click

from paliadin.config import resource
from paliadin.errors import PaliadinError

FILE = "SKILL.md"
MARK = ".paliadin"  # beside the file that we put there: its digest, which tells whether the owner changed it


@click.group()
def skill() -> None:
    """The Claude Code plugin that goes with Paliadin.

    `paliadin up` loads it by itself. This is for a Claude Code that you start by hand.
    """


@skill.command()
def path() -> None:
    """Print the plugin's folder."""
    click.echo(resource("skill"))


@skill.command()
@click.option(
    "--target",
    type=click.Path(file_okay=False, path_type=Path),
    help="The skill's folder; else ~/.claude/skills/paliadin (or below CLAUDE_CONFIG_DIR).",
)
@click.option("--plugin", is_flag=True, help="Install nothing: print the command that loads the whole plugin.")
@click.option("--force", is_flag=True, help="Replace a file that is not ours, or that you changed.")
def install(target: Path | None, plugin: bool, force: bool) -> None:
    """Put the skill where Claude Code finds it; without the hooks, which only Paliadin's own sessions need.

    \b
    paliadin skill install
    $(paliadin skill install --plugin)
    """
    if plugin:
        click.echo(f"claude --plugin-dir {shlex.quote(str(resource('skill')))}")
        return
    folder = target or Path(os.environ.get("CLAUDE_CONFIG_DIR") or Path.home() / ".claude") / "skills" / "paliadin"
    content = (resource("skill") / "skills" / "paliadin" / FILE).read_bytes()
    file, mark = folder / FILE, folder / MARK
    if file.exists() and not force:
        _check_ours(file, mark, content)
    folder.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
    mark.write_text(_digest(content) + "\n", "ascii")
    click.echo(f"installed {file}")


def _check_ours(file: Path, mark: Path, content: bytes) -> None:
    there = file.read_bytes()
    ours = mark.read_text("ascii", "replace").strip() if mark.is_file() else None
    if there != content and _digest(there) != ours:
        what = "is not Paliadin's" if ours is None else "was changed since Paliadin put it there"
        raise PaliadinError(f"{file} {what}", hint="Use --force to replace it.", code="not_ours")


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
