"""The folders in which browsers keep their cookies, among them the page's own: Firefox keeps it in plain text."""

from __future__ import annotations

from pathlib import Path

FOLDERS = (  # below the home folder; each browser's own, as its documentation names it
    ".mozilla",
    ".config/mozilla",
    ".librewolf",
    ".config/chromium",
    ".config/google-chrome",
    ".config/microsoft-edge",
    ".config/BraveSoftware",
    ".config/vivaldi",
    ".config/opera",
    "snap/firefox",
    "snap/chromium",
    ".var/app/org.mozilla.firefox",
    ".var/app/org.chromium.Chromium",
    ".var/app/com.google.Chrome",
    "Library/Application Support/Firefox",
    "Library/Application Support/Chromium",
    "Library/Application Support/Google/Chrome",
    "Library/Application Support/Microsoft Edge",
    "Library/Application Support/BraveSoftware",
    "Library/Application Support/Vivaldi",
    "Library/Containers/com.apple.Safari",
    "Library/Cookies",
)


def browser_profiles(home: Path) -> list[Path]:
    """Return the folders of browsers' profiles that exist in a home folder."""
    return [folder for name in FOLDERS if (folder := home / name).is_dir()]
