"""Tickets, browsers that are signed in, keys of programs: what lets whom in, for how long, and what is stored of it."""

from __future__ import annotations

import json
import os
import stat
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from paliadin.base.errors import ConfigError, InvalidField, NotFound
from paliadin.people.access import (
    LONGEST_AGENT,
    MAX_BROWSERS,
    OWNERS,
    SIGN_IN_LIFETIME,
    Access,
    Purpose,
)
from paliadin.people.tickets import MAX_TICKETS, TICKET_LIFETIME, ticket_id

Later = Callable[[float], None]


@pytest.fixture
def later(monkeypatch: pytest.MonkeyPatch) -> Iterator[Later]:
    """Moves the clock on."""
    passed = [0.0]
    clock = time.time
    monkeypatch.setattr("time.time", lambda: clock() + passed[0])

    def move(seconds: float) -> None:
        passed[0] += seconds

    return move


def signed_in(access: Access, agent: str = "Firefox") -> str:
    cookie = access.sign_in(access.new_ticket(), agent)
    assert cookie
    return cookie


def stored(home: Path) -> str:
    return (home / "access.json").read_text()


# Tickets.


def test_a_ticket_signs_one_browser_in(tmp_path: Path) -> None:
    access = Access(tmp_path)
    ticket = access.new_ticket()
    assert access.tickets.is_waiting(ticket_id(ticket))
    assert access.sign_in(ticket, "Firefox")
    assert access.sign_in(ticket, "Firefox") is None
    assert not access.tickets.is_waiting(ticket_id(ticket))


@pytest.mark.parametrize("wrong", ["", "x", "é", "\udce9", "x" * 100_000])
def test_no_other_text_is_a_ticket(tmp_path: Path, wrong: str) -> None:
    access = Access(tmp_path)
    ticket = access.new_ticket()
    for text in (wrong, ticket + wrong if wrong else ticket[:-1], ticket_id(ticket)):
        assert access.sign_in(text, "") is None
    assert not any(map(access.tickets.is_waiting, (wrong, ticket, ticket_id(ticket)[:-1])))


def test_a_ticket_that_was_not_needed_signs_nobody_in(tmp_path: Path) -> None:
    access = Access(tmp_path)
    ticket = access.new_ticket()
    assert access.tickets.use_up(ticket) is not None
    assert access.sign_in(ticket, "") is None
    assert access.tickets.use_up(ticket) is None


def test_a_ticket_expires(tmp_path: Path, later: Later) -> None:
    access = Access(tmp_path)
    ticket = access.new_ticket()
    later(TICKET_LIFETIME - 1)
    assert access.tickets.is_waiting(ticket_id(ticket))
    later(1)
    assert access.sign_in(ticket, "") is None
    assert not access.tickets.is_waiting(ticket_id(ticket))


def test_the_oldest_of_too_many_tickets_is_no_longer_valid(tmp_path: Path) -> None:
    access = Access(tmp_path)
    tickets = [access.new_ticket() for _ in range(MAX_TICKETS + 1)]
    assert [access.tickets.is_waiting(ticket_id(ticket)) for ticket in tickets] == [False] + MAX_TICKETS * [True]


def test_a_ticket_is_not_valid_after_a_restart_and_is_not_stored(tmp_path: Path) -> None:
    ticket = Access(tmp_path).new_ticket()
    assert Access(tmp_path).sign_in(ticket, "") is None
    assert ticket not in stored(tmp_path)


# Browsers.


def test_a_cookie_is_known_after_a_restart_and_only_its_hash_is_stored(tmp_path: Path) -> None:
    cookie = signed_in(Access(tmp_path))
    [browser] = Access(tmp_path).list_browsers()
    assert Access(tmp_path).browser(cookie) == browser
    assert browser.agent == "Firefox"
    assert cookie not in stored(tmp_path)
    assert stat.S_IMODE((tmp_path / "access.json").stat().st_mode) == 0o600
    for wrong in ("", "x", cookie + "x", cookie[:-1], browser.digest, browser.id):
        assert Access(tmp_path).browser(wrong) is None


