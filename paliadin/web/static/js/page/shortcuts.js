/**
 * The page's keys: Escape stops, Ctrl or Cmd with Shift+O begins a conversation, and with K finds one. Browsers have
 * uses of their own for the two, which they leave to a page that prevents them.
 */
import { listenToKeys } from "../browser/keys.js";

/**
 * @param {object} actions
 * @param {() => void} actions.stop
 * @param {() => void} actions.make
 * @param {() => void} actions.find
 */
export function listenToShortcuts({ stop, make, find }) {
  listenToKeys(document, (event) => {
    if (event.defaultPrevented) return;
    const key = event.key.toLowerCase();
    const command = (event.ctrlKey || event.metaKey) && !event.altKey;
    const covered = document.querySelector("dialog[open]:not(.list-drawer)");
    if (key === "escape") return document.querySelector("dialog[open]") || stop();
    const act = !command || covered ? null : key === "o" && event.shiftKey ? make : key === "k" ? find : null;
    if (!act || (key === "k" && event.shiftKey)) return;
    event.preventDefault();
    act();
  });
}

const isMac = /mac|iphone|ipad/i.test(navigator.platform);
export const NEW_KEY = isMac ? "⇧⌘O" : "Ctrl+Shift+O";
