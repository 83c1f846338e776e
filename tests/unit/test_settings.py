from __future__ import annotations

import os
import stat
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from paliadin.base.errors import ConfigError
from paliadin.base.files import check_links
from paliadin.base.settings import Settings, ensure_home, load_settings, resource_folder
from paliadin.parts.messages.settings import MessagesSettings
from paliadin.parts.practice.settings import PracticeSettings

TOKEN = "0123456789abcdef-secret"
DSN = "postgresql://me:hunter2@db.example/paliadin"


@pytest.fixture(autouse=True)
def _no_file_of_the_machine(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """No configuration file of whoever runs the tests."""
    monkeypatch.setenv("HOME", str(tmp_path / "nobody"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "nobody" / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "nobody" / "data"))


def load(**variables: str) -> Settings:
    return load_settings({f"PALIADIN_{name}": value for name, value in variables.items()}, cwd=Path("/srv/here"))


def test_with_nothing_set_everything_has_its_default(tmp_path: Path) -> None:
    settings = load()
    assert (settings.enabled, settings.host, settings.port) == (True, "127.0.0.1", 8724)
    assert settings.base_url == "http://127.0.0.1:8724"
    assert settings.home.is_relative_to(tmp_path / "nobody")
    assert settings.response_dir == settings.home / "turns"
    assert settings.sessions_dir == settings.home / "sessions"
    assert (settings.tmux_socket, settings.tmux_session) == ("paliadin", "paliad-paliadin")
    assert settings.workdir == Path("/srv/here").resolve()
    assert (settings.permission_mode, settings.model, settings.claude) == ("default", None, None)
    assert (settings.allowed_origins, settings.allowed_hosts) == ((), ("127.0.0.1", "localhost", "[::1]"))
    assert (settings.max_running, settings.park_after) == (4, 1800.0)
    assert (settings.keep_days, settings.turn_timeout, settings.interrupt_timeout) == (30, 600.0, 3600.0)
    assert (settings.token, settings.database_url, settings.chips) == (None, None, {})


AMOUNTS = (
    *("TURNS_PER_HOUR", "ALL_TURNS_PER_HOUR"),
    *("HISTORY_TOKENS", "QUESTION_TOKENS", "CONTEXT_TOKENS", "OUTPUT_TOKENS"),
    "WORKER_TURNS",
)
GOOD: list[tuple[str, str, object]] = [
    ("ENABLED", "false", False),
    ("ENABLED", " Off ", False),
    ("ENABLED", "1", True),
    ("HOST", "::1", "::1"),
    ("PORT", "0", 0),
    ("PORT", "65535", 65535),
    ("SOCKET", "/srv/../run/paliadin.sock", Path("/run/paliadin.sock")),
    ("ADDRESS", "https://Claude.example:443/Office/", "https://claude.example/Office"),
    ("ADDRESS", "http://p.example:8080", "http://p.example:8080"),
    ("HOME", "/var/paliadin", Path("/var/paliadin")),
    ("HOME", "/var/../srv/p", Path("/srv/p")),
    ("TOKEN", TOKEN, TOKEN),
    ("DATABASE_URL", DSN, DSN),
    ("TMUX_SOCKET", "my-socket_1", "my-socket_1"),
    ("TMUX_SESSION", "mine", "mine"),
    ("RESPONSE_DIR", "/srv/turns", Path("/srv/turns")),
    ("CLAUDE", "/opt/claude", "/opt/claude"),
    ("ATTACHMENTS_DIR", "/srv/attachments", Path("/srv/attachments")),
    ("WORKDIR", "/srv", Path("/srv")),
    ("PERMISSION_MODE", "acceptEdits", "acceptEdits"),
    ("SANDBOX", "off", False),
    ("MODEL", "opus", "opus"),
    ("LIVE", "true", True),
    ("CAPTURE", "1", True),
    ("OWNER_UNLIMITED", "true", True),
    ("AUDIT", "full", "full"),
    ("ALLOWED_ORIGINS", "https://a.example, http://b:81", ("https://a.example", "http://b:81")),
    ("ALLOWED_HOSTS", "p.example,127.0.0.1", ("p.example", "127.0.0.1")),
    ("MAX_RUNNING", "1", 1),
    ("PARK_AFTER", "0.5", 0.5),
    ("KEEP_DAYS", "1", 1),
    ("ROUTES", "/, /agenda,/projects/{id}/steps", ("/", "/agenda", "/projects/{id}/steps")),
    ("TIMEZONE", "Europe/Berlin", "Europe/Berlin"),
    ("MONITORING", "/etc/gate.toml", Path("/etc/gate.toml")),
    ("TURN_TIMEOUT", "0.5", 0.5),
    ("INTERRUPT_TIMEOUT", "60", 60.0),
    ("NAME", "office", "office"),
    (
        "PEERS",
        "office=http://127.0.0.1:81, lab=https://lab.example/",
        {"office": "http://127.0.0.1:81", "lab": "https://lab.example"},
    ),
    ("PEER_KEYS", f"office={TOKEN}, lab=another-{TOKEN}", {"office": TOKEN, "lab": f"another-{TOKEN}"}),
    ("PERMISSION_ORIGINS", "https://a.example", ("https://a.example",)),
    ("PEOPLE_ORIGINS", "https://a.example", ("https://a.example",)),
    ("OWNER", "Olivia Owner", "Olivia Owner"),
    ("MAX_EMBEDDED", "0", 0),
    ("CHIPS", "deadline=/d/{id}, frist=/f/{id}?x=1", {"deadline": "/d/{id}", "frist": "/f/{id}?x=1"}),
    ("APPLICATION", "https://app.example", "https://app.example"),
    ("STATUS_LINE", "off", False),
    ("RELAY", "messages", "messages"),
    ("ROLE", "both", "both"),
    ("API_KEY", "sk-ant-0123", "sk-ant-0123"),
    ("API_URL", "https://api.example/claude/", "https://api.example/claude"),
    ("API_URL", "http://127.0.0.1:81", "http://127.0.0.1:81"),
    ("API_MODEL", "claude-haiku-5-5", "claude-haiku-5-5"),
    ("FIRM", "Muster & Partner", "Muster & Partner"),
    *((name, "7", 7) for name in AMOUNTS),
    ("BUDGET_WARNS", "12.50", 12.5),
    ("BUDGET_STOPS", "50", 50.0),
]


OF_MESSAGES = {field.name for field in fields(MessagesSettings)}


@pytest.mark.parametrize(("name", "text", "value"), GOOD)
def test_a_variable_sets_its_field(name: str, text: str, value: object) -> None:
    keys = f"office={TOKEN},lab={TOKEN}"
    needed = {"NAME": "here", "DATABASE_URL": DSN, "PEER_KEYS": keys} if name == "PEERS" else {}
    settings = load(**needed, **{name: text})
    holder = settings.part(MessagesSettings) if name.lower() in OF_MESSAGES else settings
    assert getattr(holder, name.lower()) == value


def test_a_part_has_settings_of_its_own() -> None:
    assert load().part(PracticeSettings) == PracticeSettings() == Settings().part(PracticeSettings)
    assert load(PALIAD="true", SECOND_PAIR="off").part(PracticeSettings) == PracticeSettings(True, False)
    with pytest.raises(ConfigError, match="PALIADIN_PALIAD='maybe'"):
        load(PALIAD="maybe")


def test_every_field_is_tried_above() -> None:
    own = {field.name for field in fields(Settings) if not field.metadata}
    assert {name.lower() for name, _, _ in GOOD} == own | OF_MESSAGES


@pytest.mark.parametrize("name", sorted({name for name, _, _ in GOOD}))
def test_an_empty_variable_is_one_that_is_not_set(name: str) -> None:
    assert load(**{name: ""}) == load()


def test_a_path_may_begin_at_ones_home(tmp_path: Path) -> None:
    assert load(HOME="~/state").home == tmp_path / "nobody" / "state"
    assert load(HOME="~/state").response_dir == tmp_path / "nobody" / "state" / "turns"


def test_an_address_of_ip_version_6_has_brackets_in_the_url() -> None:
    assert load(HOST="::1", PORT="81").base_url == "http://[::1]:81"


def test_the_pages_own_address_is_served_and_printed() -> None:
    settings = load(ADDRESS="https://claude.example:8443/office", ALLOWED_ORIGINS="https://app.example")
    assert settings.allowed_hosts == ("127.0.0.1", "localhost", "[::1]", "claude.example")
    assert settings.allowed_origins == ("https://app.example", "https://claude.example:8443")
    assert (settings.base_url, settings.page_url) == ("http://127.0.0.1:8724", "https://claude.example:8443/office")


@pytest.mark.parametrize("given", [{}, {"SOCKET": "/run/p"}, {"ADDRESS": "https://p.example"}], ids=str)
def test_without_a_port_the_proxy_must_find_the_daemon_and_a_browser_the_proxy(given: dict[str, str]) -> None:
    with pytest.raises(ConfigError, match="PALIADIN_SOCKET and PALIADIN_ADDRESS"):
        load(PORT="none", **given)


def test_nothing_is_kept_only_where_claude_code_keeps_nothing_either() -> None:
    with pytest.raises(ConfigError, match="PALIADIN_AUDIT=redacted needs PALIADIN_RELAY=messages"):
        load_settings({"PALIADIN_AUDIT": "redacted"})
    assert not load_settings({"PALIADIN_AUDIT": "redacted", "PALIADIN_RELAY": "messages"}).keeps_words


def test_several_processes_need_a_database_that_all_of_them_reach_and_a_way_without_a_terminal() -> None:
    shared = {"PALIADIN_RELAY": "messages", "PALIADIN_DATABASE_URL": "postgresql://db.example/pali"}
    for role in ("web", "worker"):
        for missing in shared:
            given = {name: value for name, value in shared.items() if name != missing}
            with pytest.raises(ConfigError, match=f"PALIADIN_ROLE={role} needs PALIADIN_RELAY=messages and PALIADIN_D"):
                load_settings({"PALIADIN_ROLE": role, **given})
        assert load_settings({"PALIADIN_ROLE": role, **shared}).role == role


BAD = [
    ("AUDIT", "none"),
    ("RELAY", "ssh"),
    ("ROLE", "server"),
    ("RELAY", "Messages"),
    ("API_KEY", "short"),
    ("API_KEY", "with a blank in it"),
    ("API_KEY", "with\nline"),
    ("API_URL", "api.anthropic.com"),
    ("API_URL", "http://api.example"),
    ("API_URL", "http://localhost.example"),
    ("API_URL", "https://user:password@api.example"),
    ("API_URL", "ftp://127.0.0.1"),
    ("API_MODEL", "--model"),
    ("API_MODEL", "x" * 101),
    ("FIRM", "Muster\nPartner"),
    ("BUDGET_WARNS", "0"),
    ("BUDGET_STOPS", "$5"),
    ("BUDGET_STOPS", "nan"),
    *((name, text) for name in AMOUNTS for text in ("0", "-1", "1.5", "many", "1000001")),
    ("ENABLED", "maybe"),
    ("HOST", "0.0.0.0"),  # noqa: S104  # this is what must be refused
    ("HOST", "::"),
    ("HOST", "192.0.2.7"),
    ("HOST", "p.example"),
    ("PORT", "http"),
    ("PORT", "-1"),
    ("PORT", "65536"),
    ("PORT", "1.5"),
    ("PORT", "None"),
    ("ADDRESS", "claude.example"),
    ("ADDRESS", "https://claude.example/?x=1"),
    ("ADDRESS", "https://*.example"),
    ("ADDRESS", "https://claude.example:http"),
    ("TOKEN", "short"),
    ("TOKEN", "has a blank in it, and it is long"),
    ("TOKEN", "x" * 257),
    ("PEER_KEYS", "office"),
    ("PEER_KEYS", "office=short"),
    ("PEER_KEYS", f"a/b={TOKEN}"),
    ("PERMISSION_ORIGINS", "app.example"),
    ("OWNER", "x" * 201),
    ("OWNER", "a\tb"),
    ("MAX_EMBEDDED", "-1"),
    ("MAX_EMBEDDED", "101"),
    ("MAX_EMBEDDED", "many"),
    ("TMUX_SOCKET", "a/b"),
    ("TMUX_SESSION", "a:b"),
    ("TMUX_SESSION", "a.b"),
    ("PERMISSION_MODE", "yolo"),
    ("ALLOWED_ORIGINS", "app.example"),
    ("ALLOWED_ORIGINS", "https://a.example/"),
    ("ALLOWED_ORIGINS", "https://*.example"),
    ("ALLOWED_ORIGINS", "*"),
    ("ALLOWED_ORIGINS", "null"),
    ("MAX_RUNNING", "0"),
    ("MAX_RUNNING", "two"),
    ("PARK_AFTER", "0"),
    ("PARK_AFTER", "never"),
    ("KEEP_DAYS", "0"),
    ("KEEP_DAYS", "ten"),
    ("TIMEZONE", "Berlin"),
    ("TIMEZONE", "../../etc/passwd"),
    ("TURN_TIMEOUT", "0"),
    ("TURN_TIMEOUT", "nan"),
    ("TURN_TIMEOUT", "inf"),
    ("TURN_TIMEOUT", "10 min"),
    ("INTERRUPT_TIMEOUT", "-1"),
    ("INTERRUPT_TIMEOUT", "7200"),
    ("CHIPS", "deadline"),
    ("CHIPS", "deadline=/d"),
    ("CHIPS", "deadline=https://evil.example/{id}"),
    ("CHIPS", "=/d/{id}"),
    ("CHIPS", "deadline=//evil.example/{id}"),
    ("ROUTES", "deadlines"),
    ("ROUTES", "/a, b"),
    ("ROUTES", "//evil.example"),
    ("ROUTES", "https://app.example/a"),
    ("ROUTES", "/a?x=1"),
    ("ROUTES", "/a#x"),
    ("ROUTES", "/a/../b"),
    ("ROUTES", "/a/"),
    ("ROUTES", "/a/{name}"),
    ("ROUTES", "/a/x{id}"),
    ("ROUTES", "/a\\b"),
    ("ROUTES", "/a%2fb"),
    ("NAME", "main@office"),
    ("NAME", "a/b"),
    ("PEERS", "office"),
    ("PEERS", "office=127.0.0.1:81"),
    ("PEERS", "office=http://me:secret@h"),
    ("PEERS", "office=http://h/path"),
    ("PEERS", "of/fice=http://h"),
    ("APPLICATION", "https://a.example,https://b.example"),
    ("APPLICATION", "https://app.example/path"),
]


@pytest.mark.parametrize(("name", "text"), BAD)
def test_a_bad_value_is_an_error_that_names_variable_and_source(name: str, text: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load(**{name: text})
    assert f"PALIADIN_{name}" in caught.value.message
    assert "in the environment" in caught.value.message


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("TURN_TIMEOUT", "10 min", "give a number of seconds, such as 600"),
        ("TMUX_SESSION", "x" * 65, "use 1 to 64 letters, digits, - and _"),
    ],
)
def test_a_bad_value_is_answered_with_what_would_be_a_good_one(name: str, text: str, words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        load(**{name: text})


@pytest.mark.parametrize(
    "variables",
    [
        {"DATABASE_URL": DSN},
        {"DATABASE_URL": DSN, "NAME": "office"},
        {"NAME": "here"},
    ],
)
def test_peers_need_a_name_of_ones_own_and_a_database(variables: dict[str, str]) -> None:
    with pytest.raises(ConfigError, match="PALIADIN_PEERS needs"):
        load(PEERS="office=http://127.0.0.1:81", **variables)


def test_peers_need_a_key_each() -> None:
    peers = {"PEERS": "office=http://127.0.0.1:81,lab=http://127.0.0.1:82", "NAME": "laptop", "DATABASE_URL": DSN}
    with pytest.raises(ConfigError, match="PALIADIN_PEER_KEYS has no key for lab") as caught:
        load(**peers, PEER_KEYS=f"office={TOKEN}")
    assert "paliadin token add laptop --for peer" in caught.value.hint


def test_sessions_are_named_as_this_daemon_and_its_peers_are() -> None:
    peers = {"PEERS": "laptop=http://127.0.0.1:81", "PEER_KEYS": f"laptop={TOKEN}"}
    names = load(NAME="office", DATABASE_URL=DSN, **peers).names
    found = [names.full("main"), names.short("main@office"), names.peer("main@laptop")]
    assert found == ["main@office", "main", "laptop"]
    assert load().names.full("main") == "main"


@pytest.mark.parametrize("text", ["tööken-with-an-umlaut-in-it", "x" * 300, "no blanks allowed in a token"])
def test_a_token_is_in_no_message_and_no_repr(text: str, tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text(f'token = "{text}"')
    for variables in ({"TOKEN": text}, {"CONFIG": str(file)}):
        with pytest.raises(ConfigError) as caught:
            load(**variables)
        assert text not in repr(caught.value)
        assert text not in str(caught.value.body())
    assert TOKEN not in repr(load(TOKEN=TOKEN, DATABASE_URL=DSN))
    assert "hunter2" not in repr(load(TOKEN=TOKEN, DATABASE_URL=DSN))


@pytest.mark.parametrize("name", ["PROT", "PORT_", "", "SESSIONS_DIR", "BASE_URL"])
def test_an_unknown_variable_is_an_error_that_names_it(name: str) -> None:
    with pytest.raises(ConfigError, match=f"unknown setting PALIADIN_{name} in the environment"):
        load(**{name: "1"})


def test_what_the_relay_tells_its_hooks_is_no_setting() -> None:
    assert load(HOOK_SESSION="/x", HOOK_WAIT="3") == load()


def test_other_programs_variables_are_not_ours() -> None:
    assert load_settings({"PORT": "1", "XPALIADIN_PORT": "2", "PATH": "/bin"}).port == 8724


# Files.

TOML = """
port = 81
enabled = false
allowed_origins = ["https://a.example", "https://b.example"]
PALIADIN_MODEL = "opus"
turn_timeout = 12.5
routes = ["/a", "/b/{id}"]
[chips]
deadline = "/d/{id}"
"""
ENV = """
# a comment
PALIADIN_PORT=81
export PALIADIN_ENABLED=false
PALIADIN_ALLOWED_ORIGINS="https://a.example,https://b.example"
PALIADIN_MODEL='opus' # behind it
PALIADIN_TURN_TIMEOUT=12.5

PALIADIN_CHIPS=deadline=/d/{id}
PALIADIN_ROUTES=/a,/b/{id}
PALIADIN_CLAUDE=
"""


@pytest.mark.parametrize(("name", "text"), [("p.toml", TOML), ("p.env", ENV)])
def test_a_file_sets_the_same_and_the_environment_goes_over_it(tmp_path: Path, name: str, text: str) -> None:
    file = tmp_path / name
    file.write_text(text)
    settings = load(CONFIG=str(file), TURN_TIMEOUT="3")
    assert (settings.port, settings.enabled, settings.model, settings.claude) == (81, False, "opus", None)
    assert settings.allowed_origins == ("https://a.example", "https://b.example")
    assert settings.chips == {"deadline": "/d/{id}"}
    assert settings.routes == ("/a", "/b/{id}")
    assert settings.turn_timeout == 3


def test_a_dollar_in_an_env_file_is_a_dollar(tmp_path: Path) -> None:
    file = tmp_path / "p.env"
    file.write_text("PALIADIN_DATABASE_URL=postgresql://u:a${HOME}b@h/d\n")
    assert load(CONFIG=str(file)).database_url == "postgresql://u:a${HOME}b@h/d"


BROKEN_FILES: list[tuple[str, bytes, str]] = [
    ("p.toml", b"port = ", "is not valid TOML"),
    ("p.toml", b"port = 1\nport = 2", "is not valid TOML"),
    ("p.toml", b"\xff", "cannot be read"),
    ("p.toml", b"prot = 1", "unknown setting PALIADIN_PROT"),
    ("p.toml", b"port = [1, 2]", "PALIADIN_PORT='1,2'"),
    ("p.toml", b"[database]\nurl = 'x'", "unknown setting PALIADIN_DATABASE"),
    ("p.env", b"PALIADIN_PORT=81\nPALIADIN_ENABLED\n", "line 2 of"),
    ("p.env", b"PALIADIN_TOKEN='0123456789abcdef\n", "line 1 of"),
    ("p.env", b"\xff=1", "cannot be read"),
    ("p.env", b"PORT=81", "unknown setting PORT"),
    ("p.env", b"PALIADIN_PORT=x", "PALIADIN_PORT='x'"),
]


@pytest.mark.parametrize(("name", "text", "message"), BROKEN_FILES)
def test_a_broken_file_is_an_error_that_names_the_file(tmp_path: Path, name: str, text: bytes, message: str) -> None:
    file = tmp_path / name
    file.write_bytes(text)
    with pytest.raises(ConfigError) as caught:
        load(CONFIG=str(file))
    assert message in caught.value.message
    assert str(file) in caught.value.message
    assert "0123456789abcdef" not in caught.value.message


def test_a_file_that_is_named_and_missing_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="PALIADIN_CONFIG"):
        load(CONFIG=str(tmp_path / "missing.toml"))


def test_the_platforms_own_file_is_read_and_one_in_the_working_folder_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in (".env", "config.env", "config.toml"):
        (tmp_path / name).write_text("PALIADIN_CLAUDE='/tmp/evil'\n")
    assert load().claude is None
    folder = tmp_path / "nobody" / "config" / "paliadin"
    folder.mkdir(parents=True)
    monkeypatch.setattr("platformdirs.user_config_dir", lambda *_, **__: str(folder))
    (folder / "config.env").write_text("PALIADIN_MODEL=from-env\n")
    assert load().model == "from-env"
    (folder / "config.toml").write_text("model = 'from-toml'")
    assert load().model == "from-toml"


# The folders.


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_state_folders_are_their_owners_also_when_they_were_open_before(tmp_path: Path) -> None:
    settings = load(HOME=str(tmp_path / "a" / "home"), RESPONSE_DIR=str(tmp_path / "turns"))
    (tmp_path / "turns").mkdir(mode=0o755)
    ensure_home(settings)
    ensure_home(settings)
    assert {mode(path) for path in (settings.home, settings.sessions_dir, settings.response_dir)} == {0o700}


def test_state_folders_that_are_links_or_that_everybody_can_replace_are_refused(tmp_path: Path) -> None:
    (tmp_path / "theirs").mkdir()
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "sessions").symlink_to(tmp_path / "theirs")
    with pytest.raises(ConfigError, match="sessions is a link"):
        ensure_home(load(HOME=str(tmp_path / "home")))
    (tmp_path / "open").mkdir()
    (tmp_path / "open").chmod(0o777)
    with pytest.raises(ConfigError, match=r"everybody can replace what is in .*/open") as caught:
        ensure_home(load(HOME=str(tmp_path / "open" / "home")))
    assert "chmod o-w" in caught.value.hint
    (tmp_path / "open").chmod(0o1777)
    ensure_home(load(HOME=str(tmp_path / "open" / "home")))


