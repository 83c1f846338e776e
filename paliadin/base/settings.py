"""Settings from environment variables (`PALIADIN_…`), a TOML or .env file, and defaults, in this order of precedence.

The file is `PALIADIN_CONFIG`, else `config.toml` or `config.env` in the platform's configuration folder. A `.env` in
the working folder is deliberately not read: a cloned repository could then choose the command that is run.
"""

from __future__ import annotations

import io
import os
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TypeVar
from urllib.parse import urlsplit

import platformdirs
from dotenv.parser import parse_stream

from paliadin.base.browser_profiles import browser_profiles
from paliadin.base.errors import ConfigError
from paliadin.base.files import check_links, make_private_folder
from paliadin.base.part_modules import make_part_settings, secret_settings, setting_parsers
from paliadin.base.session_names import SessionNames
from paliadin.base.settings_values import BOTH, PARSERS, REDACTED

PREFIX = "PALIADIN_"
T = TypeVar("T")

NOT_A_VARIABLE = {"derived": True}  # a field that follows from others
SECRETS = {"token", "database_url", "peer_keys"}
LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings: one field for each variable of docs/configuration.md. Times are seconds, paths absolute."""

    enabled: bool = True
    host: str = "127.0.0.1"
    port: int | None = 8724  # None: there is no port, only `socket`
    socket: Path | None = None  # for a reverse proxy
    address: str | None = None  # of the page for a browser, if a proxy is in front of it
    home: Path = Path()
    token: str | None = field(default=None, repr=False)  # lets applications and Prometheus in
    peer_keys: Mapping[str, str] = field(default_factory=dict, repr=False)  # peer → the key that it gave this daemon
    database_url: str | None = field(default=None, repr=False)
    tmux_socket: str = "paliadin"
    tmux_session: str = "paliad-paliadin"
    response_dir: Path = Path()
    attachments_dir: Path = Path()  # outside of what Claude is kept out of
    claude: str | None = None
    workdir: Path = Path()
    permission_mode: str = "default"
    sandbox: bool | None = None  # None: only where the working folder holds files of Paliadin's own
    model: str | None = None
    status_line: bool = True  # Claude Code tells its figures: model, context, cost
    live: bool = False  # text is shown as it is generated
    capture: bool = False  # whole requests and responses are kept
    relay: str = "terminal"  # of conversations here: Claude Code, or (messages) the Messages API
    role: str = "both"  # web: others ask the Messages API; worker: it does only that
    audit: str = "full"  # redacted: no question, answer or argument of a tool is kept
    allowed_origins: tuple[str, ...] = ()
    allowed_hosts: tuple[str, ...] = LOOPBACK_NAMES
    keep_days: int = 30
    timezone: str | None = None
    monitoring: Path | None = None  # the owner's criteria and prices
    max_running: int = 4  # Claudes that may run at once
    park_after: float = 1800.0  # an idle Claude is ended when it was not used for so long
    turn_timeout: float = 600.0
    interrupt_timeout: float = 3600.0
    chips: Mapping[str, str] = field(default_factory=dict)  # a chip's kind → path template with {id}
    owner: str | None = None  # the owner's name in applications; None: the account's
    max_embedded: int = 4  # conversations of other people that may run at once
    people_origins: tuple[str, ...] = ()  # allowed origins of applications whose people are those here, by their ids
    permission_origins: tuple[str, ...] = ()  # allowed origins whose drawer may reply to permissions
    routes: tuple[str, ...] = ()  # other paths that chips may lead to, with {id} for one segment
    name: str | None = None  # of this daemon, where several share a database
    peers: Mapping[str, str] = field(default_factory=dict)  # the other daemons: name → address
    application: str | None = None  # the origin that the paths in `chips` and `routes` belong to
    # What Claude is kept out of besides `home` and `response_dir`: these as they are written, where that leads over a
    # link; a configuration file that holds a secret; browsers' profiles, which hold the cookie that lets in.
    private: tuple[Path, ...] = field(default=(), metadata=NOT_A_VARIABLE)
    parts: tuple[object, ...] = field(default=(), metadata=NOT_A_VARIABLE)  # the SETTINGS of those in paliadin/parts

    def part(self, kind: type[T]) -> T:
        """Return the settings of a part, by the class that it has for them."""
        return next((each for each in self.parts if isinstance(each, kind)), None) or kind()

    @property
    def keeps_words(self) -> bool:
        """False where no question, no answer and no argument of a tool may be kept (AUDIT=redacted)."""
        return self.audit != REDACTED

    @property
    def base_url(self) -> str:
        """The address at which the daemon listens, without a final slash; without a port the page's."""
        if self.port is None:
            return self.page_url
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http://{host}:{self.port}"

    @property
    def own_paths(self) -> tuple[Path, ...]:
        """The folders and files that Claude is kept out of."""
        return (self.home, self.response_dir, *self.private)

    @property
    def page_url(self) -> str:
        """The address at which a browser reaches the daemon, without a final slash."""
        return self.address or self.base_url

    @property
    def sessions_dir(self) -> Path:
        """The folder that holds a folder for each session."""
        return self.home / "sessions"

    @property
    def captures_dir(self) -> Path:
        """The folder of whole requests and responses."""
        return self.home / "captures"

    @property
    def names(self) -> SessionNames:
        """The names of sessions, as this daemon uses them."""
        return SessionNames(self.name, self.peers)


