from __future__ import annotations

from paliadin.events.answer_text import Answer, AnswerMessage
from paliadin.events.chips import Chip
from paliadin.steps.model import Text


def test_what_is_shown_is_without_markers() -> None:
    message = AnswerMessage("a1")
    text = "See [chip:nav:/a].\n\n---\n[paliadin-meta]\nused_tools: none\n[/paliadin-meta]\n"
    shown = [*message.add(text), *message.finish()]
    assert message.visible_text == "See."
    assert [piece for piece in shown if isinstance(piece, Chip)] == [Chip("nav", "nav", value="/a")]
    assert message.trailer


def test_finishing_twice_shows_nothing_twice() -> None:
    message = AnswerMessage("a1")
    list(message.add("one [chip"))
    assert list(message.finish()) == [" [chip"]
    assert list(message.finish()) == []


def test_a_message_has_started_once_something_of_it_was_seen() -> None:
    for text, started in (("[chip", False), ("\n\n---", False), ("x", True), ("[chip:nav:/a] x", True)):
        message = AnswerMessage("a1")
        list(message.add(text))
        assert message.started is started


TRAILER = "\n\n---\n[paliadin-meta]\nused_tools: %s\nrows_seen: 1\nclassifier_tag: data\n[/paliadin-meta]\n"


def shown(answer: Answer, *steps: Text) -> str:
    return "".join(str(piece) for step in steps for _, piece in answer.add(step))


def test_a_final_piece_shows_what_was_held_back_once() -> None:
    answer = Answer()
    assert shown(answer, Text(1, "m", "one [chip")) == "one"
    assert shown(answer, Text(1, "m", "", final=True)) == " [chip"
    assert shown(answer, Text(1, "m", "", final=True)) == ""
    assert list(answer.finish()) == []


def test_a_retracted_message_shows_nothing_more_and_is_no_part_of_the_answer() -> None:
    answer = Answer()
    shown(answer, Text(1, "m1", "One [chip"), Text(1, "m2", "Two " + TRAILER % "Read"), Text(1, "m3", "Three"))
    assert answer.retract("m1")
    assert shown(answer, Text(1, "m1", "late")) == ""
    assert "m1" not in {message.id for message, _ in answer.finish()}
    assert answer.text == "Two\n\nThree"


def test_retracting_tells_whether_anything_was_seen_and_only_once() -> None:
    answer = Answer()
    shown(answer, Text(1, "seen", "One"), Text(1, "unseen", ""))
    assert [answer.retract(name) for name in ("seen", "seen", "unseen", "unknown")] == [True, False, False, False]


def test_the_last_trailer_of_several_messages_counts() -> None:
    answer = Answer()
    assert answer.trailer is None
    shown(answer, Text(1, "m1", "One" + TRAILER % "Read"), Text(1, "m2", "Two" + TRAILER % "Bash"), Text(1, "m3", "x"))
    list(answer.finish())
    assert answer.trailer is not None
    assert answer.trailer.used_tools == ("Bash",)
