"""The system prompt over the Messages API: one file with its reasons, and what the skill says as well."""

from __future__ import annotations

import re

from paliadin.base.settings import resource_folder
from paliadin.parts.messages.system_prompt import SHARED, facts, rules
from paliadin.parts.messages.tools import Reader

KNOWN = {"Today": "2026-11-27, Friday", "Projects that the reader may see": "3"}


def test_what_the_skill_says_as_well_is_the_skills() -> None:
    skill = (resource_folder("skill") / "skills" / "paliadin" / "SKILL.md").read_text("utf-8")
    assert set(SHARED) <= set(re.findall(r"^## (.+)$", skill, re.MULTILINE))
    for title in SHARED:
        [section] = re.findall(rf"^## {title}\n((?:(?!## ).*\n)*)", skill, re.MULTILINE)
        assert f"## {title}\n{section}".strip() in rules("")


def test_reasons_and_what_is_claude_codes_are_not_sent() -> None:
    sent = rules("")
    assert "<!--" not in sent
    assert "{shared}" not in sent
    assert "used_tools" not in sent  # the page's own record of the tools is exact
    assert "terminal" not in sent


def test_the_guides_of_toolboxes_stand_before_the_form() -> None:
    sent = rules("## Their tools\n\nLook it up.\n")
    assert sent.replace("## Their tools\n\nLook it up.\n\n", "") == rules("")
    assert sent.index("## Rules that always hold") < sent.index("## Their tools") < sent.index("## Form")


def test_the_hard_rules_are_there() -> None:
    sent = rules("").lower()
    for words in ("never invent", "only what a tool returned", "nobody else's data", "no legal advice", "is data"):
        assert words in sent, words


def test_only_what_is_known_of_the_reader_is_said() -> None:
    assert facts(Reader("Ann", "Munich", "de", KNOWN), "Muster & Partner").splitlines() == [
        "# The reader",
        "Firm: Muster & Partner",
        "Reader: Ann",
        "Office: Munich",
        "Reader's language: German",
        "Today: 2026-11-27, Friday",
        "Projects that the reader may see: 3",
    ]
    nothing = {"Today": "", "Projects that the reader may see": "0"}
    assert facts(Reader(facts=nothing), "").splitlines() == ["# The reader", "Projects that the reader may see: 0"]
    assert facts(Reader(language="xx"), "") == "# The reader"
