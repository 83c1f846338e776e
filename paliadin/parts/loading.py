"""Loads the parts that are on: what each gets of the core, and what it adds to it."""

from __future__ import annotations

import importlib
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from paliadin.base.errors import ConfigError
from paliadin.base.part_modules import part_modules, settings_of

if TYPE_CHECKING:
    from paliadin.base.retained import Retained
    from paliadin.base.settings import Settings
    from paliadin.operations.health import Check
    from paliadin.people.directory import People
    from paliadin.people.person_key import PersonKey
    from paliadin.record.database_startup import Tables
    from paliadin.record.recorder import OnEnd, Redact
    from paliadin.record.store import Store
    from paliadin.relays.protocol import OwnRelay
    from paliadin.toolboxes.toolbox import Toolbox
    from paliadin.turns.lifecycle import Turns
    from paliadin.turns.stages import Annotator, Stage
    from paliadin.web.dashboard.cards import Card
    from paliadin.web.health_routes import Terms
    from paliadin.web.scoped_routes import Declared


@dataclass(frozen=True, slots=True)
class House:
    """The core's services for a part. `id_of` returns the id under which others know a person, "" for nobody's.

    `people` is None in a worker. `is_scripted`: a script plays the model, so its turns are for nobody else.
    `loaded`: the parts before this one.
    """

    settings: Settings
    people: People | None
    id_of: Callable[[PersonKey], str]
    store: Store
    is_scripted: bool = False
    loaded: Part | None = None


def _no_routes(_turns: Turns) -> Sequence[Declared]:
    return ()


@dataclass(frozen=True, slots=True)
class Part:
    """The things that a part adds to the core. Everything is empty by default."""

    toolboxes: Sequence[Toolbox] = ()
    routes: Callable[[Turns], Sequence[Declared]] = _no_routes
    tables: Sequence[Tables] = ()  # opened with the database
    retained: Sequence[Retained] = ()  # the data that it keeps
    on_people: Sequence[Callable[[], Awaitable[None]]] = ()  # renew copies of the people who are let in
    cards: Sequence[Card] = ()  # of the dashboard
    health: Sequence[Check] = ()  # what the health report says of it
    pages: Mapping[str, Path] = field(default_factory=dict)  # by the part's name, the folder of its piece of the page
    stages: Sequence[Stage] = ()  # prepare a turn before the relay gets it, in this order
    annotators: Sequence[Annotator] = ()  # find something out about answers
    on_end: Sequence[OnEnd] = ()  # called with each turn that has ended
    running: Sequence[Running] = ()  # what works while the daemon serves
    relays: Sequence[OwnRelay] = ()  # ways to a model, beside Claude Code
    terms: Mapping[str, Terms] = field(default_factory=dict)  # on which somebody may ask, by the relay's name
    redact: Redact | None = None  # takes out of rows what may not be kept


class Running(Protocol):
    """A service that works while the daemon serves."""

    def running(self) -> AbstractAsyncContextManager[None]:
        """Work during a `with` block; raises ConfigError."""


def load_parts(house: House, needed: str = "") -> Part:
    """Load the parts that are on, as one; raises ConfigError. `needed`: only those that have this and it is true."""
    modules = [module for module in part_modules() if settings_of(module).is_on(house.settings)]
    if needed:
        modules = [module for module in modules if getattr(module, needed, False)]
    loaded = Part()
    for module in sorted(modules, key=lambda module: getattr(module, "RUNS_TOOLS", False)):
        if hasattr(module, "EXTRA"):
            module.EXTRA.check()
        part = importlib.import_module(f"{module.__name__}.part").load(replace(house, loaded=loaded))
        loaded = join([loaded, part])
    return loaded


def load_worker() -> Callable[[Settings, Callable[[], None]], Coroutine[Any, Any, None]]:
    """Load what carries turns of other processes; raises ConfigError if something is not installed for it.

    It takes the settings, and what to call once it can take questions; it returns when it is cancelled.
    """
    [module] = [module for module in part_modules() if hasattr(module, "WORKER_MODULE")]
    for extra in module.WORKER_EXTRAS:
        extra.check()
    run: Callable[[Settings, Callable[[], None]], Coroutine[Any, Any, None]] = importlib.import_module(
        f"{module.__name__}.{module.WORKER_MODULE}"
    ).run
    return run


def join(parts: Sequence[Part]) -> Part:
    """Join several parts into one."""
    return Part(
        toolboxes=_different([each for part in parts for each in part.toolboxes]),
        routes=lambda turns: [each for part in parts for each in part.routes(turns)],
        tables=[each for part in parts for each in part.tables],
        retained=[each for part in parts for each in part.retained],
        on_people=[each for part in parts for each in part.on_people],
        cards=[each for part in parts for each in part.cards],
        health=[each for part in parts for each in part.health],
        pages={name: folder for part in parts for name, folder in part.pages.items()},
        stages=[each for part in parts for each in part.stages],
        annotators=[each for part in parts for each in part.annotators],
        on_end=[each for part in parts for each in part.on_end],
        running=[each for part in parts for each in part.running],
        relays=[each for part in parts for each in part.relays],
        terms={name: terms for part in parts for name, terms in part.terms.items()},
        redact=next((part.redact for part in parts if part.redact), None),
    )


def _different(toolboxes: Sequence[Toolbox]) -> Sequence[Toolbox]:
    """Return the toolboxes; raises ConfigError if two have the same name, or a tool of the same name."""
    names = [*(each.name for each in toolboxes), *(spec.name for each in toolboxes for spec in each.specs())]
    if twice := {name for name in names if names.count(name) > 1}:
        raise ConfigError(f"several parts have tools by the name of {', '.join(sorted(twice))}")
    return toolboxes
