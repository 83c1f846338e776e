"""A private home folder and a clean environment, in which the real Claude Code runs against a scripted API."""

from __future__ import annotations

import json
import os
from pathlib import Path

KEY = "sk-ant-scripted-not-a-real-key-00000000"


def private_environment(home: Path, workdir: Path, base_url: str) -> dict[str, str]:
    """Fill `home` so that Claude asks nothing at its first start; returns the complete environment to run it with.

    Only PATH is inherited, so no key, token or login of this machine's owner can be used.
    """
    home.mkdir(mode=0o700, parents=True, exist_ok=True)
    first_run = {
        "hasCompletedOnboarding": True,
        "theme": "dark",
        "customApiKeyResponses": {"approved": [KEY[-20:]], "rejected": []},
        "projects": {str(workdir.resolve()): {"hasTrustDialogAccepted": True}},
    }
    (home / ".claude.json").write_text(json.dumps(first_run), "utf-8")
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": str(home),
        "LANG": "C.UTF-8",
        "TERM": "tmux-256color",
        "ANTHROPIC_BASE_URL": base_url,
        "ANTHROPIC_API_KEY": KEY,
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
        "CLAUDE_CODE_DISABLE_OFFICIAL_MARKETPLACE_AUTOINSTALL": "1",  # which the other one does not cover
        "DISABLE_AUTOUPDATER": "1",
    }
