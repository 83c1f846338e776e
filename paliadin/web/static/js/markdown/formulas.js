/**
 * Finds formulas in Markdown: `$x$`, `$$x$$`, `\(x\)` and `\[x\]`, written in TeX. Pure.
 *
 * A dollar sign is money, or a variable, more often than not: what reads like a sentence or a price is no formula, nor
 * what TeX would leave a part of out.
 * @typedef {import("../../vendor/marked.js").TokenizerThis} TokenizerThis
 * @typedef {{type: "formula", raw: string, text: string, display: boolean}} Formula `text` is its TeX
 * @typedef {object} Extension of the lexer
 * @property {(this: TokenizerThis, src: string, tokens: import("../../vendor/marked.js").Token[]) => any} tokenizer
 * @property {(this: TokenizerThis, src: string) => number} start
 */
import { findStart, nextParagraph } from "./next-paragraph.js";

/** In characters; what is longer stays text. */
export const MAX_FORMULA = 2_000;
/** The same of one within a line. */
const MAX_INLINE = 400;

const BLOCK = /^ {0,3}(?:\$\$([^$]+)\$\$|\\\[((?:(?!\\\])[\s\S])+)\\\])[ \t]*(?:\n|$)/;
const BLOCK_START = /\n {0,3}(?:\$\$|\\\[)/;
const INLINE = /^(?:\$\$([^$\n]+)\$\$(?!\$)|\$([^$\n]+)\$(?![\w$({"'–]|\.\w)|\\\(([^\n]+?)\\\)|\\\[([^\n]+?)\\\])/;
const START = /\$|\\[([]/;
/** An escaped bracket is more often a bracket than the beginning of a formula; so are two dollar signs in a line. */
const MATHS = /[\\^_={}+<>|]|^\s*[A-Za-z]\s*$/;
/** Two words, or one with an underscore: `max_length`. */
const PROSE = new RegExp(
  [
    String.raw`(?<![\\A-Za-z{])\p{L}{3,}\s+\p{L}{2,}`,
    String.raw`(?<![\\A-Za-z{])[A-Za-z]{3,}_[A-Za-z]{2,}`,
    String.raw`(?<!\{)[A-Za-z]_[A-Za-z]{3,}`,
  ].join("|"),
  "u",
);
/** Beginnings and ends of what stands between two prices, variables of a shell, or quotation marks. */
const EDGES = /^[\s$.,;:)\]"'“„?!]|[\s+\-*/=<(,;:&–]$|^\{[A-Z_]+\}|^\([a-z]+\)/;
/** A percent sign begins a comment in TeX: what is behind it would be lost. */
const LOST = /(?<!\\)[%#]/;
/** Such as `5/month (or`, or `500 (+ Steuer)`. */
const PRICE = /^\d.*(?:\s|\p{L}{3})|^\d[\d.,]*[^\d.,\\^_={}+<>|a-z]/u;

/** @type {Extension} */
export const formulaBlock = {
  tokenizer(src) {
    const match = BLOCK.exec(nextParagraph(src).slice(0, MAX_FORMULA));
    const text = (match?.[1] ?? match?.[2] ?? "").trim();
    if (!match || !text || LOST.test(text)) return undefined;
    if (!MATHS.test(text) && (match[2] || !/^[\w\s.,+\-*/()]+$/.test(text))) return undefined;
    if (PROSE.test(bare(text))) return undefined;
    return { type: "formula", raw: match[0], text, display: true };
  },
  start(src) {
    return findStart(this, src, BLOCK_START);
  },
};

/** @type {Extension} */
export const formulaInline = {
  tokenizer(src, tokens) {
    const match = INLINE.exec(src.slice(0, MAX_INLINE));
    if (!match || /\w$/.test(tokens.at(-1)?.raw ?? "")) return undefined; // as in US$
    const [raw, double, single, round, square] = match;
    const text = double ?? single ?? round ?? square ?? "";
    if (single === undefined && (!MATHS.test(text) || !text.trim())) return undefined;
    if (!isFormula(single ?? text.trim())) return undefined;
    return { type: "formula", raw, text: text.trim(), display: false };
  },
  start: (src) => src.search(START),
};

/** The formula without the texts that TeX has in it, such as `\text{if the sum}`. @param {string} text */
const bare = (text) => text.replace(/\\[a-zA-Z]+\s*\{[^{}]*\}/g, "");

/** @param {string} text between two marks within a line */
export function isFormula(text) {
  if (PROSE.test(bare(text)) || EDGES.test(text) || LOST.test(text)) return false;
  return !PRICE.test(text) || (MATHS.test(text) && !/\p{L}{3}/u.test(text.replace(/\\[a-z]+|\{[^{}]*\}/gi, "")));
}

/**
 * Whether the end of a growing text may be a formula whose end is still to come.
 * @param {string} mark that may open it
 * @param {string} text what follows
 */
export function mayGrow(mark, text) {
  const isBlock = (mark === "$$" || mark === "\\[") && /^\s*\n/.test(text);
  if (!isBlock && text.includes("\n")) return false;
  if (mark === "$" && /^(?:\d|$)/.test(text)) return false;
  return (
    text.length < (isBlock ? MAX_FORMULA : MAX_INLINE) &&
    !PROSE.test(text) &&
    !(mark === "$" && /^[\s.,;:)"']/.test(text))
  );
}
