"""Takes turns off the record everywhere: the row with all that hangs on it, and the folder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from paliadin.config import Settings
from paliadin.errors import NotFound, PaliadinError
from paliadin.store import Store
from paliadin.store.reading import Reading
from paliadin.turnlog import TurnFolder

AT_ONCE = 500  # rows


async def turns_of(reading: Reading, person: str) -> list[str]:
    found = await reading.rows("select turn_id from paliadin.turns where person = %(person)s", {"person": person})
    return [str(row["turn_id"]) for row in found]


async def delete(settings: Settings, store: Store, turn_ids: Sequence[str]) -> int:
    """Returns how many there were, as a row or as a folder.

    Raises PaliadinError, and deletes nothing, when one of them runs or its row is not finished: its daemon would write
    the row again. The folders go first: should the database fail then, the rows that are left can still be deleted.
    """
    folders = [folder for turn_id in turn_ids if (folder := _folder(settings, turn_id))]
    for folder in folders:
        if not folder.recorded.exists():
            raise PaliadinError(
                f"the turn {folder.turn_id} runs, or its row is not written yet",
                hint="Wait for its end, or stop it on the page; then delete it.",
                code="turn_in_flight",
            )
    for folder in folders:
        remove(settings, folder)
    rows = 0
    for number in range(0, len(turn_ids), AT_ONCE):
        rows += await store.delete(turn_ids[number : number + AT_ONCE])
    return max(rows, len(folders))


def remove(settings: Settings, folder: TurnFolder) -> None:
    """The folder, the session's links to it, and the day's folder if that is empty now."""
    for link in _links(settings, folder):
        link.unlink(missing_ok=True)
    folder.discard()
    if folder.path.parent.exists() and not any(folder.path.parent.iterdir()):
        folder.path.parent.rmdir()


def _folder(settings: Settings, turn_id: str) -> TurnFolder | None:
    try:
        folder = TurnFolder(settings.response_dir, turn_id)
        return folder if folder.path.exists() else None
    except NotFound:
        return None


def _links(settings: Settings, folder: TurnFolder) -> Iterator[Path]:
    """sessions/<name>/prompts/<prompt_id> and expected/<turn_id>."""
    names = [("expected", folder.turn_id)]
    mark = folder.path / "prompt_id"
    if mark.exists():
        names.append(("prompts", mark.read_text("utf-8", "replace").strip()))
    for kind, name in names:
        for session in settings.sessions_dir.glob("*"):
            link = session / kind / name
            if "/" not in name and link.is_symlink():
                yield link
