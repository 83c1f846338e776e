"""The Markdown document of a conversation."""

import json

from paliadin.turns.conversation_export import as_json, as_markdown, file_name


def test_files_are_a_list_before_the_answer() -> None:
    turn = {
        "user_message": "What do they say?",
        "attachments": [{"name": "a.png"}, {"name": "b\nc.pdf"}],
        "response": "Nothing.",
    }
    written = as_markdown("Two files", [turn])
    assert "> What do they say?\n\n- Attached: a.png\n- Attached: b c.pdf\n\nNothing.\n" in written


def test_the_file_is_named_without_signs_and_double_blanks() -> None:
    assert file_name("Kätzchen & Co/../x", "md") == "Kätzchen Cox.md"


def test_words_that_are_not_confirmed_are_counted() -> None:
    mark = {"event": "unconfirmed", "data": {"message_id": "m1", "length": 1200}}
    turns = [
        {"user_message": "Stop me", "response": "Words", "error_code": "user_aborted", "events": [mark]},
        {"user_message": "And now?", "response": "Fine"},
    ]
    assert as_markdown("Stopped", turns).count("The last 1,200 characters were shown") == 1
    assert [turn["unconfirmed_chars"] for turn in json.loads(as_json("Stopped", turns))["turns"]] == [1200, 0]


def test_words_that_joined_stand_in_their_place() -> None:
    joined = [{"text": "and the other\none", "at": 7}, {"text": "and last", "at": 21}]
    turn = {"user_message": "Which?", "response": "I look.\n\nBoth: here.", "joined": joined}
    told = "I look.\n\n*Typed in the terminal meanwhile:*\n\n> and the other\n> one\n\nBoth: here.\n"
    assert told in as_markdown("Beside", [turn])
    assert as_markdown("Beside", [turn]).endswith("Both: here.\n\n*Typed in the terminal meanwhile:*\n\n> and last\n")
    assert json.loads(as_json("Beside", [turn]))["turns"][0]["joined"] == joined