def load_settings(
    environ: Mapping[str, str] | None = None, *, cwd: Path | None = None, options: Mapping[str, object] | None = None
) -> Settings:
    """Read and check the settings; raises ConfigError, which names the variable and the place where it was set.

    `options` are those of the command line, by field name; they win over all else, and None stands for an option that
    was not given.
    """
    environ = os.environ if environ is None else environ
    overrides = {name: (str(value), "the command line") for name, value in (options or {}).items() if value is not None}
    file = settings_file(environ)
    from_file = _from_file(file) if file else {}
    values = from_file | _from_environment(environ) | overrides
    of_parts = setting_parsers()
    parsers = {**PARSERS, **of_parts}
    parsed = {name: _parse(parsers, name, *value) for name, value in values.items() if value[0] != ""}
    parsed["parts"] = make_part_settings(parsed)
    parsed = {name: value for name, value in parsed.items() if name not in of_parts}
    parsed.setdefault("home", Path(platformdirs.user_data_dir("paliadin", appauthor=False)))
    parsed.setdefault("response_dir", Path(str(parsed["home"])) / "turns")
    home = Path(str(parsed["home"]))
    parsed.setdefault("attachments_dir", home.with_name(f"{home.name}-attachments"))
    parsed.setdefault("workdir", (cwd or Path.cwd()).resolve())
    written = [values[name][0] for name in ("home", "response_dir") if values.get(name, ("",))[0]]
    for text in written:
        check_links(Path(text).expanduser().absolute())
    private = [path for path in map(_as_written, written) if path not in parsed.values()]
    private += [file.resolve()] if file and (SECRETS | secret_settings()) & from_file.keys() else []
    private += browser_profiles(Path(environ["HOME"])) if "HOME" in environ else []
    parsed["private"] = tuple(private)
    settings = _served_at_address(Settings(**parsed))  # type: ignore[arg-type]  # _parse gives each field its own type
    _check_together(settings)
    return settings


def _check_together(settings: Settings) -> None:
    """Raise ConfigError for settings that contradict each other."""
    if kept_out := [path for path in settings.own_paths if settings.attachments_dir.is_relative_to(path)]:
        raise ConfigError(
            f"{PREFIX}ATTACHMENTS_DIR={settings.attachments_dir} is in {kept_out[0]}, which Claude is kept out of",
            hint="Claude has to read the attached files: name a folder elsewhere.",
        )
    if settings.port is None and not (settings.socket and settings.address):
        raise ConfigError(
            f"without a port the daemon needs {PREFIX}SOCKET and {PREFIX}ADDRESS",
            hint="They say where the proxy finds it, and where a browser finds the proxy. See docs/configuration.md.",
        )
    if settings.audit == REDACTED and settings.relay != "messages":
        raise ConfigError(
            f"{PREFIX}AUDIT=redacted needs {PREFIX}RELAY=messages",
            hint="Claude Code keeps transcripts of its own, with everything. See docs/messages.md.",
        )
    if settings.role != BOTH and (settings.relay != "messages" or settings.database_url is None):
        raise ConfigError(
            f"{PREFIX}ROLE={settings.role} needs {PREFIX}RELAY=messages and {PREFIX}DATABASE_URL",
            hint="The processes find each other's turns in the database. See docs/scaling.md.",
        )
    if settings.peers and (settings.name is None or settings.name in settings.peers):
        raise ConfigError(
            f"{PREFIX}PEERS needs a {PREFIX}NAME that no other daemon has",
            hint="It distinguishes their sessions: main@office, main@laptop. See docs/scaling.md.",
        )
    if settings.peers and settings.database_url is None:
        raise ConfigError(f"{PREFIX}PEERS needs the database that all of them share: {PREFIX}DATABASE_URL")
    if without_key := [peer for peer in settings.peers if peer not in settings.peer_keys]:
        raise ConfigError(
            f"{PREFIX}PEER_KEYS has no key for {', '.join(without_key)}",
            hint=f"Run `paliadin token add {settings.name} --for peer` at each of them. See docs/scaling.md.",
        )


