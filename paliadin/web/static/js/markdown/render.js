/**
 * Markdown to DOM, block by block.
 * @typedef {import("../vendor/marked.js").Token} Token
 */
import DOMPurify from "../vendor/purify.js";
import { Lexer, Parser } from "../vendor/marked.js";
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

/**
 * Markdown as words to be heard.
 * @param {string} markdown
 */
export function plainText(markdown) {
  return new Lexer(MARKED).lex(markdown).map((token) => spoken(renderBlock(token))).filter(Boolean).join(" ");
}

/** @param {DocumentFragment} block */
function spoken(block) {
  block.querySelectorAll("td:not(:last-child), th:not(:last-child)").forEach((cell) => cell.append(", "));
  block.querySelectorAll("li, tr, br").forEach((row) => row.append("; "));
  return (block.textContent ?? "").replace(/\s+/g, " ").trim();
}
