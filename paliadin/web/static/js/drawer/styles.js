/** The style sheets of the drawer's shadow root. They are constructed, so no Content-Security-Policy blocks them. */
const NAMES = ["theme", "chat", "turn", "prose", "rich", "claims", "cards", "attachments", "page", "list", "drawer"];

/** @type {Promise<CSSStyleSheet[]>|null} */
let loading = null;

/** Loads the style sheets, once for all drawers of a page. */
export function styleSheets() {
  loading ??= Promise.all(NAMES.map(load));
  return loading;
}

/** @param {string} name */
async function load(name) {
  const response = await fetch(new URL(`../../css/${name}.css`, import.meta.url));
  const sheet = new CSSStyleSheet();
  await sheet.replace(await response.text());
  return sheet;
}