def _served_at_address(settings: Settings) -> Settings:
    """The settings with the page's address among the hosts and origins that are served."""
    if settings.address is None:
        return settings
    address = urlsplit(settings.address)
    host = address.netloc.rpartition(":")[0] if address.port else address.netloc
    return replace(
        settings,
        allowed_hosts=tuple(dict.fromkeys([*settings.allowed_hosts, host])),
        allowed_origins=tuple(dict.fromkeys([*settings.allowed_origins, f"{address.scheme}://{address.netloc}"])),
    )


def _as_written(text: str) -> Path:
    """The path with `~` and `..` taken away, but with its links."""
    return Path(os.path.normpath(Path(text).expanduser().absolute()))


def ensure_home(settings: Settings) -> None:
    """Make the state folders if they are missing, and let nobody else use them; raises ConfigError."""
    for folder in (settings.home, settings.sessions_dir, settings.response_dir):
        make_private_folder(folder)


def settings_file(environ: Mapping[str, str]) -> Path | None:
    """The path of the file with settings; None if there is none. Raises ConfigError."""
    configured = environ.get(PREFIX + "CONFIG")
    folder = Path(platformdirs.user_config_dir("paliadin", appauthor=False))
    candidates = [Path(configured)] if configured else [folder / "config.toml", folder / "config.env"]
    path = next((candidate for candidate in candidates if candidate.is_file()), None)
    if path is None and configured:
        raise ConfigError(f"{PREFIX}CONFIG names {configured}, which is not a file")
    return path


def resource_folder(name: str) -> Path:
    """The path of a folder that ships with the package: `skill`, `migrations` or `examples`."""
    package = Path(__file__).parents[1]
    packaged = package / f"_{name}"
    return packaged if packaged.is_dir() else package.parent / name


def _from_environment(environ: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    # PALIADIN_HOOK_… are the hooks' variables, and no settings; they are there when Claude itself runs `paliadin`.
    variables = {
        key: value
        for key, value in environ.items()
        if key.startswith(PREFIX) and key != PREFIX + "CONFIG" and not key.startswith(PREFIX + "HOOK_")
    }
    return _checked(variables, "the environment")


def _from_file(path: Path) -> dict[str, tuple[str, str]]:
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigError(f"{path} cannot be read: {error}") from error
    return _checked(_from_toml(text, path) if path.suffix == ".toml" else _from_env_file(text, path), str(path))


def _from_toml(text: str, path: Path) -> dict[str, str]:
    try:
        table = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigError(f"{path} is not valid TOML: {error}") from error
    return {_variable(key): _text(value) for key, value in table.items()}


def _from_env_file(text: str, path: Path) -> dict[str, str]:
    # Not dotenv_values(): it skips lines that it cannot parse, and expands ${…} even inside a password.
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
    """A TOML value as the text that the environment variable would have."""
    if isinstance(value, list):
        return ",".join(str(item) for item in value)
    if isinstance(value, dict):
        return ",".join(f"{key}={item}" for key, item in value.items())
    return str(value).lower() if isinstance(value, bool) else str(value)


def _checked(values: Mapping[str, str], source: str) -> dict[str, tuple[str, str]]:
    """Field name → (text, source); raises ConfigError for a variable that is no setting."""
    names = {each.name for each in fields(Settings) if not each.metadata}
    names |= setting_parsers().keys()
    for key in values:
        if key.removeprefix(PREFIX).lower() not in names or not key.startswith(PREFIX):
            raise ConfigError(f"unknown setting {key} in {source}", hint="docs/configuration.md lists them all.")
    return {key.removeprefix(PREFIX).lower(): (value, source) for key, value in values.items()}


def _parse(parsers: Mapping[str, Callable[[str], object]], name: str, text: str, source: str) -> object:
    parser = parsers.get(name, str)
    try:
        return parser(text)
    except ValueError as error:
        setting_text = "" if name in SECRETS | secret_settings() else f"={text!r}"
        raise ConfigError(f"{PREFIX}{name.upper()}{setting_text} in {source} is not valid: {error}") from error