def test_a_browser_has_to_sign_in_again_some_day_however_often_it_is_used(tmp_path: Path, later: Later) -> None:
    access = Access(tmp_path)
    cookie = signed_in(access)
    later(SIGN_IN_LIFETIME - 10)
    assert access.browser(cookie)
    later(10)
    assert access.browser(cookie) is None
    assert access.list_browsers() == []
    assert Access(tmp_path).browser(cookie) is None


def test_the_last_use_of_a_browser_is_kept(tmp_path: Path, later: Later) -> None:
    access = Access(tmp_path)
    cookie = signed_in(access)
    [before] = access.list_browsers()
    later(3600)
    access.browser(cookie)
    [after] = Access(tmp_path).list_browsers()
    assert 3590 < after.last_used - before.last_used < 3700


def test_one_browser_is_signed_out_or_all(tmp_path: Path) -> None:
    access = Access(tmp_path)
    cookies = [signed_in(access, name) for name in ("one", "two", "three")]
    [two] = [browser for browser in access.list_browsers() if browser.agent == "two"]
    access.sign_out(two.id)
    assert [bool(access.browser(cookie)) for cookie in cookies] == [True, False, True]
    assert [bool(Access(tmp_path).browser(cookie)) for cookie in cookies] == [True, False, True]
    with pytest.raises(NotFound, match="no browser"):
        access.sign_out(two.id)
    access.sign_out_person(OWNERS)
    assert access.list_browsers() == Access(tmp_path).list_browsers() == []


def test_the_browser_used_least_recently_goes_when_there_are_too_many(tmp_path: Path, later: Later) -> None:
    access = Access(tmp_path)
    cookies = []
    for _ in range(MAX_BROWSERS):
        cookies.append(signed_in(access))
        later(1)
    later(3600)
    access.browser(cookies[0])
    cookies.append(signed_in(access))
    assert [bool(access.browser(cookie)) for cookie in cookies[:3]] == [True, False, True]
    assert len(access.list_browsers()) == MAX_BROWSERS


def test_a_browsers_description_is_cut(tmp_path: Path) -> None:
    access = Access(tmp_path)
    signed_in(access, "x" * 5000)
    assert [len(browser.agent) for browser in access.list_browsers()] == [LONGEST_AGENT]


def test_rotating_lets_nobody_in_any_longer_but_programs(tmp_path: Path) -> None:
    access = Access(tmp_path)
    cookie, ticket, key = signed_in(access), access.new_ticket(), access.add_key("curl", "owner")
    label, drawer = access.label, access.embed_tokens.issue("https://a.example", "ada")
    access.rotate()
    assert access.browser(cookie) is None
    assert access.sign_in(ticket, "") is None
    assert access.embed_tokens.verify(drawer, "https://a.example") is None
    assert access.label != label
    assert access.key(key)
    assert Access(tmp_path).label == access.label


def test_the_label_stays_and_could_be_the_name_of_a_host(tmp_path: Path) -> None:
    label = Access(tmp_path).label
    assert Access(tmp_path).label == label
    assert len(label) == 26
    assert label.isalnum()
    assert label == label.lower()
    assert len({Access(tmp_path / str(number)).label for number in range(20) if make(tmp_path / str(number))}) == 20


def make(folder: Path) -> Path:
    folder.mkdir()
    return folder


# Keys.


def test_a_key_is_shown_once_and_known_until_it_is_removed(tmp_path: Path) -> None:
    access = Access(tmp_path)
    secret = access.add_key("intranet", "embed")
    assert secret not in stored(tmp_path)
    key = Access(tmp_path).key(secret)
    assert key
    assert (key.name, key.purposes) == ("intranet", (Purpose.EMBED,))
    access.remove_key("intranet")
    assert access.key(secret) is Access(tmp_path).key(secret) is None
    with pytest.raises(NotFound):
        access.remove_key("intranet")


