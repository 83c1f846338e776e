"""Settings: environment variables `PALIADIN_…`, over a TOML or .env file, over defaults.

The file is `PALIADIN_CONFIG`, else `config.toml` or `config.env` in the platform's configuration folder. A `.env` in
the working folder is deliberately not read: a cloned repository could then choose the command that is run.
"""

from __future__ import annotations

import io
import os
import secrets
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from pathlib import Path

import platformdirs
from dotenv.parser import parse_stream

from paliadin.configvalues import PARSERS
from paliadin.errors import ConfigError

PREFIX = "PALIADIN_"
LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")


@dataclass(frozen=True, slots=True)
class Settings:
    """One field per variable of docs/configuration.md; times are seconds, paths absolute."""

    enabled: bool = True
    host: str = "127.0.0.1"
    port: int = 8724
    home: Path = Path()
    token: str | None = field(default=None, repr=False)
    database_url: str | None = field(default=None, repr=False)
    tmux_socket: str = "paliadin"
    tmux_session: str = "paliad-paliadin"
    response_dir: Path = Path()
    claude: str | None = None
    workdir: Path = Path()
    permission_mode: str = "default"
    model: str | None = None
    allowed_origins: tuple[str, ...] = ()
    allowed_hosts: tuple[str, ...] = LOOPBACK_NAMES
    keep_days: int = 30
    timezone: str | None = None
    monitoring: Path | None = None  # the owner's criteria and prices
    turn_timeout: float = 600.0
    interrupt_timeout: float = 3600.0
    chips: Mapping[str, str] = field(default_factory=dict)  # a chip's kind → path template with {id}
    name: str | None = None  # of this daemon, where several share a database
    peers: Mapping[str, str] = field(default_factory=dict)  # the others: name → address
    application: str | None = None  # the origin that these paths belong to

    @property
    def base_url(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}"

    @property
    def sessions_dir(self) -> Path:
        return self.home / "sessions"

    def session_id(self, session: str) -> str:
        """A session as all daemons on the database call it: ours is `main`, or `main@office` if we are `office`."""
        return f"{session}@{self.name}" if self.name and "@" not in session else session

    def peer_of(self, session: str) -> str | None:
        """The other daemon that a session belongs to by its name; not that of a host which only that one knows."""
        where = session.partition("@")[2]
        return where if where in self.peers else None

    def local_name(self, session: str) -> str | None:
        """What a session of this machine is called here; None when it lives elsewhere."""
        name, at, where = session.partition("@")
        return name if not at or where == self.name else None


def load_settings(
    environ: Mapping[str, str] | None = None, *, cwd: Path | None = None, options: Mapping[str, object] | None = None
) -> Settings:
    """Read the settings; raises ConfigError that names the variable and where it was set.

    `options`: what was said on the command line, by the field's name; None there is not said.
    """
    environ = os.environ if environ is None else environ
    said = {name: (str(value), "the command line") for name, value in (options or {}).items() if value is not None}
    values = _from_file(environ) | _from_environment(environ) | said
    parsed = {name: _parse(name, text, source) for name, (text, source) in values.items() if text != ""}
    parsed.setdefault("home", Path(platformdirs.user_data_dir("paliadin", appauthor=False)))
    parsed.setdefault("response_dir", Path(str(parsed["home"])) / "turns")
    parsed.setdefault("workdir", (cwd or Path.cwd()).resolve())
    settings = Settings(**parsed)  # type: ignore[arg-type]  # _parse gives each field its own type
    if settings.peers and (settings.name is None or settings.name in settings.peers):
        raise ConfigError(
            f"{PREFIX}PEERS needs a {PREFIX}NAME that no other daemon has",
            hint="Their sessions are told apart by it: main@office, main@laptop. See docs/scaling.md.",
        )
    if settings.peers and settings.database_url is None:
        raise ConfigError(f"{PREFIX}PEERS needs the database that all of them share: {PREFIX}DATABASE_URL")
    return settings


