"""A patent practice's own data, which Claude reads for the person who asks (docs/practice.md)."""

from __future__ import annotations

from paliadin.parts import Extra

EXTRA = Extra("practice", "PALIAD", ("holidays", "mcp", "pydantic"))
COMMANDS = {"paliad": "Fill a patent practice's tables: seed them to try things out, import judgments."}
