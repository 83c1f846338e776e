"""The commands `paliadin skill install|path`."""

from __future__ import annotations

import hashlib
import os
import shlex
from pathlib import Path

import click

from paliadin.base.errors import PaliadinError
from paliadin.base.settings import resource_folder
from paliadin.cli.echo import echo

FILE = "SKILL.md"
MARK = ".paliadin"  # holds the digest of the installed file, and so tells whether the owner has changed it


@click.group()
def skill() -> None:
    """Install Paliadin's skill, or print the folder of its Claude Code plugin.

    `paliadin up` loads the plugin by itself. These commands are for a Claude Code that you start by hand.
    """


@skill.command()
def path() -> None:
    """Print the plugin's folder."""
    echo(str(resource_folder("skill")))


@skill.command()
@click.option(
    "--target",
    type=click.Path(file_okay=False, path_type=Path),
    help="The skill's folder. Default: skills/paliadin in CLAUDE_CONFIG_DIR or in ~/.claude.",
)
@click.option(
    "--plugin",
    is_flag=True,
    help="Install nothing, but print the command that starts Claude Code with the whole plugin.",
)
@click.option("--force", is_flag=True, help="Replace a file that Paliadin did not install, or that was changed since.")
def install(target: Path | None, plugin: bool, force: bool) -> None:
    """Put the skill where Claude Code finds it.

    The plugin's hooks are not installed: only Paliadin's own sessions need them.

    \b
    paliadin skill install
    $(paliadin skill install --plugin)
    """
    if plugin:
        echo(f"claude --plugin-dir {shlex.quote(str(resource_folder('skill')))}")
        return
    folder = target or Path(os.environ.get("CLAUDE_CONFIG_DIR") or Path.home() / ".claude") / "skills" / "paliadin"
    content = (resource_folder("skill") / "skills" / "paliadin" / FILE).read_bytes()
    file, mark = folder / FILE, folder / MARK
    if file.exists() and not force:
        _check_replaceable(file, mark, content)
    folder.mkdir(parents=True, exist_ok=True)
    file.write_bytes(content)
    mark.write_text(_digest(content) + "\n", "ascii")
    echo(f"installed {file}")


def _check_replaceable(file: Path, mark: Path, content: bytes) -> None:
    """Raise PaliadinError `not_ours` if the file is neither the new content nor as Paliadin installed it."""
    present = file.read_bytes()
    installed = mark.read_text("ascii", "replace").strip() if mark.is_file() else None
    if present != content and _digest(present) != installed:
        reason = "is not Paliadin's" if installed is None else "was changed since Paliadin installed it"
        raise PaliadinError(f"{file} {reason}", hint="Use --force to replace it.", code="not_ours")


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
