"""The launch of a session's Claude: its folders and files, its command, and the variables that are added."""

from __future__ import annotations

import contextlib
import time
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from paliadin.base import errors
from paliadin.base.files import write_text
from paliadin.base.session_names import MEMBER_FILE
from paliadin.base.settings import Settings
from paliadin.relays.terminal import claude, figure_files, status_line
from paliadin.relays.terminal.claude import PassedThrough
from paliadin.relays.terminal.plugin import copy_plugin
from paliadin.relays.terminal.start_options import OptionsFile
from paliadin.toolboxes import registration
from paliadin.toolboxes.toolbox import Toolbox
from paliadin.turnlog.folder import TurnFolder


@dataclass(frozen=True)
class Launch:
    """Launches of the Claude of the session whose folder is `folder`.

    `plugin` is the copy of the hooks that Claude loads. `environment` replaces the one that Claude inherits from the
    terminal (demo, tests). `options` are those that were chosen for the session.
    """

    settings: Settings
    folder: Path
    plugin: Path
    environment: Mapping[str, str] | None
    options: OptionsFile
    toolboxes: Sequence[Toolbox] = ()

    @property
    def for_member(self) -> bool:
        """True if the session is somebody else's than the owner's."""
        return (self.folder / MEMBER_FILE).exists()

    @property
    def member(self) -> str | None:
        """The member whose session it is, in the words of its file; None for the owner's."""
        if not self.for_member:
            return None
        try:
            return (self.folder / MEMBER_FILE).read_text("utf-8", "replace")
        except OSError:
            return ""

    @property
    def workdir(self) -> Path:
        """The folder that Claude works in; a member's stays empty."""
        return self.folder / "work" if self.for_member else self.settings.workdir

    def make_folders(self) -> None:
        """Make the folders that the hooks need, unless they exist: the owner may have deleted them."""
        if not self.plugin.is_dir():
            for live in {False, self.settings.live}:
                copy_plugin(self.settings.home, self.toolboxes, live=live)
        for folder in (self.folder, self.folder / "prompts", self.folder / "expected"):
            folder.mkdir(mode=0o700, exist_ok=True)

    def restore_files(self, turn: TurnFolder) -> None:
        """Make again the folders and the link that hooks need, if somebody removed them while the turn runs."""
        with contextlib.suppress(OSError, errors.PaliadinError):  # the caller tries again
            self.make_folders()
            prompt = self.folder / "prompts" / (turn.path / "prompt_id").read_text()
            if not prompt.is_symlink():
                prompt.symlink_to(turn.path)

    def note_mode(self, mode: str) -> None:
        """Write Claude's current permission mode into the file in which the hooks keep it."""
        path = self.folder / figure_files.MODE
        with contextlib.suppress(OSError, errors.StorageFull):  # the next one is kept
            if self.settings.status_line and (not path.exists() or path.read_text("utf-8", "replace") != mode):
                write_text(path, mode)

    def command(
        self, conversation: str | None, passed: PassedThrough | None, *, new_prompt: bool
    ) -> tuple[list[str], dict[str, str]]:
        """Build the command, and the variables that it gets besides those of the terminal.

        `conversation` is resumed, with the system prompt of today if `new_prompt`; None begins a new one. The plugin,
        and a system prompt that Claude Code has kept, depend on live text.
        """
        settings, for_member, live = self.settings, self.for_member, passed is not None and passed.live
        hooks = claude.hook_environment(settings, self.folder)
        is_shown = settings.status_line and not for_member  # a member's Claude runs nothing of the owner's
        owners = status_line.owners_status_line(settings, self.environment) if is_shown else {}
        variables = claude.ENVIRONMENT | hooks
        variables |= status_line.environment(owners, time.time_ns()) if settings.status_line else {}
        if for_member:
            variables |= claude.MEMBER_ENVIRONMENT | (registration.ENVIRONMENT if self.toolboxes else {})
        options = claude.new_prompt_options(settings) if conversation and new_prompt else []
        options += claude.toolbox_options(settings, self.folder, self.toolboxes)
        arguments = claude.arguments(
            settings,
            copy_plugin(settings.home, self.toolboxes, live=True) if live else self.plugin,
            conversation or str(uuid.uuid4()),
            resume=conversation is not None,
            for_member=for_member,
            environment=self.environment,
            chosen=self.options.read(),
            owners_status_line=owners,
            passed=passed,
            hooks=hooks,
            options=options,
            toolboxes=self.toolboxes,
        )
        self.note_mode(arguments[arguments.index("--permission-mode") + 1])
        command = [*claude.IN_COLOUR, claude.find_claude(settings), *arguments]
        environment = None if self.environment is None else {**self.environment, **variables}
        return claude.with_environment(command, environment), variables
