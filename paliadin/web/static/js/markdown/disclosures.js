/**
 * Reads `<details>` with Markdown in it, up to its end or to that of the text: more may come. Pure.
 * @typedef {import("./formulas.js").Extension} Extension
 */
import { findStart } from "./next-paragraph.js";
const OPENING = /^ {0,3}<details( open)?>[ \t]*(?:\n?[ \t]*<summary>([^\n]{0,500}?)<\/summary>)?[ \t]*\n?/i;
const CLOSING = /<\/details>/i;
const START = /\n {0,3}<details/i;
const FENCE = /^ {0,3}(`{3,}|~{3,})/;

/** @type {Extension} */
export const disclosure = {
  tokenizer(src) {
    const match = OPENING.exec(src);
    const lexer = /** @type {import("./bounded-lexer.js").BoundedLexer} */ (this.lexer);
    return match ? lexer.bounds.nest(() => read(lexer, match, src)) : undefined;
  },
  start(src) {
    return findStart(this, src, START);
  },
};

/**
 * @param {import("./bounded-lexer.js").BoundedLexer} lexer
 * @param {RegExpExecArray} opening
 * @param {string} src
 */
function read(lexer, [head, open, title = ""], src) {
  const [length, end] = contentOf(src.slice(head.length));
  const text = src.slice(head.length, head.length + length);
  const summary = { type: "summary", raw: title, text: title, tokens: lexer.inline(title, []) };
  const raw = src.slice(0, head.length + end);
  return { type: "details", raw, text, open: Boolean(open), tokens: [summary, ...lexer.blockTokens(text, [])] };
}

/**
 * @param {string} text behind the opening tag
 * @returns {[number, number]} how long the content is, and how long it is with the closing tag
 */
function contentOf(text) {
  let [at, depth, fence] = [0, 1, ""];
  while (at < text.length) {
    const stop = text.indexOf("\n", at);
    const next = stop < 0 ? text.length : stop + 1;
    const line = text.slice(at, next);
    const mark = FENCE.exec(line)?.[1] ?? "";
    if (!fence) {
      fence = mark;
      if (/^\s{0,3}<details/i.test(line)) depth += 1;
      const close = closingIn(line);
      if (close >= 0) depth -= 1;
      if (depth === 0) {
        const end = close + "</details>".length;
        return [at + close, line.slice(end).trim() ? at + end : next];
      }
    } else if (mark.startsWith(fence) && line.trim() === mark) fence = "";
    at = next;
  }
  return [text.length, text.length];
}

/**
 * Where a line closes: at its beginning, or at its end where it has no code.
 * @param {string} line
 * @returns {number} -1: it does not
 */
function closingIn(line) {
  const at = line.search(CLOSING);
  const isFirst = at >= 0 && !line.slice(0, at).trim();
  const isLast = at >= 0 && !line.includes("`") && !line.slice(at + "</details>".length).trim();
  return isFirst || isLast ? at : -1;
}