def test_links_that_lead_to_each_other_are_no_state_folder(tmp_path: Path) -> None:
    (tmp_path / "one").symlink_to("other")
    (tmp_path / "other").symlink_to("one")
    with pytest.raises(ConfigError, match=r"is not valid|lead to each other"):
        load(HOME=str(tmp_path / "one"))
    with pytest.raises(ConfigError, match="lead to each other"):  # as Python 3.13 comes to them
        check_links(tmp_path / "one" / "home")


@pytest.mark.parametrize("name", ["HOME", "SOCKET"])
def test_the_home_folder_of_nobody_is_a_wrong_setting(name: str) -> None:
    with pytest.raises(ConfigError, match=rf"PALIADIN_{name}.* is not valid"):
        load(**{name: "~nobody-has-this-name/x"})


def test_a_state_folder_in_which_others_may_have_put_something_is_refused(tmp_path: Path) -> None:
    """Such as a plugin, whose hooks Claude would run."""
    home = tmp_path / "home"
    home.mkdir()
    home.chmod(0o777)
    ensure_home(load(HOME=str(home)))  # it is empty
    home.chmod(0o770)
    with pytest.raises(ConfigError, match="other accounts could write to") as caught:
        ensure_home(load(HOME=str(home)))
    assert f"chmod 700 {home}" in caught.value.hint


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_the_state_folder_of_another_account_is_refused_and_left_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "home").mkdir(mode=0o755)
    os.chown(tmp_path / "home", 65534, -1)
    with pytest.raises(ConfigError, match="belongs to another account"):
        ensure_home(load(HOME=str(tmp_path / "home")))
    assert mode(tmp_path / "home") == 0o755


