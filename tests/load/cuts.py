"""`make cuts`: the wire to another host is cut in mid-turn for 1, 30 and 300 s, with ssh's own patience. Needs root.

Prints one line a cut; ends with an error when an event is lost or doubled, or the question was asked twice.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from paliadin.base.settings import ensure_home
from paliadin.demo.scripted_api import ScriptedApi
from paliadin.relays.ssh.hosts import save_remote
from tests.integration.test_ssh import FAR, asked_for, follow_through, state
from tests.worlds.far import check_mirrored
from tests.worlds.script import STEADY, play
from tests.worlds.wire import FarHost
from tests.worlds.world import World, binaries, eventually, text_of


def main(lengths: list[float]) -> None:
    api, claude = ScriptedApi(play), binaries()["sdk"]
    with api.running() as url, tempfile.TemporaryDirectory() as near_root:
        host = FarHost(Path(tempfile.mkdtemp(prefix="paliadin-far-")), claude, url)
        near = World(Path(near_root) / "near", claude, api, url)
        try:
            host.start()
            ensure_home(near.settings)
            save_remote(near.settings.home, host.remote())
            near.start()
            for length in lengths:
                cut(near, host, (api, url), length)
        finally:
            near.close()
            host.close()


def cut(near: World, host: FarHost, api: tuple[ScriptedApi, str], length: float) -> None:
    eventually(lambda: state(near)["ok"], 60, "the session is up")
    noticed: list[float] = []
    mended: list[float] = []

    def cut_wire() -> None:
        begun = time.monotonic()
        host.wire.is_cut = True
        while time.monotonic() < begun + length:
            if length > 10 and not noticed and state(near)["state"] == "unreachable":
                noticed.append(time.monotonic() - begun)
            time.sleep(0.1)
        host.wire.is_cut = False
        mended.append(time.monotonic())

    turn_id = near.ask(f"scene:steady cut for {length} s", session_id=FAR)
    events = follow_through(near, turn_id, 3, cut_wire)
    whole = time.monotonic() - mended[0]
    assert events[-1].name == "end", events[-1].data
    assert [event.id for event in events] == list(range(1, len(events) + 1))
    assert text_of(events).splitlines() == STEADY
    assert asked_for(api, turn_id) == 1
    [here] = near.settings.response_dir.glob(f"*/{turn_id}/events.jsonl")
    [there] = (host.shim_home / "turns").glob(f"*/{turn_id}/events.jsonl")
    check_mirrored(here, there)
    seen = f"reported as unreachable after {noticed[0]:.0f} s" if noticed else "not noticed"
    sys.stdout.write(f"{length:.0f} s: {len(events)} events, each once; {seen}; whole {whole:.1f} s after the mend\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main([float(length) for length in sys.argv[1:]] or [1, 30, 300])
