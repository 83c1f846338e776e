"""What the stream tells of other sessions."""

from __future__ import annotations

from dataclasses import replace

import pytest

from paliadin.base.session_names import SessionNames
from paliadin.events.model import Event, Status
from paliadin.people.caller import Caller
from paliadin.web.doors.encoder import as_shown
from paliadin.web.doors.server_sent_events import ServerSentEvents

OWNER = Caller.owner()


@pytest.mark.parametrize(
    ("caller", "shown"),
    [
        (OWNER, '["main", "k3@office"]'),
        (replace(OWNER, forwarded_by="tower"), '["main@laptop", "k3@office"]'),
        (Caller.embedded("eve", "https://app.example"), "[]"),
    ],
)
def test_the_sessions_that_a_turn_waits_for_are_named_as_in_the_callers_list(caller: Caller, shown: str) -> None:
    names = SessionNames("laptop", ("tower",))
    held = Event(2, Status("held", "Waiting for a free place", ["main@laptop", "k3@office"]))
    assert f'"held_by": {shown}' in ServerSentEvents().encode(as_shown([held], caller, names)).decode()
