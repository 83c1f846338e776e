"""Declares what the Messages API keeps beside turns, which go as all turns do."""

from __future__ import annotations

from collections.abc import Sequence

from paliadin.base.retained import LeftBehind, Retained
from paliadin.parts.messages.consents import Consents
from paliadin.people.person_key import PersonKey


def kept(consents: Consents) -> Sequence[Retained]:
    """Return it: who comes after somebody with the same id has agreed to nothing."""

    async def forget(person_id: str, _deletes: bool) -> LeftBehind:
        consents.forget(PersonKey(person_id))
        return LeftBehind()

    return [
        Retained(
            "`$PALIADIN_HOME/consents.json`",
            "who agreed when to what is sent to the Messages API",
            "until you remove them, or delete the file: then everybody is asked again",
            of_person=forget,
        ),
        Retained(
            "database, `paliadin.questions_asked`",
            "with the Messages API: how many questions each person asked in which hour",
            "a day",
        ),
        Retained(
            "database, `paliadin.asked`, `steps`, `signals`",
            "with [several processes](scaling.md#several-processes): a running turn's question, what was said before, "
            "and its steps",
            "until the turn is over; an hour longer if the web process is away (30 s where "
            "[nothing is kept](messages.md#nothing-kept))",
        ),
        Retained(
            "`$PALIADIN_HOME/audit.secret`",
            "with [`PALIADIN_AUDIT=redacted`](messages.md#nothing-kept): the key of the hashes that stand in the place "
            "of words",
            "until you delete it: then equal questions have other hashes",
        ),
    ]
