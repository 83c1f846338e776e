/**
 * Markdown to DOM, block by block.
 * @typedef {import("../vendor/marked.js").Token} Token
 */
import DOMPurify from "../vendor/purify.js";
import { Parser } from "../vendor/marked.js";
import { MARKED } from "./blocks.js";

const ALLOWED = {
  ALLOWED_TAGS:
    "a b blockquote br code del em h1 h2 h3 h4 h5 h6 hr i li ol p pre s strong sub sup table tbody td th thead tr ul".split(" "),
  ALLOWED_ATTR: ["href", "target", "rel", "class", "align", "start"],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: /** @type {const} */ (true),
};

/**
 * @param {Token} token a block
 * @returns {DocumentFragment}
 */
export function renderBlock(token) {
  return DOMPurify.sanitize(Parser.parse([token], MARKED), ALLOWED);
}
