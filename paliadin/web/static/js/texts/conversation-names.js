/** The names of conversations, of their days and of where they come from, as text. */
import { cachedFormatter, escapeInvisible, localeOf } from "./format.js";

/** Characters of a title that are shown. */
const MAX_TITLE = 300;

/**
 * A title in one line, with nothing invisible in it.
 * @param {string} title
 */
export const displayTitle = (title) => escapeInvisible(title.slice(0, MAX_TITLE).replace(/\s+/g, " ").trim());

/**
 * The time of day for today; else the day, with the year unless that is this one.
 * @param {number} ms since 1970
 * @param {import("./format.js").Lang} lang
 * @param {number} [now]
 */
export function formatDay(ms, lang, now = Date.now()) {
  const [date, today] = [new Date(ms), new Date(now)];
  const kind =
    date.toDateString() === today.toDateString() ? "time" : date.getFullYear() === today.getFullYear() ? "day" : "year";
  return cachedFormatter(`day ${lang} ${kind}`, () => new Intl.DateTimeFormat(localeOf(lang), STYLES[kind])).format(ms);
}

/** @type {Record<"time"|"day"|"year", Intl.DateTimeFormatOptions>} */
const STYLES = {
  time: { timeStyle: "short" },
  day: { day: "numeric", month: "short" },
  year: { dateStyle: "short" },
};

/**
 * @param {string} month such as 2026-11
 * @param {import("./format.js").Lang} lang
 */
export function formatMonth(month, lang) {
  const style = /** @type {const} */ ({ month: "long", year: "numeric" });
  const date = new Date(`${month}-15T12:00:00`);
  return cachedFormatter(`month ${lang}`, () => new Intl.DateTimeFormat(localeOf(lang), style)).format(date);
}

/**
 * Names an application by the host of its origin.
 * @param {string} origin
 */
export function nameOfOrigin(origin) {
  if (!origin) return "";
  try {
    return new URL(origin).host;
  } catch {
    return origin;
  }
}

/** The line below the head of a table, in an excerpt that may have no lines. */
const TABLE_RULE = /(?:\|\s*:?-{2,}:?\s*)+(?:\||$)/gm;

/**
 * Removes the marks of bold text, code, headings, lists and tables from an excerpt of Markdown.
 * @param {string} excerpt
 */
export const withoutMarkup = (excerpt) =>
  excerpt
    .replace(TABLE_RULE, "")
    .replace(/^\s*[-*+]\s+/gm, "")
    .replace(/\*\*|`+|^\s*#+\s|\s\|(?=\s|$)|^\s*\|/gm, "");
