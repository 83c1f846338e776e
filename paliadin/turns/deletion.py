"""Deletes turns everywhere: all that is kept of them here, and the copy on a remote host."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping, Sequence

from paliadin.base.errors import NotFound, PaliadinError, StoreUnavailable
from paliadin.base.retained import LeftBehind, Retained, remove_turns
from paliadin.base.session_names import SessionName
from paliadin.base.settings import Settings
from paliadin.record.snapshot import Snapshot
from paliadin.record.store import Store
from paliadin.relays.ssh.hosts import Remote, load_remotes
from paliadin.relays.ssh.one_shot import forget
from paliadin.turnlog.removal import existing_folder, is_recorded, kept_for_readers, kept_of_turns

log = logging.getLogger(__name__)

BATCH_SIZE = 500  # rows deleted by one statement

SessionByTurn = Mapping[str, str]
"""turn_id → the session it ran in, as the record names it (`main@office` for a remote one)."""


def kept_here(
    settings: Settings,
    store: Store,
    others: Sequence[Retained],
    queued: Callable[[], Collection[str]] = tuple,
    running_ids: Callable[[], Collection[str]] = tuple,
) -> list[Retained]:
    """Return what a daemon keeps that goes with turns, people and time: `others` are the parts'.

    The rows come last: after a failure they still say what to delete. `queued` and `running_ids` are for sweeping, and
    described in `turnlog.removal`.
    """
    rows = Retained(
        "database, `paliadin.turns` and `paliadin.turn_facts`",
        "question, answer, context, person, session, tools with times, tokens, thumbs, how many facts of the answer "
        "were found",
        "until you delete it",
        of_turns=lambda turn_ids: _delete_rows(store, list(turn_ids)),
    )
    of_turns = kept_of_turns(settings, is_recorded, queued)
    if not settings.keeps_words:
        of_turns.append(kept_for_readers(settings, running_ids))
    return [*of_turns, _kept_keys(store), *others, rows]


def _kept_keys(store: Store) -> Retained:
    async def remove(person_id: str, _deletes: bool) -> LeftBehind:
        try:
            await store.remove_own_key(person_id)
        except StoreUnavailable as error:
            log.warning("whether %s had an own key is not known, and it would stay: %s", person_id, error.message)
        return LeftBehind()

    return Retained(
        "database, `paliadin.own_keys`, and `$PALIADIN_HOME/own_keys.secret`",
        "people's [own keys](messages.md#a-persons-own-key) for the Messages API, sealed, and what opens them",
        "until they, or you, remove them",
        of_person=remove,
    )


async def turns_of_person(snapshot: Snapshot, person: str) -> SessionByTurn:
    """Return every turn on record that this person asked."""
    rows = await snapshot.rows(
        "select turn_id, session_id from paliadin.turns where person = %(person)s", {"person": person}
    )
    return {str(row["turn_id"]): row["session_id"] for row in rows}


def remote_turns(settings: Settings, turns: SessionByTurn) -> dict[str, list[str]]:
    """Group the turns of other machines: the name after `@` (a host or another daemon) → its turn ids."""
    turn_ids: dict[str, list[str]] = {}
    for turn_id, session in turns.items():
        if settings.names.short(session) is None:
            turn_ids.setdefault(SessionName.parse(session).place or "", []).append(turn_id)
    return turn_ids


async def delete_turns(
    settings: Settings, retained: Sequence[Retained], turns: SessionByTurn, *, here_only: bool = False
) -> int:
    """Delete the turns, with what is `retained` of them here; return how many there were, as a row or as a folder.

    Raises PaliadinError, and deletes nothing on this machine, when a turn runs or its row is not finished (the daemon
    would write the row again), or when a remote host cannot be reached: without the row nobody would know what is left
    there. `here_only`: leave what remote hosts have.

    Remote hosts come first.
    """
    for turn_id in turns:
        if (folder := existing_folder(settings, turn_id)) and not is_recorded(folder):
            raise PaliadinError(
                f"the turn {turn_id} is still running, or its row is not written yet",
                hint="Wait until it has ended, or stop it on the page; then delete it.",
                code="turn_in_flight",
            )
    if not here_only:
        remotes = load_remotes(settings.home)
        # Every host is looked up before the first one deletes anything.
        for remote, turn_ids in [(_remote(remotes, host), ids) for host, ids in remote_turns(settings, turns).items()]:
            try:
                await forget(remote, turn_ids)
            except PaliadinError as error:
                raise PaliadinError(
                    f"nothing was deleted here: {error.message}",
                    hint=f"Try again once that is fixed, or leave what {remote.name} has with --here-only.",
                    code=error.code,
                ) from error
    return await remove_turns(retained, turns)


def _remote(remotes: Mapping[str, Remote], host: str) -> Remote:
    if host not in remotes:
        raise NotFound(
            f"nothing was deleted: some of the turns ran on {host}, which is not a host of this daemon",
            code="unknown_host",
            hint=f"If {host} is another daemon, delete them there. A host that you have removed can be added again "
            "(`paliadin remote add`). Or leave what it has with --here-only.",
        )
    return remotes[host]


async def _delete_rows(store: Store, turn_ids: Sequence[str]) -> int:
    count = 0
    for start in range(0, len(turn_ids), BATCH_SIZE):
        count += await store.delete(turn_ids[start : start + BATCH_SIZE])
    return count
