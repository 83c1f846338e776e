"""The model and the permission mode that were chosen for a session, kept in its file `options.json`."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from paliadin.base.files import write_json
from paliadin.base.strict_json import parse_json
from paliadin.relays.figures import StartOptions

FILE = "options.json"


class OptionsFile:
    """Keeps the chosen options and, until a Claude has started with them, those from before.

    The file is {"model", "permission_mode", "before"?: {"model", "permission_mode"}}; there is none while nothing was
    chosen.
    """

    def __init__(self, session: Path) -> None:
        self.path = session / FILE

    def read(self) -> StartOptions:
        """Return the options that were chosen last."""
        return StartOptions.parse(self._values())

    @property
    def is_pending(self) -> bool:
        """True while no Claude has started with the options that were chosen last."""
        return "before" in self._values()

    def choose(self, options: StartOptions) -> None:
        """Keep these options for the next start; raises StorageFull."""
        values = self._values()
        before = StartOptions.parse(values.get("before", values))
        if options == before:  # the choice was taken back
            self._write(options)
        else:
            self.path.parent.mkdir(mode=0o700, exist_ok=True)
            write_json(self.path, asdict(options) | {"before": asdict(before)})

    def note_applied(self) -> None:
        """Note that a Claude has started with the chosen options."""
        if self.is_pending:
            self._write(self.read())

    def take_back(self) -> bool:
        """Return to the options from before, if no Claude has started with the last ones; tells whether it did."""
        values = self._values()
        if "before" not in values:
            return False
        self._write(StartOptions.parse(values["before"]))
        return True

    def copy_to(self, other: OptionsFile) -> None:
        """Give another session the same options."""
        if (options := self.read()) != StartOptions():
            other._write(options)

    def remove(self) -> None:
        """Remove the file: the session has no options of its own any more."""
        self.path.unlink(missing_ok=True)

    def _write(self, options: StartOptions) -> None:
        write_json(self.path, asdict(options))

    def _values(self) -> dict[str, object]:
        try:
            values = parse_json(self.path.read_text("utf-8"))
        except (OSError, ValueError):
            return {}
        return values if isinstance(values, dict) else {}
