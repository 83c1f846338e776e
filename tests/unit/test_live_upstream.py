"""Where requests go is what the owner's own settings say, read as Claude Code reads them."""

from __future__ import annotations

import json
import os
import ssl
from collections.abc import Mapping
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from paliadin.live import upstream
from paliadin.live.connections import proxy_authorization
from paliadin.live.upstream import (
    NotPossible,
    Upstream,
    choose_upstream,
    claude_variables,
    tls_context,
)

BASE = "ANTHROPIC_BASE_URL"


def chosen(**variables: str) -> Upstream:
    return choose_upstream(variables, {})


def proxied(excluded: str, base: str = "https://api.example.com", **more: str) -> bool:
    variables = {BASE: base, "HTTPS_PROXY": "http://proxy:3128", "NO_PROXY": excluded}
    return chosen(**variables | more).proxy is not None


# The address.


@pytest.mark.parametrize(
    ("address", "parts", "authority"),
    [
        ("", ("https", "api.anthropic.com", 443, ""), "api.anthropic.com"),
        ("https://Gateway.example", ("https", "gateway.example", 443, ""), "gateway.example"),
        ("https://gateway.example/llm/anthropic/", ("https", "gateway.example", 443, "/llm/anthropic"), None),
        ("http://127.0.0.1:4000", ("http", "127.0.0.1", 4000, ""), "127.0.0.1:4000"),
        ("http://gateway:443", ("http", "gateway", 443, ""), "gateway:443"),
        ("https://gateway:80/a", ("https", "gateway", 80, "/a"), "gateway:80"),
        ("https://[::1]:8443/", ("https", "::1", 8443, ""), "[::1]:8443"),
        ("http://[fd00::1]", ("http", "fd00::1", 80, ""), "[fd00::1]"),
    ],
)
def test_the_address_gives_scheme_host_port_and_path(
    address: str, parts: tuple[str, str, int, str], authority: str | None
) -> None:
    found = chosen(**{BASE: address})
    assert (found.scheme, found.host, found.port, found.path) == parts
    assert authority in (None, found.authority)


@pytest.mark.parametrize(
    "address",
    [
        "gateway.example",
        "//gateway.example",
        "ftp://gateway.example",
        "https://",
        "https:///v1",
        "https://gateway.example:99999",
        "https://gateway.example:0",
        "https://gateway.example:x",
        "https://[::1",
        "https://gateway.example/a b",
        "https://gateway.example/a\r\nX: y",
        "https://gäteway.example",
        "https://user@gateway.example",
        "https://user:secret@gateway.example",
        "https://gateway.example/?key=a",
        "https://gateway.example/#a",
    ],
)
def test_an_odd_address_is_refused_and_not_repeated(address: str) -> None:
    with pytest.raises(NotPossible) as refused:
        chosen(**{BASE: address})
    assert BASE in str(refused.value)
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("name", upstream.PLATFORMS)
def test_another_platform_is_named(name: str) -> None:
    for value in ("1", "true", "yes", " TRUE"):
        with pytest.raises(NotPossible, match=name):
            chosen(**{name: value})
    for value in ("", "0", "false", "No", "off", " "):
        assert chosen(**{name: value}).host == "api.anthropic.com"


def test_a_socket_and_an_address_that_managed_settings_fix_are_refused() -> None:
    with pytest.raises(NotPossible, match="Unix socket"):
        chosen(ANTHROPIC_UNIX_SOCKET="/run/claude.sock")
    with pytest.raises(NotPossible, match="managed settings"):
        choose_upstream({BASE: "https://gateway.example"}, {BASE: "https://gateway.example"})


def test_tool_search_stays_as_it_is_without_the_pass_through() -> None:
    assert chosen().claude["ENABLE_TOOL_SEARCH"] == "true"
    assert "ENABLE_TOOL_SEARCH" not in chosen(ENABLE_TOOL_SEARCH="false").claude
    assert "ENABLE_TOOL_SEARCH" not in chosen(**{BASE: "https://gateway.example"}).claude


