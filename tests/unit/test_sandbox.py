from __future__ import annotations

from pathlib import Path

import pytest

from paliadin.base.browser_profiles import FOLDERS
from paliadin.base.errors import ConfigError
from paliadin.base.settings import Settings, load_settings
from paliadin.relays.terminal import sandbox


def load(tmp_path: Path, workdir: str, home: str = "account/.local/share/paliadin", **more: str) -> Settings:
    (tmp_path / workdir).mkdir(parents=True, exist_ok=True)
    values = {"HOME": str(tmp_path / home), "WORKDIR": str(tmp_path / workdir)} | more
    return load_settings({f"PALIADIN_{name}": value for name, value in values.items()})


@pytest.mark.parametrize(
    ("workdir", "named", "wanted"),
    [
        ("account", "", True),
        ("account/.local/share/paliadin", "", True),
        ("account/projects", "", False),
        ("account/projects", "true", True),
        ("account", "false", False),
    ],
)
def test_the_sandbox_is_used_where_the_working_folder_holds_the_state_or_as_the_owner_says(
    tmp_path: Path, workdir: str, named: str, wanted: bool
) -> None:
    assert sandbox.is_wanted(load(tmp_path, workdir, SANDBOX=named)) is wanted


def test_a_link_to_the_state_or_to_the_working_folder_hides_nothing(tmp_path: Path) -> None:
    (tmp_path / "account").mkdir()
    (tmp_path / "other").symlink_to(tmp_path / "account")
    assert sandbox.exposed(load(tmp_path, "account", home="other/state")) == [
        tmp_path / "account" / "state",
        tmp_path / "account" / "state" / "turns",
    ]
    assert sandbox.is_wanted(load(tmp_path, "other"))


@pytest.mark.parametrize(
    ("link", "target", "wanted"),
    [
        ("docs", "../.local", True),
        ("a/b/c/docs", "../../../../.local/share/paliadin/turns", True),
        ("file", "../.local/share/paliadin/access.json", True),
        ("all", "/", True),
        ("other", "../elsewhere", True),  # which has a link in turn
        ("other", "../nowhere", False),
        ("itself", "itself", False),
    ],
)
def test_a_link_in_the_working_folder_may_lead_to_the_state(
    tmp_path: Path, link: str, target: str, wanted: bool
) -> None:
    settings = load(tmp_path, "account/work")
    assert not sandbox.is_wanted(settings)
    (tmp_path / "account" / "elsewhere").mkdir()
    (tmp_path / "account" / "elsewhere" / "up").symlink_to("..")
    (settings.workdir / link).parent.mkdir(parents=True, exist_ok=True)
    (settings.workdir / link).symlink_to(target)
    assert sandbox.is_wanted(settings) is wanted


@pytest.mark.parametrize(("text", "wanted"), [("port = 8800", False), ('token = "0123456789abcdef"', True)])
def test_a_configuration_file_in_the_working_folder_matters_if_it_holds_a_secret(
    tmp_path: Path, text: str, wanted: bool
) -> None:
    config = tmp_path / "work" / "paliadin.toml"
    config.parent.mkdir()
    config.write_text(text)
    settings = load(tmp_path, "work", CONFIG=str(config))
    assert sandbox.exposed(settings) == ([config] if wanted else [])


def test_a_browsers_profile_in_the_working_folder_matters_as_it_holds_the_cookie(tmp_path: Path) -> None:
    profile = tmp_path / "account" / ".mozilla"
    values = {"HOME": str(tmp_path / "account"), "PALIADIN_HOME": str(tmp_path / "state")}
    values["PALIADIN_WORKDIR"] = str(tmp_path / "account")
    (tmp_path / "account").mkdir()
    assert sandbox.exposed(load_settings(values)) == []
    profile.mkdir()
    settings = load_settings(values)
    assert sandbox.exposed(settings) == [profile]
    assert str(profile) in sandbox.options(settings, {"HOME": "/x"})["filesystem"]["denyRead"]
    for name in FOLDERS:
        (tmp_path / "account" / name).mkdir(parents=True, exist_ok=True)
    assert len(sandbox.exposed(load_settings(values))) == len(FOLDERS)


def test_what_is_exposed_without_a_sandbox_is_refused_with_what_to_do(tmp_path: Path) -> None:
    settings = load(tmp_path, "account")
    with pytest.raises(ConfigError, match="not installed: bubblewrap, socat") as refused:
        sandbox.check(settings, str(tmp_path))
    assert str(settings.home) in refused.value.message
    for way in ("--workdir", "apt install bubblewrap socat", "--no-sandbox"):
        assert way in refused.value.hint
    sandbox.check(load(tmp_path, "account", SANDBOX="false"), str(tmp_path))
    sandbox.check(load(tmp_path, "account/projects"), str(tmp_path))
    with pytest.raises(ConfigError, match="PALIADIN_SANDBOX is set"):
        sandbox.check(load(tmp_path, "account/projects", SANDBOX="true"), str(tmp_path))


def test_a_sandbox_that_cannot_start_or_cannot_hide_the_state_is_none(tmp_path: Path) -> None:
    for program, script in {"socat": "", "bwrap": "echo no user namespaces >&2; exit 1"}.items():
        (tmp_path / program).write_text(f"#!/bin/sh\n{script}\n")
        (tmp_path / program).chmod(0o700)
    with pytest.raises(ConfigError, match="no user namespaces"):
        sandbox.check(load(tmp_path, "account"), str(tmp_path))
    with pytest.raises(ConfigError, match="brackets"):
        sandbox.check(load(tmp_path, "account", home="account/[state]"))
    sandbox.check(load(tmp_path, "account"))  # with this machine's own
