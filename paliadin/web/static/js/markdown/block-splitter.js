/**
 * Splits Markdown into its top-level blocks. While text streams in, only its tail is parsed again: an answer of 200 KB
 * would otherwise be parsed as a whole for every line. Pure.
 *
 * @typedef {import("../../vendor/marked.js").Token} Token
 */
import { BoundedLexer, plainToken } from "./bounded-lexer.js";
import { disclosure } from "./disclosures.js";
import { footnote, footnoteReference } from "./footnotes.js";
import { formulaBlock, formulaInline } from "./formulas.js";
import { renderer, renderers } from "./marked-renderer.js";

const BLOCKS = [formulaBlock, footnote, disclosure];
const INLINES = [formulaInline, footnoteReference];

export const MARKED_OPTIONS = {
  gfm: true,
  breaks: false,
  renderer,
  extensions: {
    renderers,
    childTokens: {},
    block: BLOCKS.map(({ tokenizer }) => tokenizer),
    startBlock: BLOCKS.map(({ start }) => start),
    inline: INLINES.map(({ tokenizer }) => tokenizer),
    startInline: INLINES.map(({ start }) => start),
  },
};

/**
 * What a text defines and may use elsewhere: addresses by name, and the labels of its footnotes.
 * @typedef {{links: Record<string, any>, notes: Set<string>}} Definitions
 * @returns {Definitions}
 */
const noDefinitions = () => ({ links: Object.create(null), notes: new Set() });

/** Blocks at the end that more text may still change: the last one, and the one before, which it may join. */
const OPEN_BLOCKS = 2;

export function createBlockSplitter() {
  let source = "";
  let offset = 0;
  /** @type {Token[]} */
  let settled = [];
  let definitions = noDefinitions();

  /**
   * @param {string} text
   * @param {boolean} complete no more text will come: all is parsed, as a link's address may stand below its use
   * @returns {Token[]} without blank blocks; a block that did not change is the same object
   */
  return function split(text, complete) {
    if (complete || !text.startsWith(source)) {
      offset = 0;
      settled = [];
      definitions = noDefinitions();
    }
    source = text;
    const tail = lexMarkdown(text.slice(offset), definitions);
    const blocks = [...settled, ...tail].filter(isShown);
    if (!complete) settle(tail);
    return blocks;
  };

  /**
   * Keeps the blocks that more text cannot change.
   * @param {Token[]} tail
   */
  function settle(tail) {
    const shown = tail.filter(isShown);
    const open = shown.at(-OPEN_BLOCKS);
    if (!open || shown.length <= OPEN_BLOCKS) return;
    const closed = tail.slice(0, tail.indexOf(open));
    const length = closed.reduce((sum, token) => sum + token.raw.length, 0);
    // The lexer turns CRLF into LF, so its lengths do not fit this text: all of it is parsed each time.
    if (source.includes("\r")) return;
    offset += length;
    settled = [...settled, ...closed];
  }
}

/**
 * Parses Markdown. Text that cannot be parsed is one block that shows it as it is.
 * @param {string} text
 * @param {Definitions} [definitions] those of the text are added
 * @returns {Token[]}
 */
export function lexMarkdown(text, { links, notes } = noDefinitions()) {
  const lexer = new BoundedLexer(MARKED_OPTIONS);
  lexer.notes = notes;
  Object.assign(lexer.tokens.links, links);
  try {
    return [...lexer.lex(text)];
  } catch {
    return [plainToken(text)];
  } finally {
    Object.assign(links, lexer.tokens.links);
  }
}

/** @param {Token} token */
const isShown = ({ type }) => type !== "space" && type !== "def";
