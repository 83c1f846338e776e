"""A part for tests: it lies outside of the package, and nothing there knows of it."""

from __future__ import annotations

from paliadin.parts import Extra

EXTRA = Extra("toys", "TOY", ("click",))
COMMANDS = {"toy": "Play."}
KEEPS_TURNS = True
