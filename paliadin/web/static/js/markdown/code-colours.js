/**
 * Colours code with highlight.js. The library and each language are loaded when the first block needs them.
 * @typedef {import("../../vendor/highlight.js").Highlight} Highlight
 */
import { loader } from "../browser/load.js";
import DOMPurify from "../../vendor/purify.js";

/** In characters. The grammar of C# looks through all words that follow each other, from each of them. */
const MAX_COLOURED = 20_000;
const MAX_CSHARP = 5_000;
/** A word of this length, or so many of one character, is no code: some grammars look for its end from each of them. */
const ENDLESS = /[\w$.-]{80}|([\s\S])\1{200}/;

/**
 * @param {string} code
 * @param {string} language
 */
export const isColourable = (code, language) =>
  code.length <= (language === "csharp" ? MAX_CSHARP : MAX_COLOURED) && !ENDLESS.test(code);

/** @type {Record<string, string[]>} languages that stand in others */
const INSIDE = { xml: ["css", "javascript"], php: ["xml"], shell: ["bash"] };
const ALLOWED = { ALLOWED_TAGS: ["span"], ALLOWED_ATTR: ["class"], RETURN_DOM_FRAGMENT: /** @type {const} */ (true) };

/** @type {Map<string, () => Promise<void>>} */
const loaders = new Map();
/** @type {Highlight|null} */
let library = null;

/**
 * Loads what a language needs, once.
 * @param {string} language
 * @returns {Promise<void>}
 */
export function loadLanguage(language) {
  const known = loaders.get(language) ?? loader(() => load(language));
  loaders.set(language, known);
  return known();
}

/** @param {string} language */
async function load(language) {
  const own = language === "mermaid" ? import("./mermaid-grammar.js") : import(`../../vendor/highlight/${language}.js`);
  const [core, grammar] = await Promise.all([
    import("../../vendor/highlight/core.js"),
    own,
    ...(INSIDE[language] ?? []).map(loadLanguage),
  ]);
  library = core.default;
  library.registerLanguage(language, grammar.default);
}

/**
 * @param {string} code
 * @param {string} language one that is loaded
 * @returns {DocumentFragment}
 */
export function colour(code, language) {
  const { value } = /** @type {Highlight} */ (library).highlight(code, { language, ignoreIllegals: true });
  return DOMPurify.sanitize(value, ALLOWED);
}
