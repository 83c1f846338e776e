/**
 * Renders Markdown: as sanitised DOM, block by block, or as plain text. A block that cannot be rendered is shown as the
 * text that it is.
 * @typedef {import("../../vendor/marked.js").Token} Token
 */
import { Parser } from "../../vendor/marked.js";
import DOMPurify from "../../vendor/purify.js";
import { withoutLongRows } from "../texts/format.js";
import { lexMarkdown, MARKED_OPTIONS } from "./block-splitter.js";
import { plainHtml } from "./marked-renderer.js";

const TAGS =
  "a b blockquote br code del details div em h3 h4 h5 h6 hr i li ol p pre s span strong sub summary sup table " +
  "tbody td th thead tr ul";

const ALLOWED = {
  ALLOWED_TAGS: TAGS.split(" "),
  ALLOWED_ATTR: ["href", "target", "rel", "class", "title", "align", "start", "open", "data-note"],
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  RETURN_DOM_FRAGMENT: /** @type {const} */ (true),
};

/**
 * @param {Token} token a block
 * @param {number} [level] of a heading
 * @returns {DocumentFragment}
 */
export function renderBlock(token, level) {
  const block = level ? /** @type {Token} */ ({ ...token, level }) : token;
  return DOMPurify.sanitize(toHtml(block), ALLOWED);
}

/**
 * Whether two blocks of the same text are drawn alike: what it refers to may be defined by now.
 * @param {Token} one
 * @param {Token} other
 */
export const isDrawnAlike = (one, other) => !one.raw.includes("[") || toHtml(one) === toHtml(other);

/** @param {Token} block */
function toHtml(block) {
  try {
    return withoutLongRows(Parser.parse([block], MARKED_OPTIONS));
  } catch {
    return withoutLongRows(plainHtml(block.raw));
  }
}

/**
 * Renders Markdown as plain text for a screen reader or a notification.
 * @param {string} markdown
 */
export function plainText(markdown) {
  return lexMarkdown(markdown)
    .map((token) => spokenText(renderBlock(token)))
    .filter(Boolean)
    .join(" ");
}

/**
 * The text of a block, with pauses between cells and lines.
 * @param {DocumentFragment} block
 */
function spokenText(block) {
  block.querySelectorAll("td:not(:last-child), th:not(:last-child)").forEach((cell) => cell.append(", "));
  block.querySelectorAll("li, tr, br").forEach((row) => row.append("; "));
  return (block.textContent ?? "").replace(/\s+/g, " ").trim();
}
