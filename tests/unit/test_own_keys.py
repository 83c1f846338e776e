"""A person's own key: sealed with a secret that is not in the database, and nobody else's."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from paliadin.base.errors import ConfigError, OwnKeyRefused
from paliadin.parts.messages.own_keys import FILE, OwnKeys
from paliadin.people.person_key import PersonKey

KEY = "sk-ant-of-ann-0123456789"

ANN, BEN = PersonKey("ann"), PersonKey("ben")


class Table:
    """The table, in memory."""

    def __init__(self) -> None:
        self.rows: dict[str, dict[str, Any]] = {}

    async def own_key(self, person: str) -> dict[str, Any] | None:
        return self.rows.get(person)

    async def save_own_key(self, person: str, sealed: str) -> None:
        self.rows[person] = {"sealed": sealed, "saved_at": datetime.now(UTC)}

    async def remove_own_key(self, person: str) -> bool:
        return self.rows.pop(person, None) is not None


async def test_it_comes_back_as_it_was_and_the_database_alone_opens_nothing(tmp_path: Path) -> None:
    keys = OwnKeys(table := Table(), tmp_path)
    assert (await keys.of(ANN), await keys.saved_at(ANN)) == (None, None)
    assert not (tmp_path / FILE).exists()
    await keys.save(ANN, KEY)
    assert await OwnKeys(table, tmp_path).of(ANN) == KEY
    assert KEY not in str(table.rows)
    assert KEY not in (tmp_path / FILE).read_text()
    assert oct((tmp_path / FILE).stat().st_mode & 0o777) == "0o600"
    assert [each.name for each in tmp_path.iterdir()] == [FILE]
    with pytest.raises(OwnKeyRefused):
        await OwnKeys(table, tmp_path / "elsewhere").of(ANN)


async def test_anothers_sealed_key_opens_nothing(tmp_path: Path) -> None:
    """Whoever can write to the database does not ask at another person's expense."""
    keys = OwnKeys(table := Table(), tmp_path)
    await keys.save(ANN, KEY)
    table.rows["ben"] = table.rows["ann"]
    with pytest.raises(OwnKeyRefused, match="somebody else's"):
        await keys.of(BEN)


async def test_each_sealing_differs_and_the_secret_stays(tmp_path: Path) -> None:
    keys = OwnKeys(table := Table(), tmp_path)
    await keys.save(ANN, KEY)
    secret, sealed = (tmp_path / FILE).read_bytes(), table.rows["ann"]["sealed"]
    await keys.save(ANN, KEY)
    assert (tmp_path / FILE).read_bytes() == secret
    assert table.rows["ann"]["sealed"] != sealed
    assert await keys.remove(ANN)
    assert not await keys.remove(ANN)
    assert await keys.of(ANN) is None


async def test_a_damaged_secret_is_told_and_never_replaced(tmp_path: Path) -> None:
    keys = OwnKeys(Table(), tmp_path)
    await keys.save(ANN, KEY)
    (tmp_path / FILE).write_text("no secret")
    with pytest.raises(OwnKeyRefused):
        await keys.of(ANN)
    with pytest.raises(ConfigError, match="is damaged"):
        await keys.save(ANN, KEY)
    assert (tmp_path / FILE).read_text() == "no secret"


async def test_somebody_of_an_application_has_no_key_of_a_person_here(tmp_path: Path) -> None:
    keys, theirs = OwnKeys(Table(), tmp_path), PersonKey("ann", "https://app.example")
    await keys.save(ANN, KEY)
    assert await keys.of(theirs) is None
    assert not await keys.remove(theirs)
    assert await keys.of(ANN) == KEY
