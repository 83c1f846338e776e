/** The drawer's styles, for its shadow root: the page's own rules for style sheets do not concern these. */
const NAMES = ["theme", "chat", "turn", "prose", "cards", "page", "drawer"];

/** @type {Promise<CSSStyleSheet[]>|null} */
let loading = null;

/** Of all drawers of a page, once. */
export function styleSheets() {
  loading ??= Promise.all(NAMES.map(load));
  return loading;
}

/** @param {string} name */
async function load(name) {
  const answer = await fetch(new URL(`../../css/${name}.css`, import.meta.url));
  const sheet = new CSSStyleSheet();
  await sheet.replace(await answer.text());
  return sheet;
}
