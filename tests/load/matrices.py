"""The part `matrices` of `make load`: the lines of the tests' matrices that do not run with all tests.

`make test` runs some lines of each: every size, theme, language and version in one of them, and none in all.
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
    command = [sys.executable, "-m", "pytest", "-m", "matrix", "-n", os.environ.get("WORKERS", "3")]
    command += ["--no-loadscope-reorder", *shlex.split(os.environ.get("PYTEST", ""))]
    ended = subprocess.run(command, cwd=ROOT, env=os.environ | {"CI": "true"}, check=False)
    if ended.returncode:
        sys.exit("FAILED: a line of the matrices; pytest says above which one")
