/** The style sheets of the drawer's shadow root. */
import { loadStyleSheet } from "../browser/style-sheet.js";

const NAMES = ["theme", "chat", "turn", "prose", "rich", "claims", "cards", "attachments", "page", "list", "drawer"];

/** @type {Promise<CSSStyleSheet[]>|null} */
let loading = null;

/** @param {string} name */
const addressOf = (name) => new URL(`../../css/${name}.css`, import.meta.url);

/** Loads the style sheets, once for all drawers of a page. */
export function styleSheets() {
  loading ??= Promise.all(NAMES.map((name) => loadStyleSheet(addressOf(name))));
  return loading;
}

/**
 * Makes the style sheets of a window that prints a conversation.
 * @param {Window & typeof globalThis} view
 * @param {string[]} more addresses of further ones
 */
export const printSheets = (view, more) =>
  Promise.all([...[...NAMES, "print"].map(addressOf), ...more].map((each) => loadStyleSheet(each, view)));
