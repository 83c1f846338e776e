/**
 * The Markdown lexer with bounded nesting and bounded work: text may come from a file or a tool that means harm. What
 * goes beyond a bound stays the text that it is. Pure.
 *
 * Work is estimated from lengths before anything is parsed. One unit is about one character that is looked at.
 *
 * @typedef {import("../../vendor/marked.js").Token} Token
 * @typedef {import("../../vendor/marked.js").MarkedOptions} MarkedOptions
 */
import { Lexer, Tokenizer } from "../../vendor/marked.js";
import { readCallout } from "./callouts.js";

/** Quotations and lists in each other; more would be a column of single letters on a phone. */
const MAX_BLOCKS = 10;
/** Emphasis, links and the like in each other. */
const MAX_INLINES = 10;
/** Work on all texts of one run. A page full of ordinary Markdown takes less than a hundredth of it. */
const MAX_WORK = 50_000_000;
/** Work on one paragraph, cell or heading. */
const MAX_INLINE_WORK = 10_000_000;
/** Work on the lines of one quotation. */
const MAX_QUOTE_WORK = 2_000_000;
const MAX_CELLS = 50_000;
/** Units that a character costs when blocks are looked for. */
const BLOCK_WORK = 20;

/** Characters at each of which marked may search the rest of the text. */
const MARKS = /[*_~`[\]<!\\&:$]/g;
/** In such a word, marked may search the rest from each character. */
const ADDRESS = /@|:\/\/|www\./i;

/** Reads quotations and lists that stand too deep in others as text, and quotations and tables that cost too much. */
class BoundedTokenizer extends Tokenizer {
  depth = 0;

  /**
   * @param {string} src
   * @returns {any}
   */
  blockquote(src) {
    if (this.depth >= MAX_BLOCKS) return undefined;
    const raw = this.rules.block.blockquote.exec(src)?.[0] ?? "";
    if (quoteWork(raw) > MAX_QUOTE_WORK) return plainToken(raw);
    const quotation = this.nest(() => super.blockquote(src));
    if (quotation) readCallout(quotation, this.lexer.inlineQueue);
    return quotation;
  }

  /**
   * @param {string} src
   * @returns {any}
   */
  table(src) {
    const raw = this.rules.block.table.exec(src)?.[0] ?? "";
    return cellsOf(raw) > MAX_CELLS ? plainToken(raw) : super.table(src);
  }

  /** @param {string} src */
  list(src) {
    return this.nest(() => super.list(src));
  }

  /**
   * @template Found
   * @param {() => Found} read
   */
  nest(read) {
    if (this.depth >= MAX_BLOCKS) return undefined;
    this.depth += 1;
    const found = read();
    this.depth -= 1;
    return found;
  }
}

export class BoundedLexer extends Lexer {
  work = MAX_WORK;
  inlines = 0;
  /** Labels of the footnotes that were read. @type {Set<string>} */
  notes = new Set();

  /** @param {MarkedOptions} options */
  constructor(options) {
    const tokenizer = new BoundedTokenizer();
    super({ ...options, tokenizer });
    this.bounds = tokenizer;
  }

  /**
   * @param {string} src
   * @param {Token[]} [tokens] are extended
   * @param {boolean} [lastParagraphClipped]
   * @returns {any}
   */
  blockTokens(src, tokens = [], lastParagraphClipped) {
    if (this.spend(BLOCK_WORK * src.length)) return super.blockTokens(src, tokens, lastParagraphClipped);
    if (src) tokens.push(plainToken(src));
    return tokens;
  }

  /**
   * @param {string} src
   * @param {Token[]} [tokens] are extended
   */
  inlineTokens(src, tokens = []) {
    const work = inlineWork(src, Object.keys(this.tokens.links).length);
    if (this.inlines >= MAX_INLINES || work > MAX_INLINE_WORK || !this.spend(work)) {
      if (src) tokens.push({ type: "text", raw: src, text: src, escaped: false });
      return tokens;
    }
    this.inlines += 1;
    super.inlineTokens(src, tokens);
    this.inlines -= 1;
    return tokens;
  }

  /**
   * @param {number} work
   * @returns {boolean} whether so much was left
   */
  spend(work) {
    if (work > this.work) return false;
    this.work -= work;
    return true;
  }
}

/**
 * The block that shows a text as it is.
 * @param {string} text
 * @returns {Token}
 */
export const plainToken = (text) => ({ type: "plain", raw: text, text });

/**
 * How often marked looks at the lines of a quotation: at all that are left, wherever a line without ">" follows one.
 * @param {string} raw
 */
function quoteWork(raw) {
  const lines = raw.split("\n");
  const isQuoted = lines.map((line) => /^ {0,3}>/.test(line));
  return lines.length * isQuoted.filter((quoted, i) => quoted && isQuoted[i + 1] === false).length;
}

/**
 * The cells of a table: each row has as many as the first.
 * @param {string} raw
 */
function cellsOf(raw) {
  const [head = "", ...rows] = raw.split("\n");
  return head.split("|").length * rows.length;
}

/**
 * @param {string} src
 * @param {number} links that the text defines; each use looks through all
 */
function inlineWork(src, links) {
  const marks = src.match(MARKS)?.length ?? 0;
  const addresses = src.split(/\s+/).filter((word) => ADDRESS.test(word));
  return (src.length + links) * (1 + marks) + addresses.reduce((sum, { length }) => sum + length ** 2, 0);
}
