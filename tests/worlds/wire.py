"""Two hosts and a wire between them.

The far end has a network namespace and an ordinary account; each packet is carried by us from one TUN device to the
other, late or never. (tc's netem would do as well, but many kernels lack it.) Needs root on Linux.
"""

from __future__ import annotations

import contextlib
import ctypes
import fcntl
import heapq
import ipaddress
import os
import random
import select
import shlex
import shutil
import signal
import socket
import struct
import subprocess
import sys
import sysconfig
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

from tests.conftest import missing, need
from tests.worlds.far import Far
from tests.worlds.ports import close_listener
from tests.worlds.world import ROOT

# RFC 2544: for tests between two hosts, never routed. Two runs at once have their own.
_NETWORK = ipaddress.ip_address("198.18.0.0") + 4 * (os.getpid() % 2**15)
NEAR, FAR = str(_NETWORK + 1), str(_NETWORK + 2)
UID = 61234
TUNSETIFF, IFF_TUN, IFF_NO_PI = 0x400454CA, 0x1, 0x1000
CLONE_NEWNET = 0x40000000
BASHRC = """\
echo "Welcome to this host"; echo '{"motd": 1}'; echo "a warning" >&2; sleep 1
"""


def check_possible() -> None:
    """Tries what two hosts need: an ordinary user and an ordinary container have none of it."""
    if os.geteuid():
        missing("only root can make the two hosts of these tests")
    need("ip")
    name = f"pltry{os.getpid()}"
    try:
        os.close(_tun(name))
        _run("ip", "netns", "add", name)
        try:
            _run("ip", "-n", name, "link", "set", "lo", "up")
        finally:
            _run("ip", "netns", "del", name)
    except OSError as error:
        missing(f"the two hosts of these tests need /dev/net/tun: {error.strerror}")
    except subprocess.CalledProcessError as error:
        missing(f"the two hosts of these tests need network namespaces: {' '.join(error.stderr.split())}")