# Proxies.


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_the_proxy_is_the_first_that_is_named(scheme: str) -> None:
    names = ["https_proxy", "HTTPS_PROXY", "http_proxy", "HTTP_PROXY"]
    variables = {name: f"http://{name.lower()}{place}:3128" for place, name in enumerate(names)}
    for place, name in enumerate(names):
        proxy = chosen(**{BASE: f"{scheme}://gateway"}, **variables).proxy
        assert proxy is not None
        assert proxy.hostname == f"{name.lower()}{place}"
        variables[name] = ""
    assert chosen(**{BASE: f"{scheme}://gateway"}, **variables).proxy is None
    assert chosen(ALL_PROXY="socks5://proxy").proxy is None


@pytest.mark.parametrize("proxy", ["https://proxy:3128", "socks5://proxy", "proxy:3128", "http://", "http://pro xy"])
def test_a_proxy_that_cannot_be_used_is_refused(proxy: str) -> None:
    with pytest.raises(NotPossible, match="HTTPS_PROXY"):
        chosen(HTTPS_PROXY=proxy)


@pytest.mark.parametrize(
    "no_proxy",
    [
        "*",
        "a.example,*",
        "api.example.com",
        "API.Example.com",
        "other, api.example.com",
        "other api.example.com",
        "other\tapi.example.com",
        ".example.com",
        "*.example.com",
        "example.com",
        "api.example.com:443",
        ".example.com:443",
    ],
)
def test_a_host_that_is_excluded_is_reached_without_the_proxy(no_proxy: str) -> None:
    assert not proxied(no_proxy)


@pytest.mark.parametrize(
    "no_proxy",
    [
        "",
        ",",
        ":443",
        "api.example.com:444",
        "xample.com",
        "api.example.co",
        "pi.example.com",
        "x.api.example.com",
        ".",
    ],
)
def test_another_host_is_reached_through_the_proxy(no_proxy: str) -> None:
    assert proxied(no_proxy)


@pytest.mark.parametrize("no_proxy", ["::1", "[::1]", "[::1]:8443", "fd00::2,::1", "[::1]:8443 x"])
def test_an_ipv6_address_can_be_excluded(no_proxy: str) -> None:
    assert not proxied(no_proxy, "https://[::1]:8443")
    assert proxied(no_proxy, "https://[::2]:8443")


@pytest.mark.parametrize("no_proxy", ["[::1]:443", "::", "1", "[::1"])
def test_another_ipv6_address_or_port_is_not_excluded(no_proxy: str) -> None:
    assert proxied(no_proxy, "https://[::1]:8443")


def test_the_lower_case_name_goes_first_and_claude_gets_loopback_too() -> None:
    assert not proxied("other", no_proxy="api.example.com")
    assert proxied("api.example.com", no_proxy="other")
    assert chosen(NO_PROXY="a", no_proxy="b").claude == chosen(NO_PROXY="a", no_proxy="b").claude | {
        "NO_PROXY": "b,127.0.0.1",
        "no_proxy": "b,127.0.0.1",
    }
    assert chosen().claude["NO_PROXY"] == "127.0.0.1"
    assert "no_proxy" not in chosen().claude


def test_the_proxys_name_and_password_are_decoded() -> None:
    assert proxy_authorization(urlsplit("http://me:p%40ss@proxy")) == ["Proxy-Authorization: Basic bWU6cEBzcw=="]
    assert proxy_authorization(urlsplit("http://me@proxy")) == ["Proxy-Authorization: Basic bWU6"]
    assert proxy_authorization(urlsplit("http://proxy")) == proxy_authorization(None) == []


