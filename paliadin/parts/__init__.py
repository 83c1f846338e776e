"""The parts: features that are off unless a setting asks for them. Each is one whole folder that nothing else names.

A folder's `__init__` is imported wherever Paliadin runs, so it is small and cheap. It may have

    EXTRA                       what has to be installed for it, if anything (`Extra`)
    KEEPS_TURNS                 True if it keeps something of turns: the command line loads it to delete some
    RUNS_TOOLS                  True if its relays run the tools of all parts: it is loaded after those
    WORKER_MODULE               the module whose `run` carries turns of other processes, if it has workers, which need
    WORKER_EXTRAS               all of these
    COMMANDS                    name → help of its commands, each a click command in its module `commands`, if any

Its module `settings` has

    is_on(settings) -> bool     whether a setting asks for the part
    SETTINGS                    a frozen dataclass of its own settings (`base.settings_values.setting`), if it has any

`load(house) -> Part` in its module `part` imports all the rest, only where the part is on (`parts.loading`).
"""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from dataclasses import dataclass

from paliadin.base.errors import ConfigError
from paliadin.base.part_modules import part_modules


@dataclass(frozen=True, slots=True)
class Extra:
    """An extra of this package that a part needs: `setting` names the setting that switches the part on."""

    name: str
    setting: str
    packages: Sequence[str]

    def check(self) -> None:
        """Raise ConfigError if a package is missing. None of them is imported."""
        for package in self.packages:
            if importlib.util.find_spec(package) is None:
                raise ConfigError(
                    f"PALIADIN_{self.setting} needs a package that is missing: {package}",
                    hint=f"Run `pip install '.[{self.name}]'` in Paliadin's folder.",
                )


def commands() -> dict[str, tuple[str, str]]:
    """Return the commands of all parts, also of those that are off: name → (module, help)."""
    return {
        name: (f"{module.__name__}.commands", text)
        for module in part_modules()
        for name, text in getattr(module, "COMMANDS", {}).items()
    }
