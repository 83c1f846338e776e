"""schemathesis: it generates requests from the daemon's own description, and compares the responses with it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from tests.worlds.world import TOKEN, World

PROGRAM = Path(sys.executable).with_name("schemathesis")
CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"


def run_schemathesis(world: World, folder: Path, examples: int, seconds: int) -> subprocess.CompletedProcess[str]:
    """Run it in this folder, with a key.

    Without /access: no key opens that, and with a cookie it tries wrong ones. Without /events, which may never end.
    """
    address = f"http://127.0.0.1:{world.options['PORT']}/api/paliadin/openapi.json"
    command = [
        str(PROGRAM),
        "run",
        address,
        "-H",
        f"Authorization: Bearer {TOKEN}",
        "--exclude-path-regex=/access|/events",
    ]
    command += [f"--checks={CHECKS}", f"--max-examples={examples}", "--phases=examples,coverage,fuzzing"]
    environment = {"PATH": "/usr/bin:/bin", "HOME": str(folder)}
    return subprocess.run(
        command, capture_output=True, text=True, cwd=folder, env=environment, check=False, timeout=seconds
    )
