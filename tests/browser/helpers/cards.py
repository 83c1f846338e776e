"""The cards on which Claude asks: scenes that bring them up, and keys as a browser sends them."""

from __future__ import annotations

import json

from playwright.sync_api import Locator

# The card takes no key in its first half second: this waits until that is over.
GROWN = "() => new Promise((done) => setTimeout(done, 700))"
# Sends a key to every card in the moment in which it appears.
PRESS_AT_ONCE = """() => {
  window.pressed = 0;
  new MutationObserver(() => {
    for (const card of document.querySelectorAll(".ask:not([data-pressed])")) {
      card.dataset.pressed = "";
      window.pressed += 1;
      card.dispatchEvent(new KeyboardEvent("keydown", { key: "1", bubbles: true, composed: true }));
    }
  }).observe(document.body, { childList: true, subtree: true });
}"""
REPEAT = """(card) => card.dispatchEvent(
  new KeyboardEvent("keydown", { key: "1", bubbles: true, composed: true, repeat: true }))"""


def call(name: str, **fields: object) -> str:
    """A question for which the scripted model calls this tool."""
    return f"scene:call {name} {json.dumps(fields, ensure_ascii=False)}"


def wait_until_grown(card: Locator) -> None:
    card.evaluate(GROWN)
