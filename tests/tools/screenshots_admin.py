"""The README's picture of the dashboard, over a seeded history: `python -m tests.tools.screenshots_admin`."""

from __future__ import annotations

import asyncio
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from paliadin.postgres.cluster import remove_database
from tests.browser.helpers.admin import dashboard
from tests.browser.helpers.chromium import launch_options
from tests.tools.seed_history import fill
from tests.worlds.postgres import server

FOLDER = Path(__file__).parents[2] / "docs" / "images"
TURNS = 4_000  # about five a working day


def take(conninfo: str, home: Path, folder: Path) -> None:
    with dashboard(conninfo, home) as served, sync_playwright() as playwright:
        browser = playwright.chromium.launch(**launch_options())
        context = browser.new_context(viewport={"width": 1120, "height": 1000})
        served.sign_in(context)
        page = context.new_page()
        page.goto(f"{served.url}/admin/paliadin?span=30")
        page.screenshot(path=folder / "monitoring.png")
        browser.close()


def main() -> None:
    with tempfile.TemporaryDirectory() as home:
        try:
            asyncio.run(fill(Path(home), TURNS))
            with server(Path(home)) as conninfo:
                take(conninfo, Path(home), Path(sys.argv[1]) if sys.argv[1:] else FOLDER)
        finally:
            remove_database(Path(home))


if __name__ == "__main__":
    main()
