"""Another host, on loopback: a real sshd of the test's own, behind its one key the shim with the real Claude Code."""

from __future__ import annotations

import contextlib
import functools
import getpass
import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from paliadin.base.errors import TmuxUnresponsive
from paliadin.demo.private_home import private_environment
from paliadin.relays.ssh.hosts import Remote
from paliadin.relays.terminal.tmux import TmuxServer
from tests.worlds.ports import own_port
from tests.worlds.world import ROOT, eventually

SSHD = """\
Port {port}
ListenAddress {address}
HostKey {root}/host_key
AuthorizedKeysFile {root}/authorized_keys
PidFile none
StrictModes no
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin prohibit-password
AcceptEnv *
Subsystem sftp internal-sftp
"""


@dataclass
class Far:
    """`root` is a folder of its own; `start` makes the line in authorized_keys and runs sshd."""

    root: Path
    claude: Path
    base_url: str
    settings: dict[str, bool] = field(default_factory=dict)  # more of the account's settings there
    variables: dict[str, str] = field(default_factory=dict)  # more of the environment there
    process: subprocess.Popen[bytes] | None = None
    port: int = 0
    address: ClassVar[str] = "127.0.0.1"
    user: ClassVar[str] = getpass.getuser()

    def __post_init__(self) -> None:
        self.workdir = self.root / "work"
        self.workdir.mkdir(parents=True)
        self.environment = private_environment(self.root / "home", self.workdir, self.base_url) | self.variables
        config = self.root / "home" / ".config" / "paliadin" / "config.toml"
        config.parent.mkdir(parents=True)
        self.socket = f"paliadin-far-{os.getpid()}-{self.root.name[:20]}"
        lines = {
            "home": self.root / "state",
            "claude": self.there(self.claude),
            "tmux_socket": self.socket,
            "workdir": self.workdir,
        }
        texts = {key: str(value) for key, value in lines.items()} | self.settings
        config.write_text("".join(f"{key} = {json.dumps(value)}\n" for key, value in texts.items()), "utf-8")
        for name in ("host_key", "key", "own_key"):
            command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(self.root / name)]
            subprocess.run(command, check=True, stdin=subprocess.DEVNULL)
        self.port = own_port()
        (self.root / "sshd_config").write_text(
            SSHD.format(port=self.port, address=self.address, root=self.root), "utf-8"
        )
        host_key = (self.root / "host_key.pub").read_text("ascii")
        (self.root / "known_hosts").write_text(f"[{self.address}]:{self.port} {host_key}", "ascii")
        self.allow_tester()

    def allow_tester(self) -> None:
        """The key and the shim as they are at first."""
        self.allow("--name", "tester", "--workdir", str(self.workdir))

    def allow(self, *arguments: str) -> None:
        """Write the lines of the key and of the owner's own; the shim gets an environment made from nothing."""
        python, path = self.python()
        variables = [f"{name}={value}" for name, value in self.environment.items()]
        start = [python, "-c", "from paliadin.relays.ssh.shim.process import main; main()"]
        kept = " ".join(f'${{{name}+"{name}=${name}"}}' for name in ("SSH_CONNECTION", "SSH_ORIGINAL_COMMAND", "TERM"))
        words = shlex.join([*variables, f"PYTHONPATH={path}", *start])
        self.program.write_text(f'#!/bin/sh\nexec env -i {kept} {words} "$@"\n', "utf-8")
        self.program.chmod(0o755)
        key, own = ((self.root / f"{name}.pub").read_text("ascii") for name in ("key", "own_key"))
        line = f'command="{shlex.join([str(self.program), *arguments])}",restrict {key}'
        (self.root / "authorized_keys").write_text(line + own, "ascii")

    def there(self, path: Path) -> str:
        """The path of a file as it is seen there."""
        return str(path)

    def python(self) -> tuple[str, str]:
        """Its program, and where it finds the package."""
        return sys.executable, str(ROOT)

    def command(self, sshd: list[str]) -> list[str]:
        """What starts sshd there."""
        return sshd

    @property
    def program(self) -> Path:
        return self.root / "shim"

    @property
    def options(self) -> list[str]:
        """Of ssh; nothing comes from the account's own configuration."""
        known = f"UserKnownHostsFile={self.root / 'known_hosts'}"
        more = ["-o", known, "-o", "GlobalKnownHostsFile=/dev/null", "-o", "IdentitiesOnly=yes"]
        return ["-F", "/dev/null", "-p", str(self.port), *more]

    def remote(self, **fields: Any) -> Remote:
        """As `paliadin remote add` would note it."""
        known = {"options": tuple(self.options), "key": str(self.root / "key"), "program": str(self.program)}
        return Remote("far", self.destination, **known | {"known_as": "tester"} | fields)

    @property
    def destination(self) -> str:
        return f"{self.user}@{self.address}"

    @property
    def shim_home(self) -> Path:
        return self.root / "state" / "shims" / "tester"

    @functools.cached_property
    def terminal(self) -> TmuxServer:
        return TmuxServer(self.socket, "paliad-paliadin-tester")

    def ssh(
        self, *command: str, stdin: bytes = b"", options: tuple[str, ...] = (), key: Path | None = None
    ) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            ["ssh", *self.options, "-i", str(key or self.root / "key"), "-o", "BatchMode=yes", *options,
             self.destination, *command],
            input=stdin, capture_output=True, timeout=30, check=False,
        )  # fmt: skip

    def start(self) -> None:
        if os.geteuid() == 0:
            Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)  # sshd wants it when it runs as root
        command = self.command([shutil.which("sshd") or "/usr/sbin/sshd", "-D", "-e", "-f", f"{self.root}/sshd_config"])
        with (self.root / "sshd.log").open("ab") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        eventually(self._listens, what="sshd listens")

    def _listens(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex((self.address, self.port)) == 0

    def stop(self) -> None:
        """sshd ends; the connections that it has made live on."""
        if self.process:
            self.process.terminate()
            self.process.wait(10)
            self.process = None

    def shim_pid(self) -> int:
        return int((self.shim_home / "shim.lock").read_text("ascii"))

    def close(self) -> None:
        self.stop()
        with contextlib.suppress(TmuxUnresponsive):
            self.terminal.kill_server()


def check_mirrored(here: Path, there: Path) -> None:
    """Compare the logs of a turn that is over: here is what its host has, and the step that this daemon adds.

    The mirror ends with the turn. On a busy host a hook may count the tokens later, when the relay there has done so.
    """
    data, added = re.subn(rb'\n\{"at": \d+, "step": "checked", [^\n]*\n', b"", here.read_bytes())
    assert added < 2, "the answer is checked once, where the conversation is"
    whole = there.read_bytes()
    assert whole.startswith(data)
    later = [json.loads(line) for line in whole[len(data) :].splitlines() if line]
    assert all("usage" in line for line in later), later
