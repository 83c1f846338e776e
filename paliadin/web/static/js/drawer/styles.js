/** The style sheets of the drawer's shadow root. They are constructed, so no Content-Security-Policy blocks them. */
const NAMES = ["theme", "chat", "turn", "prose", "rich", "claims", "cards", "attachments", "page", "list", "drawer"];

/** @type {Promise<CSSStyleSheet[]>|null} */
let loading = null;

/** Loads the style sheets, once for all drawers of a page. */
export function styleSheets() {
  loading ??= Promise.all(NAMES.map((name) => load(name)));
  return loading;
}

/**
 * Makes the style sheets of a window that prints a conversation.
 * @param {Window & typeof globalThis} view
 */
export const printSheets = (view) => Promise.all([...NAMES, "print"].map((name) => load(name, view)));

/**
 * @param {string} name
 * @param {Window & typeof globalThis} [view]
 */
async function load(name, view = window) {
  const response = await fetch(new URL(`../../css/${name}.css`, import.meta.url));
  const sheet = new view.CSSStyleSheet();
  await sheet.replace(await response.text());
  return sheet;
}
