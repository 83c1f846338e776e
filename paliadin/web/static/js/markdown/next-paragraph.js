/**
 * Where in a paragraph a block of ours begins, for the extensions of the lexer. Pure.
 * @typedef {import("./bounded-lexer.js").BoundedLexer} BoundedLexer
 */

/** In characters: what begins further on in a paragraph does not end it. */
const MAX_LOOKED_AT = 4_000;

/**
 * The text up to the first empty line, or as much of it as is looked at.
 * @param {string} src
 */
export function nextParagraph(src) {
  const near = src.slice(0, MAX_LOOKED_AT);
  const end = near.indexOf("\n\n");
  return end < 0 ? near : near.slice(0, end + 1);
}

/**
 * @param {{lexer: unknown}} extension
 * @param {string} src
 * @param {RegExp} pattern
 * @returns {number} -1 for none. It costs work: the rest of the paragraph is looked at anew behind each
 */
export function findStart({ lexer }, src, pattern) {
  const at = nextParagraph(src).search(pattern);
  if (at < 0) return -1;
  const end = src.indexOf("\n\n");
  return /** @type {BoundedLexer} */ (lexer).spend(end < 0 ? src.length : end) ? at : -1;
}
