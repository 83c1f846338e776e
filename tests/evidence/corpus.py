"""All cases, in a fixed order."""

from __future__ import annotations

import functools
import importlib
import pkgutil

from tests.evidence import scenes
from tests.evidence.model import Case
from tests.evidence.scene import Scene, cases_of


@functools.cache
def all_scenes() -> tuple[Scene, ...]:
    """The scenes of all modules in `scenes`."""
    names = sorted(module.name for module in pkgutil.iter_modules(scenes.__path__))
    modules = [importlib.import_module(f"{scenes.__name__}.{name}") for name in names]
    return tuple(scene for module in modules for scene in module.SCENES)


@functools.cache
def all_cases() -> tuple[Case, ...]:
    """The cases of all scenes."""
    return tuple(case for scene in all_scenes() for case in cases_of(scene))
