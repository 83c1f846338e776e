/**
 * Numbers, times, names and tool inputs as text.
 * @typedef {import("./i18n.js").Lang} Lang
 */

/**
 * The first of the browser's locales in the page's language: en-GB and en-US write the time of day differently.
 * @param {Lang} lang
 */
export const localeOf = (lang) =>
  globalThis.navigator?.languages?.find((tag) => tag.toLowerCase().startsWith(lang)) ?? lang;

/** @type {Map<string, any>} */
const formatters = new Map();

/**
 * Creates a formatter once: that takes longer than all that is formatted with it.
 * @template Formatter
 * @param {string} key
 * @param {() => Formatter} make
 * @returns {Formatter}
 */
export function cachedFormatter(key, make) {
  if (!formatters.has(key)) formatters.set(key, make());
  return formatters.get(key);
}

/**
 * @param {number} ms
 * @param {Lang} lang
 */
export function formatDuration(ms, lang) {
  if (ms < 100) return `${formatNumber(ms, lang)} ms`;
  const seconds = ms / 1000;
  if (seconds < 60) return `${formatNumber(seconds, lang, seconds < 10 ? 1 : 0)} s`;
  const whole = Math.round(seconds);
  const rest = whole % 60;
  return `${formatNumber(Math.floor(whole / 60), lang)} min${rest ? ` ${rest} s` : ""}`;
}

/**
 * @param {number} value
 * @param {Lang} lang
 * @param {number} [digits] at most, after the decimal point
 */
export function formatNumber(value, lang, digits = 0) {
  return cachedFormatter(
    `number ${lang} ${digits}`,
    () => new Intl.NumberFormat(localeOf(lang), { maximumFractionDigits: digits }),
  ).format(value);
}

/**
 * Formats an amount of US dollars: $1.20, and $0.0042 where cents are too coarse.
 * @param {number} usd
 * @param {Lang} lang
 */
export function formatCost(usd, lang) {
  const digits = usd < 0.1 ? 4 : 2;
  return cachedFormatter(
    `usd ${lang} ${digits}`,
    () =>
      new Intl.NumberFormat(localeOf(lang), {
        style: "currency",
        currency: "USD",
        currencyDisplay: "narrowSymbol",
        minimumFractionDigits: digits,
        maximumFractionDigits: digits,
      }),
  ).format(usd);
}

/**
 * Formats a size: 1.2 MB.
 * @param {number} bytes
 * @param {Lang} lang
 */
export function formatBytes(bytes, lang) {
  const [unit, size] =
    bytes < 1e3 ? ["byte", bytes] : bytes < 1e6 ? ["kilobyte", bytes / 1e3] : ["megabyte", bytes / 1e6];
  const digits = unit === "megabyte" && size < 10 ? 1 : 0;
  return cachedFormatter(`${unit} ${lang} ${digits}`, () => {
    const unitDisplay = unit === "byte" ? "long" : "short";
    return new Intl.NumberFormat(localeOf(lang), { style: "unit", unit, unitDisplay, maximumFractionDigits: digits });
  }).format(size);
}

/**
 * Formats the time of day, with the date unless that is today.
 * @param {number} ms since 1970
 * @param {Lang} lang
 * @param {number} [now]
 */
export function formatTime(ms, lang, now = Date.now()) {
  const today = new Date(ms).toDateString() === new Date(now).toDateString();
  /** @type {Intl.DateTimeFormatOptions} */
  const style = today ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" };
  return cachedFormatter(`time ${lang} ${today}`, () => new Intl.DateTimeFormat(localeOf(lang), style)).format(ms);
}

const BROWSERS = ["Edg", "OPR", "Firefox", "Chrome", "Safari"];
const SYSTEMS = ["Android", "iPhone", "iPad", "Windows", "Mac", "Linux"];
const NAMES = { Edg: "Edge", OPR: "Opera", Mac: "macOS" };

/**
 * Names a browser by its header User-Agent: Firefox · Linux.
 * @param {string} agent
 * @param {string} unknown the name of one that cannot be told
 */
export function browserName(agent, unknown) {
  const known = [BROWSERS, SYSTEMS].map((names) => names.find((name) => agent.includes(name)));
  return (
    known.flatMap((name) => (name ? (NAMES[/** @type {keyof typeof NAMES} */ (name)] ?? name) : [])).join(" · ") ||
    unknown
  );
}

// Thousands of marks on one letter hold the browser for seconds, and cover what stands around them.
const TOO_MANY_MARKS = /(?<=\p{M}{8})\p{M}/gu;

/**
 * Leaves each letter eight combining marks.
 * @param {string} text
 */
export const withoutLongRows = (text) => text.replace(TOO_MANY_MARKS, "");

/** @param {string} char */
const writtenOut = (char) => `⟨U+${char.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}⟩`;

/**
 * Writes out the invisible characters that could hide or reorder parts of a text which the user is asked to allow.
 * @param {string} text
 */
