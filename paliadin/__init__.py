"""Paliadin puts its owner's own Claude Code into a web page."""

__version__ = "0.1.0"
