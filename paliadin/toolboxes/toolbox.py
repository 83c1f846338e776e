"""Toolboxes: tools that run in this process for one person, whichever way a question took to the model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from paliadin.base.strict_json import JsonObject
from paliadin.people.person_key import PersonKey


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as a model gets it: `schema` is the JSON schema of its input.

    `suggests`: it makes an entry that waits for a person's approval, and is called with its turn. Its name begins with
    `suggest_`. All other tools only read.
    """

    name: str
    description: str
    schema: JsonObject
    title: str = ""
    suggests: bool = False


@dataclass(frozen=True, slots=True)
class Returned:
    """A tool's result: a text, such as JSON, or that of its error."""

    text: str
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class Words:
    """The texts about a toolbox for models."""

    instructions: str = ""  # of its MCP server: what the tools are for, in a sentence or two
    rule: str = ""  # for the system prompt of a Claude Code: what it must never forget
    guide: str = ""  # sections of the skill, in Markdown, each with a heading `## …`


class Toolbox(Protocol):
    """Tools under one name. The person's key decides whose data they show, never an argument."""

    name: str  # small letters: the tools are `mcp__<name>__…`
    words: Words

    def specs(self) -> Sequence[ToolSpec]:
        """Return the tools, always in the same order."""

    async def call(
        self, person: PersonKey, name: str, arguments: Mapping[str, object], turn_id: str | None
    ) -> Returned:
        """Call a tool as this person; `turn_id` is the turn that it comes from, if that is known.

        A failure is returned, and not raised: the model reads it.
        """

    async def facts(self, person: PersonKey) -> Mapping[str, str]:
        """Return facts about the person for a model that is asked over an API: fact → value."""


def full_name(toolbox: str, tool: str = "") -> str:
    """Return a tool's name in Claude Code and in the record; without a tool, the prefix of all of them."""
    return f"mcp__{toolbox}__{tool}"


def guides(toolboxes: Sequence[Toolbox]) -> str:
    """Return the guides of all toolboxes, one below the other."""
    return "\n".join(each.words.guide.strip() + "\n" for each in toolboxes)


def permission_rule(toolbox: str) -> str:
    """Return the rule that lets Claude Code call the toolbox's tools without asking."""
    return full_name(toolbox).removesuffix("__")