# Settings.


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home, and managed settings of its own."""
    monkeypatch.setattr(upstream, "_managed_files", lambda: sorted((tmp_path / "managed").glob("*.json")))
    for name in ("managed", "home/.claude", "project/.claude"):
        (tmp_path / name).mkdir(parents=True)
    return tmp_path / "home"


def settings(path: Path, env: object) -> None:
    path.write_text(json.dumps({"env": env}))


def read(
    home: Path, environ: Mapping[str, str], *, with_settings: bool = True
) -> tuple[dict[str, str], dict[str, str]]:
    return claude_variables({"HOME": str(home)} | dict(environ), with_settings=with_settings)


def test_the_owners_settings_go_before_the_environment_and_managed_ones_before_both(home: Path) -> None:
    environ = {BASE: "http://environment", "HTTPS_PROXY": "http://proxy", "NO_PROXY": "a"}
    settings(home / ".claude" / "settings.json", {BASE: "http://own", "NO_PROXY": "b", "PORT": 1})
    settings(home.parent / "managed" / "1.json", {"NO_PROXY": "c", "X": "1"})
    settings(home.parent / "managed" / "2.json", {"X": "2"})
    variables, managed = read(home, environ)
    assert [variables[name] for name in (BASE, "HTTPS_PROXY", "NO_PROXY", "PORT", "X")] == [
        *("http://own", "http://proxy", "c", "1", "2")
    ]
    assert managed == {"NO_PROXY": "c", "X": "2"}
    assert read(home, environ, with_settings=False)[0][BASE] == "http://environment"


def test_another_configuration_folder_takes_the_place_of_the_homes(home: Path) -> None:
    settings(home / ".claude" / "settings.json", {BASE: "http://home"})
    other = home.parent / "other"
    other.mkdir()
    settings(other / "settings.json", {BASE: "http://other"})
    assert read(home, {"CLAUDE_CONFIG_DIR": str(other)})[0][BASE] == "http://other"


def test_a_projects_settings_are_never_read(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    project = home.parent / "project"
    for name in ("settings.json", "settings.local.json"):
        settings(project / ".claude" / name, {BASE: "http://attacker", "HTTPS_PROXY": "http://attacker"})
    monkeypatch.chdir(project)
    variables, managed = read(home, {"PWD": str(project), "CLAUDE_PROJECT_DIR": str(project)})
    assert (variables.get(BASE), variables.get("HTTPS_PROXY"), managed) == (None, None, {})
    assert choose_upstream(variables, managed).host == "api.anthropic.com"


@pytest.mark.parametrize("content", ["", "{", "[]", '{"env": []}', '{"env": null}', '"a"', "\0", "[" * 100_000])
def test_settings_that_cannot_be_read_say_nothing(home: Path, content: str) -> None:
    (home / ".claude" / "settings.json").write_text(content)
    assert read(home, {BASE: "http://environment"})[0][BASE] == "http://environment"


def test_settings_that_are_no_utf8_a_folder_or_not_there_say_nothing(home: Path) -> None:
    path = home / ".claude" / "settings.json"
    assert BASE not in read(home, {})[0]
    path.write_bytes(b'{"env": {"ANTHROPIC_BASE_URL": "\xff"}}')
    assert BASE not in read(home, {})[0]
    path.unlink()
    path.mkdir()
    assert BASE not in read(home, {})[0]


def test_settings_that_are_a_pipe_hold_nothing_up(home: Path) -> None:
    os.mkfifo(home / ".claude" / "settings.json")
    assert BASE not in read(home, {})[0]


def test_numbers_and_truth_in_settings_are_texts_as_claude_code_takes_them(home: Path) -> None:
    settings(home / ".claude" / "settings.json", {"CLAUDE_CODE_USE_VERTEX": True, "N": 1, "CLAUDE_CODE_USE_MANTLE": 0})
    variables, managed = read(home, {})
    assert (variables["CLAUDE_CODE_USE_VERTEX"], variables["N"]) == ("true", "1")
    with pytest.raises(NotPossible, match="Vertex"):
        choose_upstream(variables, managed)


# Certificates.


def test_there_is_no_tls_without_https_and_unreadable_certificates_are_told(tmp_path: Path) -> None:
    assert tls_context(chosen(**{BASE: "http://gateway"})) is None
    broken = tmp_path / "broken.pem"
    broken.write_text("no certificate")
    for name in ("SSL_CERT_FILE", "NODE_EXTRA_CA_CERTS"):
        for path in (broken, tmp_path / "missing.pem"):
            with pytest.raises(NotPossible, match=name):
                tls_context(chosen(**{name: str(path)}))


def test_certificates_are_checked_with_the_machines_and_not_more_strictly_than_claude_code_does() -> None:
    context = tls_context(chosen())
    assert context is not None
    assert (context.verify_mode, context.check_hostname) == (ssl.CERT_REQUIRED, True)
    assert not context.verify_flags & ssl.VERIFY_X509_STRICT
