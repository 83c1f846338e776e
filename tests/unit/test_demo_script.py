from pathlib import Path

from paliadin.demo.script import _without_envelope
from paliadin.prompt.context import Context
from paliadin.prompt.envelope import PromptFile, build_prompt

TURN = "01a1fdb6-b627-7948-85e7-ca4dc12d2878"


def test_the_script_reads_the_question_and_no_block_before_it() -> None:
    files = [PromptFile(Path("/a/a [deadline] note.png"), True), PromptFile(Path("/a/b.pdf"), False)]
    for context in (Context(), Context(route_name="a]b", user_selection_text='how "many" [files ]')):
        for attached in ((), files):
            assert _without_envelope(build_prompt(TURN, "Hello [files]", context, attached)) == "Hello [files]"
