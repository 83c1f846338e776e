"""Carries turns over the Messages API, without Claude Code; tools run here, or in workers (docs/messages.md)."""

from __future__ import annotations

from dataclasses import replace

from paliadin.parts import Extra

EXTRA = Extra("messages", "RELAY and PALIADIN_API_KEY", ("anthropic", "cryptography"))
WORKERS_EXTRA = Extra("workers", "ROLE", ("procrastinate",))
RUNS_TOOLS = True
WORKER_MODULE = "workers.process"
WORKER_EXTRAS = (replace(EXTRA, setting="ROLE=worker"), WORKERS_EXTRA)