def ensure_home(settings: Settings) -> None:
    """Make the state folders, readable by nobody else."""
    for folder in (settings.home, settings.sessions_dir, settings.response_dir):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.chmod(0o700)


def owner_token(settings: Settings) -> str:
    """The token: `PALIADIN_TOKEN`, else the one in HOME/token, made on first use with mode 0600."""
    if settings.token:
        return settings.token
    path = settings.home / "token"
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    except FileExistsError:
        token = path.read_text("ascii").strip()
        if not token:
            raise ConfigError(f"the token file {path} is empty", hint=f"Delete {path}; a new one is made.") from None
        return token
    token = secrets.token_urlsafe(32)
    with os.fdopen(descriptor, "w", encoding="ascii") as file:
        file.write(token + "\n")
    return token


def resource(name: str) -> Path:
    """A folder that ships with the package, in a wheel or in a checkout: `skill`, `migrations`, `examples`."""
    packaged = Path(__file__).parent / f"_{name}"
    return packaged if packaged.is_dir() else Path(__file__).parent.parent / name


def _from_environment(environ: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    # PALIADIN_HOOK_… is what the relay tells the hooks; it shows up when Claude itself runs `paliadin`.
    own = {
        key: value
        for key, value in environ.items()
        if key.startswith(PREFIX) and key != PREFIX + "CONFIG" and not key.startswith(PREFIX + "HOOK_")
    }
    return _known(own, "the environment")


def _from_file(environ: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    named = environ.get(PREFIX + "CONFIG")
    folder = Path(platformdirs.user_config_dir("paliadin", appauthor=False))
    candidates = [Path(named)] if named else [folder / "config.toml", folder / "config.env"]
    path = next((candidate for candidate in candidates if candidate.is_file()), None)
    if path is None:
        if named:
            raise ConfigError(f"{PREFIX}CONFIG names {named}, which is not a file")
        return {}
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} cannot be read: {error}") from error
    return _known(_from_toml(text, path) if path.suffix == ".toml" else _from_env_file(text, path), str(path))


def _from_toml(text: str, path: Path) -> dict[str, str]:
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path} is not valid TOML: {error}") from error
    return {_variable(key): _text(value) for key, value in table.items()}


def _from_env_file(text: str, path: Path) -> dict[str, str]:
    # Not dotenv_values: it passes over a line that it cannot read, and puts variables in place of ${…} in a password.
    values = {}
    for binding in parse_stream(io.StringIO(text)):
        if binding.error or (binding.key and binding.value is None):
            raise ConfigError(f"line {binding.original.line} of {path} is not NAME=value")
        if binding.key:
            values[binding.key] = binding.value or ""
    return values


def _variable(key: str) -> str:
    return key if key.startswith(PREFIX) else PREFIX + key.upper()


def _text(value: object) -> str:
    if isinstance(value, list):
        return ",".join(str(item) for item in value)
    if isinstance(value, dict):
        return ",".join(f"{key}={item}" for key, item in value.items())
    return str(value).lower() if isinstance(value, bool) else str(value)


def _known(values: Mapping[str, str], source: str) -> dict[str, tuple[str, str]]:
    names = {field.name for field in fields(Settings)}
    for key in values:
        if key.removeprefix(PREFIX).lower() not in names or not key.startswith(PREFIX):
            raise ConfigError(f"unknown setting {key} in {source}", hint="docs/configuration.md lists them all.")
    return {key.removeprefix(PREFIX).lower(): (value, source) for key, value in values.items()}


def _parse(name: str, text: str, source: str) -> object:
    parser = PARSERS.get(name, str)
    try:
        return parser(text)
    except ValueError as error:
        shown = "" if name in {"token", "database_url"} else f"={text!r}"
        raise ConfigError(f"{PREFIX}{name.upper()}{shown} in {source} is not valid: {error}") from error
