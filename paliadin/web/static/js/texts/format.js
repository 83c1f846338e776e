/** @typedef {import("./i18n.js").Lang} Lang */

/**
 * The reader's own region, where its language is the page's: the time of day is not written alike in all of them.
 * @param {Lang} lang
 */
const regional = (lang) => globalThis.navigator?.languages?.find((tag) => tag.toLowerCase().startsWith(lang)) ?? lang;

/** @type {Map<string, any>} */
const formatters = new Map();

/**
 * Making a formatter takes longer than all that is formatted with it.
 * @template Formatter
 * @param {string} key
 * @param {() => Formatter} make
 * @returns {Formatter}
 */
function kept(key, make) {
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
 * @param {number} [digits] after the point, at most
 */
export function formatNumber(value, lang, digits = 0) {
  return kept(`number ${lang} ${digits}`, () => new Intl.NumberFormat(regional(lang), { maximumFractionDigits: digits })).format(value);
}

/**
 * The time of day, with the date unless it is today.
 * @param {number} ms since 1970
 * @param {Lang} lang
 * @param {number} [now]
 */
export function formatTime(ms, lang, now = Date.now()) {
  const today = new Date(ms).toDateString() === new Date(now).toDateString();
  /** @type {Intl.DateTimeFormatOptions} */
  const style = today ? { timeStyle: "short" } : { dateStyle: "medium", timeStyle: "short" };
  return kept(`time ${lang} ${today}`, () => new Intl.DateTimeFormat(regional(lang), style)).format(ms);
}

/**
 * Names with how often each occurs: Read ×2, Bash.
 * @param {string[]} names
 */
export function tally(names) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const name of names.map(toolName)) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, times]) => (times > 1 ? `${name} ×${times}` : name)).join(", ");
}

/**
 * A tool of an MCP server carries the server in its name: mcp__calendar__search → search (calendar).
 * @param {string} name
 */
export function toolName(name) {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/.exec(name) ?? [];
  return server && tool ? `${tool} (${server})` : name;
}

/**
 * Text that the user is asked to allow, with what would hide or reorder parts of it made visible.
 * @param {string} text
 */
export function visible(text) {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (char) =>
    char === "\n" || char === "\t" ? char : `⟨U+${char.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}⟩`,
  );
}

/**
 * A tool's input as rows to read: strings as they are, everything else as JSON.
 * @param {unknown} input
 * @returns {{name: string, value: string}[]}
 */
export function inputRows(input) {
  if (input === null || input === undefined) return [];
  if (typeof input !== "object" || Array.isArray(input)) return [{ name: "", value: visible(show(input)) }];
  return Object.entries(input).map(([name, value]) => ({ name: visible(name), value: visible(show(value)) }));
}

/** @param {unknown} value */
const show = (value) => (typeof value === "string" ? value : JSON.stringify(value, null, 2) ?? "");

/**
 * @param {string} text
 * @param {number} length
 */
export function clip(text, length) {
  return text.length <= length ? text : `${text.slice(0, length).replace(/\s+\S*$/, "")} …`;
}
