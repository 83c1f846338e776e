"""The people whom the owner lets in by name, and the browsers and tickets that are theirs."""

from __future__ import annotations

import json
import stat
from pathlib import Path
from typing import Any

import pytest

from paliadin.base.errors import ConfigError, InvalidField, NotFound, PaliadinError, StoreUnavailable
from paliadin.base.settings import Settings
from paliadin.daemon import check_owner
from paliadin.people.access import MAX_BROWSERS, OWNERS, Access
from paliadin.people.account import account_name
from paliadin.people.caller import Caller, Role
from paliadin.people.directory import MOST_PEOPLE, People, Person
from paliadin.people.person_key import PersonKey

APP = "https://app.example"


def signed_in(access: Access, person: str = OWNERS) -> str:
    cookie = access.sign_in(access.new_ticket(person), "Firefox")
    assert cookie
    return cookie


def test_who_was_added_is_there_after_a_restart_in_a_file_of_this_account_only(tmp_path: Path) -> None:
    people = People(tmp_path)
    assert people.list() == []
    assert not (tmp_path / "people.json").exists()
    ben = people.add("ben", "Ben Beispiel", office="München", language="de")
    ann = people.add("ann", "Ann Example")
    assert People(tmp_path).list() == [ann, ben]
    assert People(tmp_path).get("ben") == ben
    assert (ben.office, ben.language, ben.role) == ("München", "de", Role.MEMBER)
    assert stat.S_IMODE((tmp_path / "people.json").stat().st_mode) == 0o600


async def test_copies_of_the_people_are_renewed_but_one_whose_database_is_away(tmp_path: Path) -> None:
    people, renewed = People(tmp_path), []

    async def away() -> None:
        raise StoreUnavailable("away")

    async def renew() -> None:
        renewed.extend(person.id for person in people.list())

    people.on_change = [away, renew]
    people.add("ann", "Ann Example")
    await people.announce()
    assert renewed == ["ann"]


