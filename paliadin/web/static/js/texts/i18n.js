/**
 * Looks up the page's texts in English or German. `{name}` stands for a value; a key that ends in `.one` or `.other` is
 * chosen by `count`.
 * @typedef {"en"|"de"} Lang
 * @typedef {keyof typeof import("./words.en.js").words} Key
 * @typedef {Record<string, string|number>} Values
 */
import { loader } from "../browser/load.js";

/** @type {Record<Lang, () => Promise<{words: Record<Key, string>}>>} */
const languages = {
  en: loader(() => import("./words.en.js")),
  de: loader(() => import("./words.de.js")),
};

/**
 * @template {string} [Own=never] the keys of a part's words
 * @typedef {(key: Key|Own, values?: Values) => string} Translate
 */

/** @type {Lang[]} */
export const LANGS = ["en", "de"];

/**
 * Picks the first language that the page has, or English.
 * @param {readonly string[]} wanted language tags, best first
 * @returns {Lang}
 */
export function pickLang(wanted) {
  return wanted.map((tag) => LANGS.find((lang) => tag.toLowerCase().startsWith(lang))).find((lang) => lang) ?? "en";
}

/**
 * Loads the words of a language. A key that there is none for gives "".
 * @template {string} [Own=never]
 * @param {Lang} lang
 * @param {Record<Own, string>} [own] a part's words, beside the page's
 * @returns {Promise<Translate<Own>>}
 */
export async function loadTranslator(lang, own) {
  /** @type {Record<string, string>} */
  const words = { ...(await languages[lang]()).words, ...own };
  const textOf = (/** @type {string} */ key) => (Object.hasOwn(words, key) ? (words[key] ?? "") : "");
  return (key, values = {}) => textOf(key).replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}

/**
 * Translates a text that has a singular and a plural.
 * @template {string} Known
 * @template {string} Stem
 * @param {(key: Known, values?: Values) => string} t
 * @param {`${Stem}.one` extends Known ? Stem : never} stem
 * @param {number} count
 */
export function plural(t, stem, count) {
  return t(/** @type {Known} */ (`${stem}.${count === 1 ? "one" : "other"}`), { count });
}

/**
 * Translates a key that may not exist, such as the one of an error code that is newer than this page; then "".
 * @param {Translate} t
 * @param {string} key
 * @param {Values} [values]
 */
export const translateIfKnown = (t, key, values) => t(/** @type {Key} */ (key), values);

/** Codes whose message holds details that no text of the page can have: it is shown as well. */
const DETAILED = new Set([
  "upstream_error",
  "internal_error",
  "invalid_field",
  "missing_dependency",
  "config_error",
  "submit_failed",
]);

/** Codes whose message has the particulars behind a colon, such as the last output of a Claude that has ended. */
const QUOTES_OUTPUT = new Set(["pane_died", "dead", "options_refused", "stopped_by_hook"]);

/**
 * Puts a failure into words. In English the daemon's own message is mostly the more exact one, but for those codes that
 * have words as `own_error`; in German the page's, if any.
 * @param {Translate} t
 * @param {Lang} lang
 * @param {import("../types.js").Failure} failure
 * @param {boolean} [forMember] they have no terminal to type a command in, and its text is not theirs to read
 */
export function explainFailure(t, lang, { code, message, hint }, forMember = false) {
  const [version = "?", oldest = "?"] = message.match(/\d+\.\d+\.\d+/g) ?? [];
  const attach = /`paliadin attach[^`]*`/.exec(hint)?.[0] ?? "`paliadin attach`"; // may name a session of another host
  const goesFirst = translateIfKnown(t, `own_error.${code}`) !== "";
  const key = `${goesFirst ? "own_error" : "error"}.${code}`;
  const known = {
    title: translateIfKnown(t, key, { command: /^\/\S*/.exec(message)?.[0] ?? "/…", version, oldest }),
    hint: translateIfKnown(t, `${key}.hint`).replace("`paliadin attach`", attach),
  };
  const [title, advice] =
    lang === "en" && !goesFirst
      ? [message || known.title, hint || known.hint]
      : [known.title || message, known.hint || hint];
  const detail = DETAILED.has(code) ? message : QUOTES_OUTPUT.has(code) ? afterColon(message) : "";
  if (forMember && `${advice}${hint}`.includes("`"))
    return { title: asSentence(known.title || title), detail: "", hint: t("ask.owner.mend") };
  return {
    title: asSentence(title || t("error.unknown")),
    detail: title === message ? "" : detail,
    hint: advice || t("error.unknown.hint"),
  };
}

/** The daemon's messages end as an error's do on a command line; here an advice follows. @param {string} text */
const asSentence = (text) => (/[.!?:…]$/.test(text) ? text : `${text}.`);

/** @param {string} message */
const afterColon = (message) => (message.includes(": ") ? message.slice(message.indexOf(": ") + 2) : "");
