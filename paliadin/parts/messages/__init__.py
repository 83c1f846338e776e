"""Carries turns over the Messages API, without Claude Code; tools run here, or in workers (docs/messages.md)."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from paliadin.base.settings_values import MESSAGES, WORKER
from paliadin.parts import Extra
from paliadin.parts.messages.settings import MessagesSettings

if TYPE_CHECKING:
    from paliadin.base.settings import Settings

SETTINGS = MessagesSettings
EXTRA = Extra("messages", "RELAY and PALIADIN_API_KEY", ("anthropic", "cryptography"))
WORKERS_EXTRA = Extra("workers", "ROLE", ("procrastinate",))
RUNS_TOOLS = True
WORKER_MODULE = "workers.process"
WORKER_EXTRAS = (replace(EXTRA, setting="ROLE=worker"), WORKERS_EXTRA)


def is_on(settings: Settings) -> bool:
    """Tell whether some conversations are carried over the Messages API; a worker serves none."""
    return settings.role != WORKER and (
        settings.relay == MESSAGES or settings.part(MessagesSettings).api_key is not None
    )
