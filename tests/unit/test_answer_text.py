from __future__ import annotations

from paliadin.events.answer_text import AnswerMessage
from paliadin.events.chips import Chip


def test_what_is_shown_is_without_markers() -> None:
    message = AnswerMessage("a1")
    text = "See [chip:nav:/a].\n\n---\n[paliadin-meta]\nused_tools: none\n[/paliadin-meta]\n"
    shown = [*message.add(text), *message.finish()]
    assert message.visible_text == "See."
    assert [piece for piece in shown if isinstance(piece, Chip)] == [Chip("nav", "nav", value="/a")]
    assert message.trailer


def test_finishing_twice_shows_nothing_twice() -> None:
    message = AnswerMessage("a1")
    list(message.add("one [#dead"))
    assert list(message.finish()) == [" [#dead"]
    assert list(message.finish()) == []


def test_a_message_has_started_once_something_of_it_was_seen() -> None:
    for text, started in (("[#dead", False), ("\n\n---", False), ("x", True), ("[chip:nav:/a] x", True)):
        message = AnswerMessage("a1")
        list(message.add(text))
        assert message.started is started