def test_a_rotated_key_has_the_same_purpose_and_the_old_one_is_not_valid(tmp_path: Path) -> None:
    access = Access(tmp_path)
    old = access.add_key("prometheus", "metrics")
    new = access.rotate_key("prometheus")
    assert access.key(old) is None
    key = access.key(new)
    assert key
    assert key.purposes == (Purpose.METRICS,)
    with pytest.raises(NotFound):
        access.rotate_key("other")


def test_the_last_use_of_a_key_is_kept(tmp_path: Path) -> None:
    access = Access(tmp_path)
    secret = access.add_key("prometheus", "metrics")
    assert access.list_keys()[0].last_used is None
    access.key(secret)
    assert Access(tmp_path).list_keys()[0].last_used == pytest.approx(time.time(), abs=60)


@pytest.mark.parametrize(
    ("name", "purpose"),
    [("", "embed"), ("a b", "embed"), ("-x", "embed"), ("x" * 65, "embed"), ("a/b", "embed"), ("a", ""), ("a", "all")],
)
def test_a_key_has_a_plain_name_and_a_known_purpose(tmp_path: Path, name: str, purpose: str) -> None:
    with pytest.raises(InvalidField):
        Access(tmp_path).add_key(name, purpose)


def test_two_keys_do_not_share_a_name(tmp_path: Path) -> None:
    access = Access(tmp_path)
    access.add_key("a", "embed")
    with pytest.raises(InvalidField):
        access.add_key("a", "embed")


def test_the_token_of_the_settings_is_a_key_and_is_not_stored(tmp_path: Path) -> None:
    access = Access(tmp_path, "a-configured-token-0123456789")
    key = access.key("a-configured-token-0123456789")
    assert key
    assert key.purposes == (Purpose.EMBED, Purpose.METRICS)
    assert [each.name for each in access.list_keys()] == ["PALIADIN_TOKEN"]
    assert Access(tmp_path).list_keys() == []


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "{}", '{"label": "x", "browsers": [{}], "keys": []}'])
def test_a_damaged_file_is_an_error_that_says_what_to_do(tmp_path: Path, text: str) -> None:
    (tmp_path / "access.json").write_text(text)
    (tmp_path / "access.json").chmod(0o600)
    with pytest.raises(ConfigError, match="damaged") as caught:
        Access(tmp_path)
    assert "Delete" in caught.value.hint


def test_a_file_that_others_could_have_written_is_refused(tmp_path: Path) -> None:
    Access(tmp_path)
    path = tmp_path / "access.json"
    path.chmod(0o620)
    with pytest.raises(ConfigError, match="other accounts can use") as caught:
        Access(tmp_path)
    assert f"chmod 600 {path}" in caught.value.hint
    path.chmod(0o600)
    path.rename(tmp_path / "elsewhere.json")
    path.symlink_to(tmp_path / "elsewhere.json")
    with pytest.raises(ConfigError, match="is a link"):
        Access(tmp_path)
    path.unlink()
    path.mkdir(mode=0o700)
    with pytest.raises((ConfigError, IsADirectoryError)):
        Access(tmp_path)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a file away")
def test_a_file_of_another_account_is_refused(tmp_path: Path) -> None:
    Access(tmp_path)
    os.chown(tmp_path / "access.json", 65534, -1)
    with pytest.raises(ConfigError, match="belongs to another account"):
        Access(tmp_path)


def test_the_file_is_json_that_another_start_reads_as_it_was(tmp_path: Path) -> None:
    access = Access(tmp_path)
    signed_in(access)
    access.add_key("a", "embed")
    again = Access(tmp_path)
    assert (again.label, again.list_browsers(), again.list_keys()) == (
        access.label,
        access.list_browsers(),
        access.list_keys(),
    )
    assert json.loads(stored(tmp_path))["label"] == access.label
