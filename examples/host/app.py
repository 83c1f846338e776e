"""Paliad, an example application with the drawer: its own pages, and the one route that the drawer needs of its host.

    python examples/host/app.py --daemon http://127.0.0.1:8724 --key-file example.key

The daemon must allow this origin: PALIADIN_ALLOWED_ORIGINS=http://localhost:5000. Its owner makes the key with
`paliadin token add example --for embed > example.key`. Standard library only; with `--database`, which shows a practice
(PALIADIN_PALIAD), it needs psycopg as well.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parent))  # this file may be loaded from anywhere, by its path

from paliad_application.database import reading
from paliad_application.server import Host
from paliad_application.sign_in import COOKIE

__all__ = ["COOKIE", "Host", "reading"]


def main() -> None:
    """Serve the application until it is interrupted."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--daemon", default="http://127.0.0.1:8724")
    parser.add_argument("--key-file", type=Path, required=True)
    parser.add_argument("--port", type=int, default=5000)
    parser.add_argument("--database", help="where the practice is, as psycopg takes it")
    options = parser.parse_args()
    host = Host(options.port, options.daemon, options.key_file.expanduser().read_text("ascii").strip())
    host.database = options.database
    sys.stdout.write(f"{host.origin}\n")
    host.serve_forever()


if __name__ == "__main__":
    main()
