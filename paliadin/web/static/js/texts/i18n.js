/**
 * The page's texts, in both languages. `{name}` is filled in; a key with `.one` and `.other` goes by `count`.
 * @typedef {"en"|"de"} Lang
 * @typedef {keyof typeof texts.en} Key
 * @typedef {(key: Key, values?: Record<string, string|number>) => string} Translate
 */
import { de } from "./texts/de.js";
import { en } from "./texts/en.js";
import { errors } from "./texts/errors.js";

export const texts = { en: { ...en, ...errors.en }, de: { ...de, ...errors.de } };

/** @type {Lang[]} */
export const LANGS = ["en", "de"];

/**
 * @param {readonly string[]} wanted languages of the browser, best first
 * @returns {Lang}
 */
export function pickLang(wanted) {
  return wanted.map((tag) => LANGS.find((lang) => tag.toLowerCase().startsWith(lang))).find((lang) => lang) ?? "en";
}

/**
 * @param {Lang} lang
 * @returns {Translate}
 */
export function translator(lang) {
  return (key, values = {}) => texts[lang][key].replace(/\{(\w+)\}/g, (whole, name) => String(values[name] ?? whole));
}

/**
 * @template {string} Stem
 * @param {Translate} t
 * @param {`${Stem}.one` extends Key ? Stem : never} stem
 * @param {number} count
 */
export function plural(t, stem, count) {
  return t(/** @type {Key} */ (`${stem}.${count === 1 ? "one" : "other"}`), { count });
}

/**
 * A text that may not exist, such as the one for an error code or a tool's phase that is newer than this page.
 * @param {Translate} t
 * @param {string} key
 * @param {Record<string, string|number>} [values]
 */
export function maybe(t, key, values) {
  return Object.hasOwn(texts.en, key) ? t(/** @type {Key} */ (key), values) : "";
}

/** Codes whose message has what no text of ours could say. */
const TOLD = new Set(["upstream_error", "internal_error", "invalid_field", "missing_dependency", "config_error"]);

/** Codes of a Claude that has ended: what it said stands behind a colon. */
const LAST_WORDS = new Set(["pane_died", "dead"]);

/**
 * An error in words. In English the server's own words are the more exact ones; in German ours, if there are any.
 * @param {Translate} t
 * @param {Lang} lang
 * @param {import("./types.js").Failure} failure
 */
export function explain(t, lang, { code, message, hint }) {
  const attach = /`paliadin attach[^`]*`/.exec(hint)?.[0] ?? "`paliadin attach`"; // it may name a session elsewhere
  const own = { title: maybe(t, `error.${code}`), hint: maybe(t, `error.${code}.hint`).replace("`paliadin attach`", attach) };
  const [title, advice] = lang === "en" ? [message || own.title, hint || own.hint] : [own.title || message, own.hint || hint];
  const told = TOLD.has(code) ? message : LAST_WORDS.has(code) ? message.slice((message.indexOf(": ") + 1 || message.length) + 1) : "";
  return {
    title: title || t("error.unknown"),
    detail: title === message ? "" : told,
    hint: advice || t("error.unknown.hint"),
  };
}
