/**
 * Loads a style sheet. It is constructed, so no Content-Security-Policy of an application around a drawer blocks it.
 * @param {string|URL} address
 * @param {Window & typeof globalThis} [view] in whose document it is used
 */
export async function loadStyleSheet(address, view = window) {
  const response = await fetch(address);
  const sheet = new view.CSSStyleSheet();
  await sheet.replace(await response.text());
  return sheet;
}
