"""Takes turns off the record everywhere: the row with all that hangs on it, the folder, and what another host has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from paliadin.config import Settings
from paliadin.errors import NotFound, PaliadinError
from paliadin.folders import remove
from paliadin.remote import Remote, load_remotes
from paliadin.remote.errand import forget
from paliadin.store import Store
from paliadin.store.reading import Reading
from paliadin.turnlog import TurnFolder

AT_ONCE = 500  # rows

Sessions = Mapping[str, str]
"""turn_id → the session it ran in; one on another host is called `main@office`."""


async def turns_of(reading: Reading, person: str) -> Sessions:
    found = await reading.rows(
        "select turn_id, session_id from paliadin.turns where person = %(person)s", {"person": person}
    )
    return {str(row["turn_id"]): row["session_id"] for row in found}


def elsewhere(settings: Settings, turns: Sessions) -> dict[str, list[str]]:
    """Host, or daemon on the same database → those of the turns that it has a folder of."""
    found: dict[str, list[str]] = {}
    for turn_id, session in turns.items():
        if settings.local_name(session) is None:
            found.setdefault(session.partition("@")[2], []).append(turn_id)
    return found


async def delete(settings: Settings, store: Store, turns: Sessions, *, here_only: bool = False) -> int:
    """Returns how many there were, as a row or as a folder.

    Raises PaliadinError, and deletes nothing here, when one of them runs or its row is not finished (its daemon would
    write the row again), or when a host that has a folder of theirs cannot be reached: without the row nobody would
    know what is left there. `here_only`: other hosts are not asked.

    The other hosts go first, then the folders: should something fail then, the rows that are left tell what to delete.
    """
    folders = [folder for turn_id in turns if (folder := _folder(settings, turn_id))]
    for folder in folders:
        if not folder.recorded.exists():
            raise PaliadinError(
                f"the turn {folder.turn_id} runs, or its row is not written yet",
                hint="Wait for its end, or stop it on the page; then delete it.",
                code="turn_in_flight",
            )
    if not here_only:
        known = load_remotes(settings.home)
        # All hosts are looked up before the first is asked.
        for remote, turn_ids in [(_known(known, host), ids) for host, ids in elsewhere(settings, turns).items()]:
            try:
                await forget(remote, turn_ids)
            except PaliadinError as error:
                raise PaliadinError(
                    f"nothing was deleted here: {error.message}",
                    hint=f"Delete again when that is mended, or leave what {remote.name} has with --here-only.",
                    code=error.error_code,
                ) from error
    for folder in folders:
        remove(settings, folder)
    return max(await _delete_rows(store, list(turns)), len(folders))


def _known(remotes: Mapping[str, Remote], host: str) -> Remote:
    if host not in remotes:
        raise NotFound(
            f"nothing was deleted: some ran on {host}, which is no host of this daemon",
            code="unknown_host",
            hint=f"If {host} is another daemon, delete them there; a host you have removed can be added again "
            "(`paliadin remote add`). Or leave what it has with --here-only.",
        )
    return remotes[host]


async def _delete_rows(store: Store, turn_ids: Sequence[str]) -> int:
    rows = 0
    for number in range(0, len(turn_ids), AT_ONCE):
        rows += await store.delete(turn_ids[number : number + AT_ONCE])
    return rows


def _folder(settings: Settings, turn_id: str) -> TurnFolder | None:
    try:
        folder = TurnFolder(settings.response_dir, turn_id)
        return folder if folder.path.exists() else None
    except NotFound:
        return None