export function escapeInvisible(text) {
  return text
    .replace(TOO_MANY_MARKS, writtenOut)
    .replace(
      /[\p{Cc}\p{Cf}\p{Cs}\p{DI}\p{Co}\p{Cn}\u2028\u2029\u2800\uFFFC\u{13441}\u{13442}\u{16FE4}\u{1D159}]/gu,
      (char) => (char === "\n" || char === "\t" ? char : writtenOut(char)),
    );
}

/**
 * A tool's input as rows of a table: strings as they are, everything else as JSON.
 * @param {unknown} input
 * @returns {{name: string, value: string}[]}
 */
export function toolInputRows(input) {
  if (input === null || input === undefined) return [];
  if (typeof input !== "object" || Array.isArray(input)) return [{ name: "", value: escapeInvisible(asString(input)) }];
  return Object.entries(input).map(toRow);
}

/** @param {[string, unknown]} entry */
const toRow = ([name, value]) => ({ name: escapeInvisible(name), value: escapeInvisible(asString(value)) });

/**
 * Separates the edits of a file (before and after) from the rest of a tool's input. Nothing is left out.
 * @param {unknown} input
 * @returns {{edits: [string, string][], rows: ReturnType<typeof toolInputRows>}}
 */
export function splitEdits(input) {
  if (input === null || typeof input !== "object" || Array.isArray(input))
    return { edits: [], rows: toolInputRows(input) };
  const several = "edits" in input && Array.isArray(input.edits) ? input.edits : [];
  if (several.length > 0 && several.every(isEdit)) {
    const rest = Object.entries(input).filter(([name]) => name !== "edits");
    const others = several.flatMap((edit, number) =>
      besideTexts(edit).map(([name, value]) => toRow([`edits[${number}].${name}`, value])),
    );
    return { edits: several.map(pair), rows: [...rest.map(toRow), ...others] };
  }
  return isEdit(input)
    ? { edits: [pair(input)], rows: besideTexts(input).map(toRow) }
    : { edits: [], rows: toolInputRows(input) };
}

const TEXTS = ["old_string", "new_string"];

/** @param {any} edit */
const isEdit = (edit) => TEXTS.every((name) => typeof edit?.[name] === "string");

/** @param {object} edit */
const besideTexts = (edit) => Object.entries(edit).filter(([name]) => !TEXTS.includes(name));

/**
 * @param {any} edit
 * @returns {[string, string]}
 */
const pair = ({ old_string, new_string }) => [old_string, new_string];

/** @param {unknown} value */
const asString = (value) => (typeof value === "string" ? value : (JSON.stringify(value, null, 2) ?? ""));

/** More empty lines than these, or so many blanks, push what follows out of sight. */
const EMPTY_LINES = /(^|\n)((?:[^\S\n]*\n){4,})/g;
const BLANKS = /[^\S\n]{32,}/g;

/**
 * Finds the blanks that would push a part of a text out of sight.
 * @param {string} text
 * @returns {(string | {kind: "blank_lines"|"blanks", count: number})[]} its pieces, and what stands for those blanks
 */
export function foldBlanks(text) {
  /** @type {ReturnType<typeof foldBlanks>} */
  const pieces = [];
  let at = 0;
  for (const { 1: before = "", 2: lines = "", index } of text.matchAll(EMPTY_LINES)) {
    pieces.push(...foldLine(text.slice(at, index) + before));
    pieces.push({ kind: "blank_lines", count: lines.split("\n").length - 1 }, "\n");
    at = index + before.length + lines.length;
  }
  return [...pieces, ...foldLine(text.slice(at))].filter((piece) => piece !== "");
}

/**
 * @param {string} text
 * @returns {ReturnType<typeof foldBlanks>}
 */
function foldLine(text) {
  const words = text.split(BLANKS);
  const blanks = text.match(BLANKS) ?? [];
  return words.flatMap((word, i) => [word, ...blanks.slice(i, i + 1).map(({ length }) => asBlanks(length))]);
}

/** @param {number} count */
const asBlanks = (count) => ({ kind: /** @type {const} */ ("blanks"), count });

/**
 * Shortens a text in its middle: its end tells as much as its head.
 * @param {string} text
 * @param {number} length
 */
export function clipMiddle(text, length) {
  if (text.length <= length) return text;
  const head = Math.ceil((length * 2) / 3);
  return `${text.slice(0, head).trimEnd()} … ${text.slice(text.length - (length - head)).trimStart()}`;
}

/**
 * Shortens a path to its last `length` characters at most, from the beginning of a name on if there is one.
 * @param {string} path
 * @param {number} length
 */
export function clipPath(path, length) {
  if (path.length <= length) return path;
  const end = path.slice(-length);
  return `…${end.includes("/", 1) || end.startsWith("/") ? end.slice(end.indexOf("/")) : end}`;
}

/**
 * Shortens a text to about `length` characters, at a blank if there is one.
 * @param {string} text
 * @param {number} length
 */
export function clip(text, length) {
  return text.length <= length ? text : `${text.slice(0, length).replace(/\s+\S*$/, "")} …`;
}
