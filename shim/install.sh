#!/bin/sh
# Install paliadin-shim into a virtual environment of its own. Run it from a checkout, in the account of Claude Code.
set -eu
here=$(cd "$(dirname "$0")/.." && pwd)
place=${1:-$HOME/.local/share/paliadin-shim}
command -v tmux >/dev/null || { echo "tmux is missing: install it first (tmux 3.2 or newer)" >&2; exit 1; }
"${PYTHON:-python3}" -m venv "$place"
"$place/bin/pip" install -q --disable-pip-version-check "$here"
"$place/bin/paliadin-shim" --version
command -v claude >/dev/null || echo "Claude Code is not on PATH: install it, or pip install claude-agent-sdk into $place"
echo "$place/bin/paliadin-shim"
