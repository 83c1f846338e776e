/**
 * Markdown as top-level blocks. While text streams in, only its tail is read again: an answer of 200 KB would otherwise
 * be read whole for every line. Pure.
 *
 * @typedef {import("../vendor/marked.js").Token} Token
 */
import { Lexer } from "../vendor/marked.js";
import { renderer } from "./renderer.js";

export const MARKED = { gfm: true, breaks: false, renderer };

/** Blocks at the end that more text may still change: the last, and one it may yet join. */
const OPEN_BLOCKS = 2;

export function createSplitter() {
  let source = "";
  let offset = 0;
  /** @type {Token[]} */
  let settled = [];
  /** @type {Record<string, any>} */
  let links = {};

  /**
   * @param {string} text
   * @param {boolean} complete no more will come: read whole, since a link's address may stand below its use
   * @returns {Token[]} without blank ones; a block that did not change is the same object
   */
  return function split(text, complete) {
    if (complete || !text.startsWith(source)) {
      offset = 0;
      settled = [];
      links = {};
    }
    source = text;
    const lexer = new Lexer(MARKED);
    Object.assign(lexer.tokens.links, links);
    const tail = [...lexer.lex(text.slice(offset))];
    links = lexer.tokens.links;
    const blocks = [...settled, ...tail].filter(isShown);
    if (!complete) settle(tail);
    return blocks;
  };

  /** @param {Token[]} tail */
  function settle(tail) {
    const shown = tail.filter(isShown);
    const open = shown.at(-OPEN_BLOCKS);
    if (!open || shown.length <= OPEN_BLOCKS) return;
    const closed = tail.slice(0, tail.indexOf(open));
    const length = closed.reduce((sum, token) => sum + token.raw.length, 0);
    // The lexer turns CRLF into LF, so that its lengths are not ours: then go on reading all of it.
    if (source.includes("\r")) return;
    offset += length;
    settled = [...settled, ...closed];
  }
}

/** @param {Token} token */
const isShown = ({ type }) => type !== "space" && type !== "def";

