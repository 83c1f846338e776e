/**
 * The names of tools in words: mcp__shop__list_my_orders reads as “Orders looked up”. The daemon has the same
 * rule, paliadin/words/tool_names.py, which says how it goes. Pure.
 * @typedef {import("./i18n.js").Translate} Translate
 */
import { escapeInvisible } from "./format.js";
import { plural, translateIfKnown } from "./i18n.js";
import { fillers, kinds, ofLines } from "./tool-verbs.js";

const LONGEST = 80; // characters
const PLAIN = /^[A-Za-z0-9_.-]{1,200}$/;
const MCP = /^mcp__(.+?)__(.+)$/;
const HUMP = /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g;

/**
 * Puts a tool's name into words, in one line that hides nothing.
 * @param {string} name
 * @param {Translate} t
 */
export function toolName(name, t) {
  const own = translateIfKnown(t, `tool.own.${name}`);
  if (own) return own;
  if (!PLAIN.test(name))
    return clipName(
      escapeInvisible(name)
        .replace(/[ \t\n]+/g, " ")
        .replace(/^ | $/g, ""),
    );
  const { kind, noun } = splitName(name);
  return kind ? translateIfKnown(t, `tool.kind.${kind}`, { 0: noun }) : noun;
}

/**
 * Says what a tool does while it runs.
 * @param {string} name
 * @param {Translate} t
 */
export function toolAtWork(name, t) {
  const { kind, noun } = PLAIN.test(name) ? splitName(name) : { kind: "", noun: toolName(name, t) };
  return translateIfKnown(t, `status.kind.${kind}`, { 0: noun }) || t("status.tool.named", { name: noun });
}

/**
 * Counts what a tool returned: 7 rows, of a file 7 lines.
 * @param {string} tool
 * @param {number} count
 * @param {Translate} t
 */
export const rowCount = (tool, count, t) => plural(t, ofLines.includes(tool) ? "lines" : "rows", count);

/**
 * Lists the names of tools with how often each occurs: File read ×2, Command run.
 * @param {string[]} names
 * @param {Translate} t
 */
export function countNames(names, t) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const name of names.map((each) => toolName(each, t))) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, times]) => (times > 1 ? `${name} ×${times}` : name)).join(", ");
}

/**
 * What a tool did, "" if its name does not say so, and with what.
 * @param {string} name
 */
function splitName(name) {
  const [, server = "", own = name] = MCP.exec(name) ?? [];
  const words = wordsOf(own);
  for (const place of [0, -1]) {
    const kind = kinds.get(words.at(place)?.toLowerCase() ?? "");
    if (!kind) continue;
    const others = place === 0 ? words.slice(1) : words.slice(0, -1);
    const nouns = others.filter((word) => !fillers.includes(word));
    const noun = (nouns.length > 0 ? nouns : wordsOf(server)).join(" ");
    if (noun) return { kind, noun: capitalise(noun) };
  }
  return { kind: "", noun: capitalise(words.join(" ") || name) };
}

/**
 * Splits a name at its signs and humps; words are in small letters, but for abbreviations.
 * @param {string} name
 */
const wordsOf = (name) =>
  name
    .replace(HUMP, " ")
    .split(/[_.\s-]+/)
    .filter(Boolean)
    .map((word) => (/^(?=.*[A-Z])[A-Z0-9]{2,}$/.test(word) ? word : word.toLowerCase()));

/** @param {string} text */
const capitalise = (text) => clipName(text.charAt(0).toUpperCase() + text.slice(1));

/** @param {string} text */
function clipName(text) {
  const chars = [...text];
  return chars.length <= LONGEST ? text : `${chars.slice(0, LONGEST - 1).join("")}…`;
}