@pytest.mark.parametrize(("name", "held"), [("skill", ".claude-plugin/plugin.json"), ("migrations", "0001_record.sql")])
def test_what_ships_with_the_package_is_found(name: str, held: str) -> None:
    assert (resource_folder(name) / held).is_file()


def test_settings_do_not_change() -> None:
    settings: Any = load()
    with pytest.raises(AttributeError):
        settings.port = 1


@pytest.mark.parametrize("name", ["HOME", "RESPONSE_DIR"])
def test_a_link_to_the_state_folder_is_followed_only_if_nobody_else_has_made_it_or_can(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    wanted = {name: str(tmp_path / "link" / "home")}
    load(**wanted)
    tmp_path.chmod(0o777)
    with pytest.raises(ConfigError, match="everybody can replace"):
        load(**wanted)
    tmp_path.chmod(0o700)
    if os.geteuid() == 0:
        os.chown(tmp_path / "link", 65534, 65534, follow_symlinks=False)
    else:
        monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    with pytest.raises(ConfigError, match="belongs to another account"):
        load(**wanted)


@pytest.mark.parametrize("path", ["first/home", "third/../home"])
def test_a_link_of_ones_own_is_followed_only_if_so_is_each_that_it_leads_to(tmp_path: Path, path: str) -> None:
    (tmp_path / "real" / "deep").mkdir(parents=True)
    (tmp_path / "open").mkdir()
    (tmp_path / "open" / "second").symlink_to(tmp_path / "real")
    (tmp_path / "first").symlink_to(Path("open", "second"))
    (tmp_path / "third").symlink_to(tmp_path / "first" / "deep")
    load(HOME=str(tmp_path / path))
    (tmp_path / "open").chmod(0o777)
    with pytest.raises(ConfigError, match="everybody can replace"):
        load(HOME=str(tmp_path / path))
