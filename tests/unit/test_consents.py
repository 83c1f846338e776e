"""Who has agreed that their questions go to a model elsewhere."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from paliadin.base.errors import ConfigError, PaliadinError
from paliadin.base.retained import remove_person
from paliadin.parts.messages.consents import Consents
from paliadin.parts.messages.retention import kept
from paliadin.people.caller import Caller
from paliadin.people.person_key import PersonKey


def test_an_agreement_is_kept_for_this_person_place_and_model(tmp_path: Path) -> None:
    consents = Consents(tmp_path, "api.example", "m1")
    assert not consents.has_agreed(PersonKey("ann"))
    consents.agree(PersonKey("ann"), consents.version)
    assert consents.has_agreed(PersonKey("ann"))
    assert Consents(tmp_path, "api.example", "m1").has_agreed(PersonKey("ann"))
    assert not consents.has_agreed(PersonKey("ben"))
    for host, model in (("other.example", "m1"), ("api.example", "m2")):
        assert not Consents(tmp_path, host, model).has_agreed(PersonKey("ann"))


@pytest.mark.parametrize("version", ["", "1 api.example m2", None, 1, []])
def test_only_to_what_is_asked_now_can_be_agreed(tmp_path: Path, version: object) -> None:
    consents = Consents(tmp_path, "api.example", "m1")
    with pytest.raises(PaliadinError, match="has changed"):
        consents.agree(PersonKey("ann"), version)
    assert not (tmp_path / "consents.json").exists()


def test_who_comes_after_somebody_with_the_same_id_is_asked_anew(tmp_path: Path) -> None:
    consents = Consents(tmp_path, "api.example", "a-model")
    ann, cem = PersonKey("ann"), PersonKey("cem")
    for person in ann, cem:
        consents.agree(person, consents.version)
    asyncio.run(remove_person(kept(consents), "ann", deletes=False))
    for known in consents, Consents(tmp_path, "api.example", "a-model"):
        assert (known.has_agreed(ann), known.has_agreed(cem)) == (False, True)


def test_people_of_the_same_name_elsewhere_are_others() -> None:
    here, there = Caller.member("ann", None), Caller.embedded("ann", "https://app.example")
    assert len({here.person_key, there.person_key, Caller.embedded("ann", "https://b.example").person_key}) == 3


@pytest.mark.parametrize("content", ["{", "[]", '{"ann": 7}', '{"ann": {"version": "1"}}', "[" * 100_000])
def test_a_damaged_file_is_told(tmp_path: Path, content: str) -> None:
    (tmp_path / "consents.json").write_text(content)
    (tmp_path / "consents.json").chmod(0o600)
    with pytest.raises(ConfigError, match="damaged"):
        Consents(tmp_path, "api.example", "m1")
