"""Another host, on loopback: a real sshd of the test's own, behind its one key the shim with the real Claude Code."""

from __future__ import annotations

import contextlib
import getpass
import json
import os
import shlex
import shutil
import socket
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from paliadin.errors import TmuxUnresponsive
from paliadin.relay.tmux import Terminal
from paliadin.scripted.home import private_environment
from tests.world import ROOT, eventually

SSHD = """\
Port {port}
ListenAddress 127.0.0.1
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
    process: subprocess.Popen[bytes] | None = None
    port: int = 0

    def __post_init__(self) -> None:
        self.workdir = self.root / "work"
        self.workdir.mkdir(parents=True)
        self.environment = private_environment(self.root / "home", self.workdir, self.base_url)
        config = self.root / "home" / ".config" / "paliadin" / "config.toml"
        config.parent.mkdir(parents=True)
        self.socket = f"paliadin-far-{os.getpid()}-{self.root.name[:20]}"
        lines = {"home": self.root / "state", "claude": self.claude, "tmux_socket": self.socket}
        config.write_text("".join(f"{key} = {json.dumps(str(value))}\n" for key, value in lines.items()), "utf-8")
        for name in ("host_key", "key"):
            command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(self.root / name)]
            subprocess.run(command, check=True, stdin=subprocess.DEVNULL)
        with socket.create_server(("127.0.0.1", 0)) as probe:
            self.port = probe.getsockname()[1]
        (self.root / "sshd_config").write_text(SSHD.format(port=self.port, root=self.root), "utf-8")
        host_key = (self.root / "host_key.pub").read_text("ascii")
        (self.root / "known_hosts").write_text(f"[127.0.0.1]:{self.port} {host_key}", "ascii")
        self.allow("--name", "tester", "--workdir", str(self.workdir))

    def allow(self, *arguments: str) -> None:
        """Write the key's line; the shim gets an environment made from nothing."""
        variables = [f"{name}={value}" for name, value in self.environment.items()]
        start = [sys.executable, "-c", "from paliadin.remote.serve import main; main()", *arguments]
        script = self.root / "shim"
        asked = '${SSH_ORIGINAL_COMMAND+"SSH_ORIGINAL_COMMAND=$SSH_ORIGINAL_COMMAND"}'  # env -i would take it away
        words = shlex.join([*variables, f"PYTHONPATH={ROOT}", *start])
        script.write_text(f"#!/bin/sh\nexec env -i {asked} {words}\n", "utf-8")
        script.chmod(0o755)
        key = (self.root / "key.pub").read_text("ascii")
        (self.root / "authorized_keys").write_text(f'command="{script}",restrict {key}', "ascii")

    @property
    def options(self) -> list[str]:
        """What ssh is told besides its destination; nothing of the account's own configuration."""
        known = f"UserKnownHostsFile={self.root / 'known_hosts'}"
        more = ["-o", known, "-o", "GlobalKnownHostsFile=/dev/null", "-o", "IdentitiesOnly=yes"]
        return ["-F", "/dev/null", "-p", str(self.port), "-i", str(self.root / "key"), *more]

    @property
    def destination(self) -> str:
        return f"{getpass.getuser()}@127.0.0.1"

    @property
    def shim_home(self) -> Path:
        return self.root / "state" / "shims" / "tester"

    @property
    def terminal(self) -> Terminal:
        return Terminal(self.socket, "paliad-paliadin-tester")

    def ssh(
        self, *command: str, given: bytes = b"", options: tuple[str, ...] = ()
    ) -> subprocess.CompletedProcess[bytes]:
        return subprocess.run(
            ["ssh", *self.options, "-o", "BatchMode=yes", *options, self.destination, *command],
            input=given, capture_output=True, timeout=30, check=False,
        )  # fmt: skip

    def start(self) -> None:
        if os.geteuid() == 0:
            Path("/run/sshd").mkdir(mode=0o755, exist_ok=True)  # sshd wants it when it runs as root
        command = [shutil.which("sshd") or "/usr/sbin/sshd", "-D", "-e", "-f", str(self.root / "sshd_config")]
        with (self.root / "sshd.log").open("ab") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        eventually(self._listens, what="sshd listens")

    def _listens(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0

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