def test_a_member_of_the_owners_name_of_another_account_is_not_let_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The state folder was moved to another account: what is the owner's there would be the member's as well."""
    People(tmp_path).add("ann", "Ann")
    monkeypatch.setattr("paliadin.people.directory.account_name", lambda: "ann")
    with pytest.raises(ConfigError, match="has a member ann, which is the owner's own name"):
        People(tmp_path)


def test_who_is_removed_is_gone(tmp_path: Path) -> None:
    people = People(tmp_path)
    people.add("ann", "Ann")
    people.add("ben", "Ben")
    assert people.remove("ann").name == "Ann"
    assert People(tmp_path).get("ann") is None
    assert [person.id for person in people.list()] == ["ben"]
    with pytest.raises(NotFound, match="no person"):
        people.remove("ann")


@pytest.mark.parametrize(
    "fields",
    [
        *({"person_id": wrong} for wrong in ("", "Ann", "1a", "a b", "a/b", "a" * 33, "ä", "-a", None, 3, ["ann"])),
        *({"name": wrong} for wrong in ("", " Ann", "Ann\n", "a\u202eb", "\u3164", "x" * 81, None, 3, {})),
        *({"office": wrong} for wrong in ("x" * 81, "a\tb", None, [])),
        *({"language": wrong} for wrong in ("", "fr", "DE", None, ["de"], {})),
        *({"role": wrong} for wrong in ("", "admin", "Owner", None, ["owner"], {})),
    ],
    ids=str,
)
def test_what_does_not_fit_adds_nobody(tmp_path: Path, fields: dict[str, Any]) -> None:
    people, whole = People(tmp_path), {"person_id": "ann", "name": "Ann"} | fields
    with pytest.raises(InvalidField):
        people.add(whole.pop("person_id"), whole.pop("name"), **whole)
    assert People(tmp_path).list() == []


def test_one_person_has_an_id_and_one_is_the_owner(tmp_path: Path) -> None:
    people = People(tmp_path)
    assert people.owner is None
    olivia = people.add("olivia", "Olivia", role="owner")
    assert people.owner == olivia
    for wrong, code in ({"person_id": "olivia"}, "person_exists"), ({"role": "owner"}, "owner_exists"):
        with pytest.raises(PaliadinError) as caught:
            people.add(wrong.pop("person_id", "ben"), "Ben", **wrong)
        assert (caught.value.code, caught.value.status) == (code, 409)
    people.remove("olivia")
    assert people.add("ben", "Ben", role="owner") == people.owner


def test_there_are_only_so_many(tmp_path: Path) -> None:
    people = People(tmp_path)
    everybody = [Person(f"p{number}", "P").as_json() for number in range(MOST_PEOPLE)]
    path = tmp_path / "people.json"
    path.write_text(json.dumps({"people": everybody}))
    path.chmod(0o600)
    people = People(tmp_path)
    assert len(people.list()) == MOST_PEOPLE
    with pytest.raises(PaliadinError, match="500 people already"):
        people.add("one-more", "One")


ANN = Person("ann", "Ann").as_json()
OLIVIA = Person("olivia", "Olivia", role=Role.OWNER).as_json()


@pytest.mark.parametrize(
    "content",
    [
        *("", "{", "[]", "{}", "null", '{"people": 3}', '{"people": [3]}', '{"people": [{}]}'),
        *(json.dumps({"people": people}) for people in ([ANN, ANN], [OLIVIA, {**OLIVIA, "id": "ben"}])),
        *(json.dumps({"people": [{**ANN, **wrong}]}) for wrong in ({"role": "x"}, {"id": "../x"}, {"added_at": None})),
        json.dumps({"people": [{**ANN, "added_at": float("inf")}]}),
        pytest.param("[" * 20_000, id="deep"),
    ],
)
def test_a_damaged_file_stops_the_daemon_and_says_what_to_do(tmp_path: Path, content: str) -> None:
    path = tmp_path / "people.json"
    path.write_text(content)
    path.chmod(0o600)
    with pytest.raises(ConfigError, match="damaged") as caught:
        People(tmp_path)
    assert "--again" in caught.value.hint


def test_a_file_that_others_can_use_is_refused(tmp_path: Path) -> None:
    People(tmp_path).add("ann", "Ann")
    (tmp_path / "people.json").chmod(0o644)
    with pytest.raises(ConfigError, match="other accounts"):
        People(tmp_path)


def test_it_is_said_of_everybody_who_they_are_and_of_the_owner_no_account_to_others(tmp_path: Path) -> None:
    people = People(tmp_path)
    people.add("ann", "Ann Example", language="de")
    ann = {"id": "ann", "name": "Ann Example", "role": "member", "language": "de"}
    assert people.described(Caller.member("ann", None)) == ann
    assert people.described(Caller.embedded("ann", APP, people_origins=[APP])) == ann
    elsewhere = {"id": "ann", "name": "ann", "role": "member", "language": None}
    assert people.described(Caller.embedded("ann", APP)) == elsewhere
    eve = {"id": "eve", "name": "eve", "role": "member", "language": None}
    assert people.described(Caller.embedded("eve", APP)) == eve
    owner = {"id": account_name(), "name": "", "role": "owner", "language": None}
    assert people.described(Caller.owner()) == owner
    people.add("olivia", "Olivia", role="owner")
    assert people.described(Caller.owner()) == {"id": "olivia", "name": "Olivia", "role": "owner", "language": "en"}


# Their browsers.


def test_a_browser_is_that_of_the_person_for_whom_its_ticket_was_made(tmp_path: Path) -> None:
    access = Access(tmp_path)
    access.people.add("ann", "Ann")
    access.people.add("olivia", "Olivia", role="owner")
    cookies = {person: signed_in(access, person) for person in (OWNERS, "ann", "olivia")}
    found = {person: browser.person for person, each in cookies.items() if (browser := access.browser(each))}
    assert found == {OWNERS: OWNERS, "ann": "ann", "olivia": OWNERS}
    assert {browser.person for browser in Access(tmp_path).list_browsers()} == {OWNERS, "ann"}


def test_a_browser_of_a_file_that_names_nobody_is_the_owners(tmp_path: Path) -> None:
    cookie = signed_in(Access(tmp_path))
    stored = json.loads((tmp_path / "access.json").read_text())
    for each in stored["browsers"]:
        del each["person"]
    (tmp_path / "access.json").write_text(json.dumps(stored))
    browser = Access(tmp_path).browser(cookie)
    assert browser
    assert browser.person == OWNERS


def test_who_is_removed_is_signed_out_everywhere_and_their_tickets_are_void(tmp_path: Path) -> None:
    access = Access(tmp_path)
    for person in ("ann", "ben"):
        access.people.add(person, person)
    cookies = {person: signed_in(access, person) for person in (OWNERS, "ann", "ben")}
    ticket, bens, before = access.new_ticket("ann"), access.new_ticket("ben"), access.revocations
    access.people.remove("ann")
    assert access.browser(cookies["ann"]) is None
    access.sign_out_person("ann")
    assert access.revocations == before + 1
    assert access.sign_in(ticket, "") is None
    assert [person for person, cookie in cookies.items() if access.browser(cookie)] == [OWNERS, "ben"]
    assert access.sign_in(bens, "")
    access.people.add("ann", "Ann again")
    assert access.browser(cookies["ann"]) is Access(tmp_path).browser(cookies["ann"]) is None


def test_nobody_is_let_in_whose_entry_was_taken_away_by_hand(tmp_path: Path) -> None:
    access = Access(tmp_path)
    access.people.add("ann", "Ann")
    cookie = signed_in(access, "ann")
    (tmp_path / "people.json").unlink()
    assert Access(tmp_path).browser(cookie) is None
    assert Access(tmp_path).list_browsers() == []


def test_one_person_signs_out_no_other_by_signing_in_often(tmp_path: Path) -> None:
    access = Access(tmp_path)
    access.people.add("ann", "Ann")
    owners = signed_in(access)
    anns = [signed_in(access, "ann") for _ in range(MAX_BROWSERS + 1)]
    assert access.browser(owners)
    assert [bool(access.browser(cookie)) for cookie in (anns[0], anns[1], anns[-1])] == [False, True, True]


def test_who_signs_out_everywhere_signs_out_nobody_else(tmp_path: Path) -> None:
    access = Access(tmp_path)
    access.people.add("ann", "Ann")
    owners, anns = signed_in(access), [signed_in(access, "ann") for _ in range(2)]
    access.sign_out_person("ann")
    assert [bool(access.browser(cookie)) for cookie in (owners, *anns)] == [True, False, False]
    again = signed_in(access, "ann")
    access.sign_out_person(OWNERS)
    assert [bool(access.browser(cookie)) for cookie in (owners, again)] == [False, True]


def test_the_owners_name_in_applications_is_no_members(tmp_path: Path) -> None:
    people = People(tmp_path)
    people.add("ann", "Ann")
    people.add("olivia", "Olivia", role="owner")
    for name in (None, "olivia", "somebody"):
        check_owner(Settings(owner=name), people)
    with pytest.raises(ConfigError, match="PALIADIN_OWNER=ann is the id of a member"):
        check_owner(Settings(owner="ann"), people)


def test_a_key_means_one_person_and_is_read_as_it_was_written(tmp_path: Path) -> None:
    people = People(tmp_path)
    people.add("ann", "Ann Example")
    keys = [PersonKey(), PersonKey("ann"), PersonKey("ann", APP), PersonKey("ann", "https://b.example")]
    keys += [PersonKey(f"ann at {APP}", "https://b.example"), PersonKey(account_name(), APP), PersonKey("cem")]
    assert len({each.as_text for each in keys}) == len(keys)
    assert [PersonKey.parse(each.as_text) for each in keys] == keys
    assert [people.id_of(each) for each in keys] == [account_name(), "ann", "", "", "", "", ""]
    with pytest.raises(ValueError, match="has a name there"):
        PersonKey("", APP)


def test_whose_a_conversation_is_follows_without_asking_for_the_account(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lists ask it of each of thousands, and where no variable has the account's name it is read from a file."""

    def asked() -> str:
        raise NotImplementedError

    monkeypatch.setattr("paliadin.people.person_key.account_name", asked)
    assert PersonKey.of("ann", None, [APP]) == PersonKey("ann")
    assert PersonKey.of("ann", APP, []) == PersonKey("ann", APP)
    assert PersonKey.of("", None, [APP]) == PersonKey()


def test_an_applications_people_are_those_here_only_if_the_owner_says_so() -> None:
    assert PersonKey.of("ann", APP, []) == PersonKey("ann", APP)
    assert PersonKey.of("ann", APP, [APP]) == PersonKey.of("ann", None, []) == PersonKey("ann")
    assert PersonKey.of("", APP, []) == PersonKey()
    assert Caller.embedded("ann", APP, people_origins=["https://b.example"]).person_key == PersonKey("ann", APP)
    assert Caller.embedded("olivia", APP, "olivia").person_key == PersonKey()


@pytest.mark.parametrize("name", [account_name(), f"ann at {APP}", "Ann", "a b", "a" * 33])
def test_what_is_nobodys_id_here_is_a_name_there_whatever_the_owner_says(name: str) -> None:
    """The account's name would be the owner's, with the owner's own key; the second would be somebody elsewhere."""
    assert PersonKey.of(name, APP, [APP]) == PersonKey(name, APP)
    assert Caller.embedded(name, APP, "olivia", people_origins=[APP]).person_key == PersonKey(name, APP)
