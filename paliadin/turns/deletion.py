"""Deletes turns everywhere: the row and what refers to it, the folder, the captures, and the copy on a remote host."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from paliadin.base.errors import NotFound, PaliadinError
from paliadin.base.session_names import SessionName
from paliadin.base.settings import Settings
from paliadin.record.snapshot import Snapshot
from paliadin.record.store import Store
from paliadin.relays.ssh.hosts import Remote, load_remotes
from paliadin.relays.ssh.one_shot import forget
from paliadin.turnlog.folder import TurnFolder
from paliadin.turnlog.removal import remove_captures, remove_turn

BATCH_SIZE = 500  # rows deleted by one statement

SessionByTurn = Mapping[str, str]
"""turn_id → the session it ran in, as the record names it (`main@office` for a remote one)."""


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


async def delete_turns(settings: Settings, store: Store, turns: SessionByTurn, *, here_only: bool = False) -> int:
    """Delete the turns; return how many there were, as a row or as a folder.

    Raises PaliadinError, and deletes nothing on this machine, when a turn runs or its row is not finished (the daemon
    would write the row again), or when a remote host cannot be reached: without the row nobody would know what is left
    there. `here_only`: leave what remote hosts have.

    Remote hosts come first, then the folders, then the rows: after a failure the rows still say what to delete.
    """
    folders = [folder for turn_id in turns if (folder := _existing_folder(settings, turn_id))]
    for folder in folders:
        if not folder.recorded.exists():
            raise PaliadinError(
                f"the turn {folder.turn_id} is still running, or its row is not written yet",
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
    for folder in folders:
        remove_turn(settings, folder)
    remove_captures(settings, set(turns))
    return max(await _delete_rows(store, list(turns)), len(folders))


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


def _existing_folder(settings: Settings, turn_id: str) -> TurnFolder | None:
    try:
        folder = TurnFolder(settings.response_dir, turn_id)
        return folder if folder.path.exists() else None
    except NotFound:
        return None
