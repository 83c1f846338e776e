/**
 * The page's keys: Escape stops, Ctrl or Cmd with Shift+O begins a conversation, with K finds one, and with P prints
 * the open one. Browsers have uses of their own for them, which they leave to a page that prevents them.
 */
import { listenToKeys } from "../browser/keys.js";

/**
 * @param {object} actions
 * @param {() => void} actions.stop
 * @param {() => void} actions.make
 * @param {() => void} actions.find
 * @param {() => void} actions.print
 */
export function listenToShortcuts({ stop, make, find, print }) {
  listenToKeys(document, (event) => {
    if (event.defaultPrevented) return;
    const key = event.key.toLowerCase();
    const command = (event.ctrlKey || event.metaKey) && !event.altKey;
    const covered = document.querySelector("dialog[open]:not(.list-drawer)");
    if (key === "escape") return document.querySelector("dialog[open]") || stop();
    /** @type {Record<string, () => void>} */
    const plain = event.shiftKey ? {} : { k: find, p: print };
    const act = !command || covered ? null : key === "o" && event.shiftKey ? make : plain[key];
    if (!act) return;
    event.preventDefault();
    act();
  });
}

const isMac = /mac|iphone|ipad/i.test(navigator.platform);
export const NEW_KEY = isMac ? "⇧⌘O" : "Ctrl+Shift+O";
