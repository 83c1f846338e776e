"""A session's figures, as its Claude reports them, and how it is to be started. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field

from paliadin.base.checked_numbers import number_of, time_of
from paliadin.base.errors import InvalidField
from paliadin.base.settings_values import PERMISSION_MODES
from paliadin.base.visible_text import escape_invisible
from paliadin.relays.offers import MODEL, one_line

LONGEST_FOLDER = 1000  # characters


@dataclass(frozen=True, slots=True)
class StartOptions:
    """The model and the permission mode with which a session's Claude is started; "": as the settings say."""

    model: str = ""
    permission_mode: str = ""

    @classmethod
    def parse(cls, value: object) -> StartOptions:
        """Parse the result of `asdict`; a damaged value is "", as the settings say."""
        if not isinstance(value, Mapping):
            return cls()
        model, mode = value.get("model"), value.get("permission_mode")
        mode_name = mode if isinstance(mode, str) and mode in PERMISSION_MODES else ""
        return cls(model if isinstance(model, str) and MODEL.fullmatch(model) else "", mode_name)

    def changed(self, request: Mapping[str, object]) -> StartOptions:
        """Apply a request's `model` and `permission_mode`; null is as the settings say. Raises InvalidField."""
        model, mode = request.get("model", self.model), request.get("permission_mode", self.permission_mode)
        model, mode = ("" if each is None else each for each in (model, mode))
        if not isinstance(model, str) or (model and not MODEL.fullmatch(model)):
            raise InvalidField(
                "model is not the id of a model: up to 100 letters, digits and . _ : / [ ] -",
                hint="The models that the conversation's Claude offers are at …/offers.",
            )
        if not isinstance(mode, str) or (mode and mode not in PERMISSION_MODES):
            raise InvalidField(f"permission_mode must be one of {', '.join(PERMISSION_MODES)}")
        return StartOptions(model, mode)


def check_changes(value: object) -> dict[str, str]:
    """Return the `model` and `permission_mode` of a request, those that it names; raises InvalidField."""
    if not isinstance(value, Mapping) or not set(value) <= {"model", "permission_mode"}:
        raise InvalidField("only model and permission_mode can be chosen")
    options = asdict(StartOptions().changed(value))
    return {name: options[name] for name in value}


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures that Claude Code has reported of one session's Claude. An unknown one is "", or None for a number.

    `model_id`, `model_name` and `permission_mode` are what Claude Code reported last; `context_used` is in percent.
    `cost` is in USD, of all that was asked in the session. `folder` is where Claude works, with ~ for the home folder.
    `wanted` is how it is started next, with the settings where nothing else was chosen; `pending`: chosen after it was
    started. `changed_at` is the time of the last change, in milliseconds since 1970.
    """

    model_id: str = ""
    model_name: str = ""
    permission_mode: str = ""
    folder: str = ""
    context_used: float | None = None
    cost: float | None = None
    wanted: StartOptions = field(default_factory=StartOptions)
    pending: bool = False
    changed_at: int = 0

    def as_json(self) -> dict[str, object]:
        """Return the figures as the shim gives them."""
        return asdict(self)

    @classmethod
    def parse(cls, value: object) -> Figures:
        """Parse the result of `as_json`, perhaps of another version's host; a value that does not fit is unknown."""
        if not isinstance(value, Mapping):
            return cls()
        mode, folder = value.get("permission_mode"), value.get("folder")
        return cls(
            one_line(value.get("model_id")),
            one_line(value.get("model_name")),
            mode if isinstance(mode, str) and mode in PERMISSION_MODES else "",
            visible_path(folder) if isinstance(folder, str) else "",
            number_of(value.get("context_used")),
            number_of(value.get("cost")),
            StartOptions.parse(value.get("wanted")),
            value.get("pending") is True,
            time_of(value.get("changed_at")) or 0,
        )


def visible_path(path: str) -> str:
    """Return a path as a person may read it; of a very long one only the end."""
    return escape_invisible(path[-LONGEST_FOLDER:])
