"""The part `matrices` of `make load`: the matrices' lines, and the long tests, that `make test` leaves out.

`make test` runs some lines of each matrix: every size, theme and language in one of them, and none in all; and with the
older Claude Code what its keys, dialogs and pastes are like.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def matrices() -> None:
    """Run them with pytest, as CI would: what is missing fails. In PYTEST are more arguments, such as a file."""
    command = [sys.executable, "-m", "pytest", "-m", "matrix or long", "-n", os.environ.get("WORKERS", "3")]
    command += ["--no-loadscope-reorder", *shlex.split(os.environ.get("PYTEST", ""))]
    ended = subprocess.run(command, cwd=ROOT, env=os.environ | {"CI": "true"}, check=False)
    if ended.returncode:
        sys.exit("FAILED: a line of the matrices; pytest says above which one")
