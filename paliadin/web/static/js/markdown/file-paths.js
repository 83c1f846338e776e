/**
 * Finds what may name a file in a text: `src/a.py:12`, `docs/a.md#L3`, `charts/plan.png`. Whether there is such a file
 * only the daemon knows. Pure.
 * @typedef {{path: string, line: number|null, from: number, to: number}} NamedPath `from`, `to`: where it stands
 */

const MAX_PATH = 300;
/** In one text: what is beyond stays text. */
const MAX_PATHS = 40;
const MAX_TEXT = 50_000;

const WORDS = /[^\s"'`<>()[\]{},;|*“”„‘’«»]+/g;
const PLACE = /(?::(\d{1,7})(?::\d{1,5}|-\d{1,7})?|#L(\d{1,7})(?:C\d{1,5})?(?:-L?\d{1,7}(?:C\d{1,5})?)?)$/;
const PICTURE = /\.(?:png|jpe?g|gif|webp)$/i;
const EXTENSION = /[^\s/.][^\s/]*\.[a-z\d]{1,8}$|^\.[a-z][\w.-]*$/i;

/** @param {string} path */
export const namesPicture = (path) => PICTURE.test(path);

/**
 * Separates a path from the line behind it.
 * @param {string} text
 * @returns {{path: string, line: number|null}}
 */
export function splitPlace(text) {
  const match = PLACE.exec(text);
  const line = Number(match?.[1] ?? match?.[2] ?? 0);
  return match ? { path: text.slice(0, match.index), line: line || null } : { path: text, line: null };
}

/**
 * Finds the paths in prose: those with a line behind them, and those of pictures.
 * @param {string} text
 * @returns {NamedPath[]}
 */
export function pathsInProse(text) {
  if (text.length > MAX_TEXT) return [];
  const paths = [];
  for (const match of text.matchAll(WORDS)) {
    const word = match[0].replace(/[.:!?…]+$/, "");
    if (word.length > MAX_PATH || paths.length >= MAX_PATHS) continue;
    const { path, line } = splitPlace(word);
    if (!mayBePath(path) || (line === null && !namesPicture(path))) continue;
    paths.push({ path, line, from: match.index, to: match.index + word.length });
  }
  return paths;
}

/**
 * The path that a piece of inline code is, or null.
 * @param {string} code
 * @returns {NamedPath|null}
 */
export function pathInCode(code) {
  if (code.length > MAX_PATH || /[\n\r]/.test(code)) return null;
  const { path, line } = splitPlace(code.trim());
  const isPath = mayBePath(path) && (line !== null || path.includes("/") || EXTENSION.test(path));
  return isPath && !path.endsWith("/") ? { path, line, from: 0, to: code.length } : null;
}

/**
 * The path that the address of a link or an image in Markdown is, or null for one of the web.
 * @param {string} href
 */
export function pathInHref(href) {
  if (href.length > MAX_PATH || /^(?:[a-z][a-z\d+.-]*:[^\d]|[/\\]{2}|[#?])/i.test(href)) return null;
  const { path, line } = splitPlace(decode(href));
  return mayBePath(path) && (line !== null || EXTENSION.test(path)) ? { path, line } : null;
}

/** @param {string} path */
function mayBePath(path) {
  if (!/[\p{L}_]/u.test(path) || path.includes("://") || /[\p{Cc}\\]/u.test(path)) return false;
  if (path.split("/").includes("..") || path.startsWith("//")) return false;
  return path.includes("/") ? path.length > 2 : EXTENSION.test(path) || /^[A-Z][\w.-]+$/.test(path);
}

/** @param {string} text */
function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
