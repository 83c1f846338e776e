"""The daemon's port: nobody else listens where a browser may look for the page."""

from __future__ import annotations

import contextlib
import errno
import socket
from collections.abc import Iterator

import pytest

from paliadin.base import loopback_sockets
from paliadin.base.errors import ConfigError
from paliadin.base.loopback_sockets import listen
from paliadin.base.settings import load_settings
from tests.worlds.ports import own_port


@contextlib.contextmanager
def listening(port: int, host: str = "127.0.0.1") -> Iterator[list[socket.socket]]:
    with contextlib.ExitStack() as opened:
        listeners = listen(load_settings({"PALIADIN_PORT": str(port), "PALIADIN_HOST": host}))
        yield [opened.enter_context(listener) for listener in listeners]


def addresses(listeners: list[socket.socket]) -> list[str]:
    return [listener.getsockname()[0] for listener in listeners]


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("127.0.0.1", ["127.0.0.1", "::1"]),
        ("localhost", ["127.0.0.1", "::1"]),
        ("::1", ["::1", "127.0.0.1"]),
        ("127.0.0.5", ["127.0.0.5", "127.0.0.1", "::1"]),
    ],
)
def test_it_listens_wherever_a_browser_looks_for_the_page(host: str, expected: list[str]) -> None:
    port = own_port()
    with listening(port, host) as listeners:
        assert addresses(listeners) == expected
        assert {listener.getsockname()[1] for listener in listeners} == {port}


def test_without_a_port_it_listens_nowhere() -> None:
    options = {"PORT": "none", "SOCKET": "/run/paliadin.sock", "ADDRESS": "https://paliadin.example"}
    assert listen(load_settings({f"PALIADIN_{name}": value for name, value in options.items()})) == []


@pytest.mark.parametrize("address", ["127.0.0.1", "::1"])
def test_another_program_cannot_take_the_port_beside_it(address: str) -> None:
    port = own_port()
    with listening(port), pytest.raises(OSError, match="in use"):
        socket.create_server((address, port), family=socket.AF_INET6 if ":" in address else socket.AF_INET)


@pytest.mark.parametrize(("host", "shown"), [("127.0.0.1", "127.0.0.1"), ("::1", r"\[::1\]")])
def test_where_another_program_has_the_port_at_one_address_the_daemon_does_not_start(host: str, shown: str) -> None:
    port = own_port()
    with (
        socket.create_server((host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET),
        pytest.raises(ConfigError, match=rf"cannot listen on {shown}:{port}: ") as refused,
    ):
        listen(load_settings({"PALIADIN_PORT": str(port)}))
    assert "choose another port" in refused.value.hint
    with listening(port) as listeners:  # nothing was left open
        assert len(listeners) == 2


def test_an_address_that_this_machine_lacks_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loopback_sockets, "TRIED_BY_BROWSERS", ("127.0.0.1", "2001:db8::1"))
    with listening(own_port()) as listeners:
        assert addresses(listeners) == ["127.0.0.1"]


def test_any_port_is_one_that_is_free_at_every_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first ports that the system hands out are taken at ::1."""
    real, refusals = loopback_sockets._listen, iter([True, True, False])

    def listen_unless_refused(address: str, port: int) -> socket.socket:
        if address == "::1" and next(refusals):
            raise OSError(errno.EADDRINUSE, "Address already in use")
        return real(address, port)

    monkeypatch.setattr(loopback_sockets, "_listen", listen_unless_refused)
    with listening(0) as listeners:
        assert addresses(listeners) == ["127.0.0.1", "::1"]
        assert len({listener.getsockname()[1] for listener in listeners}) == 1
