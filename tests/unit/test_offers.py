"""What Claude offers is taken over as short visible texts; what is no name or no model is left out."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from paliadin.base.errors import RelayError
from paliadin.base.settings import load_settings
from paliadin.relays.commands import only_run
from paliadin.relays.offers import LONGEST_TEXT, MODEL, MOST_COMMANDS, Command, Model, Offers
from paliadin.relays.terminal.offers import OfferLists, permission_modes


def test_claude_codes_own_words_are_taken_over() -> None:
    offers = Offers.parse(
        {
            "models": [{"value": "opus[1m]", "displayName": "Opus", "description": "Best  for\nall", "other": 1}],
            "commands": [{"name": "mine", "description": "Do it", "argumentHint": "<file>", "aliases": ["my-own"]}],
            "modes": ["plan", "default", "nonsense"],
        }
    )
    assert offers.models == (Model("opus[1m]", "Opus", "Best for all"),)
    assert offers.commands == (Command("mine", "Do it", "<file>", ("my-own",)),)
    assert offers.modes == ("default", "plan")
    assert Offers.parse(json.loads(json.dumps(offers.as_json()))) == offers


@pytest.mark.parametrize(
    "value", [None, 7, [], {"models": 3, "commands": {"a": 1}, "modes": "plan"}, {"models": [None, 1]}]
)
def test_what_is_no_list_of_offers_offers_nothing(value: object) -> None:
    assert Offers.parse(value) == Offers()


@pytest.mark.parametrize("name", ["-x", "a b", "a\nb", "/a", "", "a" * 101, "ä", "$(id)", None, 3])
def test_what_cannot_be_an_argument_or_typed_is_left_out(name: object) -> None:
    assert Offers.parse({"models": [{"value": name}], "commands": [{"name": name}]}) == Offers()


def test_a_text_shows_what_would_be_hidden_and_is_short() -> None:
    command = {"name": "x", "description": "a\u202eb\x1b[31m" + "y" * 10_000_000, "argumentHint": 5}
    [kept] = Offers.parse({"commands": [command, command]}).commands
    assert kept.description.startswith("a⟨U+202E⟩b⟨U+001B⟩[31m")
    assert (len(kept.description), kept.argument_hint) == (LONGEST_TEXT, "")


def test_a_list_is_short_too_and_paliadins_own_skill_is_nobodys_to_call() -> None:
    many = [{"name": f"c{number}"} for number in range(5000)]
    assert len(Offers.parse({"commands": many}).commands) == MOST_COMMANDS
    own = [{"name": "paliadin", "description": "(paliadin) How to answer"}, {"name": "paliadin", "description": "Mine"}]
    assert Offers.parse({"commands": own}).commands == (Command("paliadin", "Mine"),)


def test_of_commands_with_the_same_name_the_one_that_is_run_is_shown() -> None:
    """Claude Code runs the first, to which letters of either case are the same; its own stands behind it."""
    replaced = [{"name": "Init", "description": "Mine (project)"}, {"name": "init", "description": "Make a CLAUDE.md"}]
    assert Offers.parse({"commands": replaced}).commands == (Command("Init", "Mine (project)"),)


def test_a_models_id_is_never_an_option() -> None:
    assert MODEL.fullmatch("us.anthropic/claude-opus-4-8[1m]:0")
    assert not any(map(MODEL.fullmatch, ("-p", "--help", "a b", "a;b", "", "a" * 101)))


def fake(folder: Path, body: str) -> Path:
    program = folder / "claude"
    program.write_text(f"#!{sys.executable}\nimport sys, time, json\n{body}\n")
    program.chmod(0o755)
    return program


def lists(folder: Path, program: Path) -> OfferLists:
    settings = load_settings({"PALIADIN_CLAUDE": str(program), "PALIADIN_HOME": str(folder / "home")})
    return OfferLists(settings, folder, {"PATH": "/usr/bin:/bin"})


@pytest.mark.parametrize(
    "body",
    [
        "sys.exit(1)",
        "print('not JSON')",
        "sys.stdout.write('x' * 8_000_000)",
        "print(json.dumps({'type': 'control_response', 'response': {'subtype': 'error'}}))",
    ],
)
async def test_a_claude_that_does_not_answer_is_an_error_with_a_hint(tmp_path: Path, body: str) -> None:
    with pytest.raises(RelayError) as raised:
        await lists(tmp_path, fake(tmp_path, body)).of(tmp_path, is_trusted=True)
    assert raised.value.code == "offers_unavailable"
    assert raised.value.hint


async def test_a_folder_with_thousands_of_skills_takes_claude_codes_own_commands_from_nobody(tmp_path: Path) -> None:
    body = """
skills = [{"name": f"skill-{number}", "description": "x" * 500} for number in range(10_000)]
models = [{"value": "sonnet", "displayName": "Sonnet", "description": ""}]
response = {"commands": [*skills, {"name": "init", "description": "own"}], "models": models}
print(json.dumps({"type": "control_response", "response": {"subtype": "success", "response": response}}))
"""
    offers = await lists(tmp_path, fake(tmp_path, body)).of(tmp_path, is_trusted=True)
    assert [offers.commands[0].name, offers.commands[-1].name] == ["skill-0", "init"]
    assert len(offers.commands) == MOST_COMMANDS
    assert [model.id for model in offers.models] == ["sonnet"]


async def test_a_claude_that_hangs_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("paliadin.relays.terminal.offers.TIMEOUT", 0.3)
    with pytest.raises(RelayError):
        await lists(tmp_path, fake(tmp_path, "time.sleep(60)")).of(tmp_path, is_trusted=True)


def test_the_modes_are_those_of_the_help_and_all_where_it_lists_none(tmp_path: Path) -> None:
    help_text = '  --permission-mode <mode>  Permission mode\\n   (choices: "acceptEdits",\\n  "manual", "plan", "new")'
    first = fake(tmp_path, f"print('''{help_text}''')")
    assert permission_modes(first, 1) == ("default", "acceptEdits", "plan")
    assert "bypassPermissions" in permission_modes(fake(tmp_path, "print('nothing')"), 2)


def test_only_what_can_be_run_is_listed() -> None:
    offers = Offers(commands=(Command("clear"), Command("review", aliases=("cost", "look")), Command("mine")))
    assert only_run(offers).commands == (Command("review", aliases=("look",)), Command("mine"))
