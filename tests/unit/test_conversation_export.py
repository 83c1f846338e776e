"""The Markdown document of a conversation."""

from paliadin.turns.conversation_export import as_markdown, file_name


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