@dataclass
class Wire:
    """`delay` in seconds, each way; `loss` is the share of packets that do not arrive."""

    delay: float = 0.0
    loss: float = 0.0
    is_cut: bool = False
    lost: int = 0
    _ends: list[int] = field(default_factory=list)
    _over: bool = False

    def open(self, names: tuple[str, str]) -> None:
        self._ends = [_tun(name) for name in names]
        self._thread = threading.Thread(target=self._carry, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._over = True
        self._thread.join(5)
        for end in self._ends:
            os.close(end)

    def _carry(self) -> None:
        chance = random.Random(1)  # noqa: S311  # the same packets in each run
        late: list[tuple[float, int, int, bytes]] = []
        number = 0
        while not self._over:
            wait = max(0.0, min(0.1, late[0][0] - time.monotonic())) if late else 0.1
            for end in select.select(self._ends, [], [], wait)[0]:
                packet = os.read(end, 65536)
                other = self._ends[1 - self._ends.index(end)]
                if self.is_cut or chance.random() < self.loss:
                    self.lost += 1
                    continue
                number += 1
                heapq.heappush(late, (time.monotonic() + self.delay, number, other, packet))
            while late and late[0][0] <= time.monotonic():
                _, _, other, packet = heapq.heappop(late)
                if not self.is_cut:
                    with contextlib.suppress(OSError):  # the device is gone
                        os.write(other, packet)


@dataclass
class FarHost(Far):
    """`start` boots it, `reboot` ends everything that runs there at once."""

    address: ClassVar[str] = FAR
    user: ClassVar[str] = "paliadin-far"
    wire: Wire = field(default_factory=Wire)

    def __post_init__(self) -> None:
        self._name = f"paliadin-far-{os.getpid()}"
        super().__post_init__()
        for folder in ("package", "python"):
            (self.root / folder).mkdir()
        (self.root / "home" / ".bashrc").write_text(BASHRC)
        home = self.root / "home"
        line = f"{self.user}:*:{UID}:{UID}::{home}:/bin/bash\n"
        (self.root / "passwd").write_text(Path("/etc/passwd").read_text() + line)
        self.environment = {name: value for name, value in self.environment.items() if name != "PATH"}
        self.environment["LD_LIBRARY_PATH"] = str(self.root / "python" / "lib")  # for a Python with a shared library
        self.allow("--name", "tester", "--workdir", str(self.workdir))
        self.root.chmod(0o755)
        for path in (self.root, *self.root.rglob("*")):
            if path.name not in {"key", "own_key"}:  # which are here, and not there
                os.chown(path, UID, UID)
        _run("ip", "netns", "add", self._name)
        devices = f"pln{os.getpid()}", f"plf{os.getpid()}"
        self.wire.open(devices)
        _run("ip", "addr", "add", f"{NEAR}/30", "dev", devices[0])
        _run("ip", "link", "set", devices[0], "up")
        _run("ip", "link", "set", devices[1], "netns", self._name)
        there = ("ip", "-n", self._name)
        _run(*there, "addr", "add", f"{FAR}/30", "dev", devices[1])
        for device in ("lo", devices[1]):
            _run(*there, "link", "set", device, "up")
        port = int(self.base_url.rpartition(":")[2])
        self._api = _forward(self._name, port)

    def there(self, path: Path) -> str:
        """Nobody but its owner may look into the folders of the tests and of Python: the host sees them elsewhere."""
        for name, folder in (("package", ROOT), ("python", Path(sys.base_prefix))):
            if path.is_relative_to(folder):
                return str(self.root / name / path.relative_to(folder))
        return str(path)

    def python(self) -> tuple[str, str]:
        packages = sysconfig.get_path("purelib")
        return self.there(Path(sys.executable).resolve()), f"{self.there(ROOT)}:{self.there(Path(packages))}"

    def command(self, sshd: list[str]) -> list[str]:
        mounts = [(self.root / "passwd", "/etc/passwd"), (ROOT, self.root / "package")]
        mounts += [(sys.base_prefix, self.root / "python")]
        script = " && ".join(shlex.join(["mount", "--bind", str(what), str(where)]) for what, where in mounts)
        return ["ip", "netns", "exec", self._name, "sh", "-c", f"{script} && exec {shlex.join(sshd)}"]

    def pids(self) -> list[int]:
        return [int(pid) for pid in _run("ip", "netns", "pids", self._name).split()]

    def power_off(self) -> None:
        while pids := self.pids():
            for pid in pids:
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
            time.sleep(0.05)
        self.stop()

    def close(self) -> None:
        self.power_off()
        close_listener(self._api)
        self.wire.close()
        _run("ip", "netns", "del", self._name)
        shutil.rmtree(self.root, ignore_errors=True)
        # In tmux's own folder, which another run of the tests may be using.
        Path(f"/tmp/tmux-{UID}/{self.socket}").unlink(missing_ok=True)  # noqa: S108


def _tun(name: str) -> int:
    end = os.open("/dev/net/tun", os.O_RDWR)
    fcntl.ioctl(end, TUNSETIFF, struct.pack("16sH", name.encode(), IFF_TUN | IFF_NO_PI))
    return end


def _run(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def _forward(namespace: str, port: int) -> socket.socket:
    """The scripted API, on loopback there as it is here: the model is no part of the wire."""
    made: list[socket.socket] = []

    def listen() -> None:
        with Path(f"/run/netns/{namespace}").open("rb") as there:
            if ctypes.CDLL(None, use_errno=True).setns(there.fileno(), CLONE_NEWNET):
                raise OSError(ctypes.get_errno(), "setns")
        made.append(socket.create_server(("127.0.0.1", port)))

    thread = threading.Thread(target=listen)  # only this thread goes there
    thread.start()
    thread.join()
    [server] = made

    def accept() -> None:
        with contextlib.suppress(OSError):  # closed
            while True:
                one, _ = server.accept()
                other = socket.create_connection(("127.0.0.1", port))
                threading.Thread(target=_splice, args=(one, other), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    return server


def _splice(one: socket.socket, other: socket.socket) -> None:
    with one, other:
        back = threading.Thread(target=_pump, args=(other, one), daemon=True)
        back.start()
        _pump(one, other)
        back.join()


def _pump(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
    with contextlib.suppress(OSError):
        target.shutdown(socket.SHUT_WR)
