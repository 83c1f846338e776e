"""Tell which of a Claude's commands can be run as a question: with hooks, a request and an answer. Pure."""

from __future__ import annotations

from dataclasses import replace

from paliadin.relays.offers import Offers

# Claude Code's own commands that only draw something in its terminal, or change how it works: no hook tells of them.
# Of 2.1.197 and 2.1.330; `claude -p` lists them among the others.
_TERMINAL_ONLY = """
add-dir advisor agents autocompact auto-mode-setup bashes bug chrome clear color compact config context copy
cost diff doctor effort exit export extra-usage fast feedback focus heapdump help hooks ide insights install-
github-app install-slack-app keybindings list-agents login logout mcp memory mobile model name output-style
passes permissions plan plugin plugins privacy-settings quit recap reload-plugins reload-skills remote-control
remote-env rename reset resume rewind sandbox settings skills stats status statusline stickers tasks teleport
terminal-setup theme think-back todos upgrade usage vim workflow-launch-exec __remote-workflow
"""
TERMINAL_ONLY = frozenset(_TERMINAL_ONLY.split())


def name_of(message: str) -> str:
    """Return the name of the command that a message begins with, without the slash; "" if it begins with none."""
    return message[1:].split(maxsplit=1)[0] if message.startswith("/") and message[1:2].strip() else ""


def is_offered(name: str, offers: Offers) -> bool:
    """Tell whether this Claude knows the command."""
    return any(name in {each.name, *each.aliases} for each in offers.commands)


def only_run(offers: Offers) -> Offers:
    """Return the offers without the commands that cannot be run by typing them as a question is typed."""
    run = (
        replace(each, aliases=tuple(alias for alias in each.aliases if alias not in TERMINAL_ONLY))
        for each in offers.commands
        if each.name not in TERMINAL_ONLY
    )
    return replace(offers, commands=tuple(run))


def is_run(name: str, offers: Offers) -> bool:
    """Tell whether the command can be run by typing it as a question is typed."""
    return any(name in {each.name, *each.aliases} and not {each.name, name} & TERMINAL_ONLY for each in offers.commands)
