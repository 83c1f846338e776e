"""The commands: where each one is, and its line in the help. None is imported before it runs."""

from __future__ import annotations

from collections.abc import Mapping

Places = Mapping[str, tuple[str, str]]
"""A command's name → the module that has a click command of this name, and its line in the list of all."""


def _here(lines: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    return {name: (f"{__name__}.{name}", line) for name, line in lines.items()}


CORE: Places = _here(
    {
        "up": "Run Paliadin with your own Claude Code, and print the page's address.",
        "open": "Sign a browser in: open the page with a new address.",
        "token": "Manage the keys of programs and the browsers that are signed in.",
        "people": "Let other people in, each to conversations of their own.",
        "audit": "Show who signed in, asked, replied, exported, deleted and changed keys.",
        "ask": "Ask a question and read the answer in the terminal.",
        "conversations": "List, make, rename, archive and delete conversations.",
        "reset": "Make Claude forget what was said in a conversation, as /clear does.",
        "attach": "Open the terminal in which Claude runs.",
        "health": "Show the state of each part of the running daemon.",
        "doctor": "Check this machine, and say how to fix what is wrong.",
        "turns": "List, show, search, export and delete the turns on record.",
        "captures": "List and show the requests to Claude's API that were kept (PALIADIN_CAPTURE).",
        "gate": "Judge by the last four weeks whether the assistant is worth a bigger build.",
        "report": "Print the figures of the last days as Markdown or JSON.",
        "mcp": "Serve Paliadin's tools to an MCP client.",
        "migrate": "Apply, undo or list the migrations of the database.",
        "remote": "Manage other machines whose Claude Code you ask from here.",
        "skill": "Install Paliadin's skill for use without the daemon.",
    }
) | {"demo": ("paliadin.demo.commands", "Try Paliadin without an account or a network: a script plays the model.")}
"""The core's commands; those of parts are declared by the parts (`paliadin.parts.commands`)."""

ALIASES = {"status": "health"}
"""Other names of commands, which the list does not show."""
