"""Migration files: SQL in dbmate's format.

A file may take the place of older ones, which it names before its first section: `-- replaces: 0001_a 0002_b`.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from pathlib import Path

from paliadin.base.errors import ConfigError
from paliadin.base.settings import resource_folder

FILE_HINT = "Correct the file, then run `paliadin migrate up`."
_FILE_NAME = re.compile(r"(\d{4})_([a-z0-9_]+)\.sql")
_MARKER = re.compile(r"^-- migrate:(.*?)\s*$", re.MULTILINE)
_REPLACED = re.compile(r"^-- replaces: (.*)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Migration:
    """A migration file. `up` and `down` are its SQL sections; `checksum` is the SHA-256 of all its bytes.

    `replaced_files`: the older files that together had its effect.
    """

    version: str
    name: str
    up: str
    down: str
    checksum: str
    replaced_files: tuple[str, ...] = ()

    @property
    def file(self) -> str:
        return f"{self.version}_{self.name}.sql"


def parse(file: str, content: bytes) -> Migration:
    """Parse the content of one migration file; raises ConfigError that names the file."""
    match = _FILE_NAME.fullmatch(file)
    if not match:
        raise ConfigError(f"the migration {file} is not named like 0001_record.sql", hint=FILE_HINT)
    try:
        preamble, *sections = _MARKER.split(content.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise ConfigError(f"the migration {file} is not UTF-8: {error}", hint=FILE_HINT) from error
    if sections[::2] not in (["up"], ["up", "down"]) or has_statements(preamble):
        raise ConfigError(
            f"the migration {file} needs a line `-- migrate:up` first, then at most one `-- migrate:down`",
            hint=FILE_HINT,
        )
    up, down = [*sections[1::2], ""][:2]
    replaced_files = tuple(f"{name}.sql" for names in _REPLACED.findall(preamble) for name in names.split())
    return Migration(match[1], match[2], up, down, hashlib.sha256(content).hexdigest(), replaced_files)


def read(folder: Path | None = None) -> dict[str, Migration]:
    """Read the migrations of a folder (by default Paliadin's own): version → migration, oldest first.

    Raises ConfigError for a malformed file, or for two files of one version.
    """
    migrations: dict[str, Migration] = {}
    for path in sorted((folder or resource_folder("migrations")).glob("*.sql")):
        migration = parse(path.name, path.read_bytes())
        if migration.version in migrations:
            message = f"{path.name} has the same number as {migrations[migration.version].file}"
            raise ConfigError(message, hint=FILE_HINT)
        migrations[migration.version] = migration
    return migrations


def has_statements(text: str) -> bool:
    """Tell whether the SQL has anything but comments and blanks."""
    return bool(re.sub(r"--.*", "", text).strip())
