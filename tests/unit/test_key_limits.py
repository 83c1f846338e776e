"""From where and until when a key is valid, and the line that says so."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from paliadin.base.errors import ConfigError
from paliadin.cli.remote_key import authorized_keys_line
from paliadin.relays.ssh.hosts import Remote, load_remotes, save_remote
from paliadin.relays.ssh.key_limits import check_expiry, check_sources, format_expiry

TODAY = date(2027, 6, 30)


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ("192.0.2.7", "192.0.2.7"),
        (" 192.0.2.0/24", "192.0.2.0/24"),
        ("192.0.2.7/32", "192.0.2.7/32"),
        ("2001:DB8::0:1", "2001:db8::1"),
        ("2001:db8::/32", "2001:db8::/32"),
    ],
)
def test_an_address_or_network_is_taken_as_openssh_does(text: str, taken: str) -> None:
    assert check_sources([text]) == (taken,)


@pytest.mark.parametrize(
    "text",
    ["", "*", "!192.0.2.7", "192.0.2.*", "office.example", "192.0.2.7/24", "192.0.2.7/33", "192.0.2", "fe80::1%eth0",
     '192.0.2.7",command="sh', "192.0.2.7\nssh-ed25519 AAAA", "\u0663.3.3.3"],
)  # fmt: skip
def test_everything_else_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"address or network|zone"):
        check_sources([text])


@pytest.mark.parametrize(
    ("text", "written"), [("2027-07-01", "20270701"), ("2027-07-01T08:05", "202707010805"), ("9999-12-31", "99991231")]
)
def test_a_day_or_a_time_is_written_as_openssh_reads_it(text: str, written: str) -> None:
    assert check_expiry(text, TODAY) == text
    assert format_expiry(text) == written


@pytest.mark.parametrize(
    "text",
    ["", "tomorrow", "2027-7-1", "01.07.2027", "2027-02-30", "2027-07-01 08:05", "2027-07-01T08:05Z", "2027"],
)
def test_what_is_no_day_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="day or time"):
        check_expiry(text, TODAY)


@pytest.mark.parametrize("text", ["2027-06-30", "2027-06-30T23:59", "1999-01-01"])
def test_a_day_that_is_not_to_come_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not after today"):
        check_expiry(text, TODAY)


def host(home: Path, **fields: Any) -> Remote:
    key = home / "key"
    key.with_suffix(".pub").write_text("ssh-ed25519 AAAA paliadin far\n")
    return Remote("far", "me@far.example", key=str(key), known_as="laptop", **fields)


def test_the_line_has_the_limits_that_are_set(tmp_path: Path) -> None:
    plain = 'command="paliadin-shim --name laptop --sessions main",restrict ssh-ed25519 AAAA paliadin far'
    assert authorized_keys_line(host(tmp_path)) == plain
    limited = host(tmp_path, may="ask", sources=("192.0.2.7", "2001:db8::/32"), expires="2027-07-01")
    assert authorized_keys_line(limited) == (
        'command="paliadin-shim --name laptop --sessions main --may ask",restrict,from="192.0.2.7,2001:db8::/32",'
        'expiry-time="20270701" ssh-ed25519 AAAA paliadin far'
    )


def test_limits_are_kept_in_the_list_of_hosts_which_may_be_of_an_older_version(tmp_path: Path) -> None:
    limited = host(tmp_path, may="read", sources=("192.0.2.7",), expires="2027-07-01")
    save_remote(tmp_path, limited)
    assert load_remotes(tmp_path)["far"] == limited
    (tmp_path / "remotes.json").write_text('{"far": {"destination": "me@far.example"}}')
    (tmp_path / "remotes.json").chmod(0o600)
    assert load_remotes(tmp_path)["far"] == Remote("far", "me@far.example")


@pytest.mark.parametrize(
    "fields", [{"may": 'ask" --sessions x'}, {"sources": ('192.0.2.7",pty,from="*',)}, {"expires": '2027",pty'}]
)
def test_what_would_change_the_line_is_no_host(tmp_path: Path, fields: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match="limits of the key"):
        host(tmp_path, **fields)
