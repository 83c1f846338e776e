"""What axe finds, in each theme."""

from __future__ import annotations

import json
from typing import Literal

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from tests.browser.helpers.firefox import Firefox

Theme = Literal["light", "dark"]
AXE = Axe()
RUN = """async ([within, only]) => {
  const rules = only ? { runOnly: only } : {};
  const results = await axe.run(within ?? document, { resultTypes: ["violations"], ...rules });
  const serious = results.violations.filter(({ impact }) => ["serious", "critical"].includes(impact));
  return serious.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}"""


def serious(page: Page, within: str | None = None, themes: tuple[Theme, ...] = ("light", "dark")) -> list[str]:
    """Rule and element, for each violation that matters."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.axe_script)
    violations = []
    for theme in themes:
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")  # a colour that fades is not its end
        only = ["color-contrast"] if theme != themes[0] else None  # nothing else depends on the theme
        violations += [f"{theme}: {each}" for each in page.evaluate(RUN, [within, only])]
    return violations


def serious_in_firefox(tab: Firefox, within: str | None = None) -> list[str]:
    """The same in Firefox, in the theme that it has."""
    if not tab.evaluate("'axe' in window"):
        tab.evaluate(f"{AXE.axe_script}; null")
    return list(tab.evaluate(f"({RUN})({json.dumps([within, None])})"))
