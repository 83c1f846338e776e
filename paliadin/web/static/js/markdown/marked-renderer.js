/** Renderer for marked: raw HTML becomes text, images links, unsafe links text. Its output is sanitised as well. */
import { Renderer } from "../../vendor/marked.js";
import { outsideHref } from "./safe-links.js";

/** @param {string} text */
export function escapeHtml(text) {
  return text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);
}

/**
 * @param {string|null} href
 * @param {string} inner HTML
 */
function anchor(href, inner) {
  const address = outsideHref(href);
  return address ? `<a href="${escapeHtml(address)}" target="_blank" rel="noopener noreferrer">${inner}</a>` : inner;
}

export const renderer = new Renderer();

// Models write <br> in table cells, where Markdown has no other way.
renderer.html = ({ text, block }) => {
  if (/^\s*<br\s*\/?>\s*$/i.test(text)) return "<br>";
  return block ? `<p>${escapeHtml(text)}</p>` : escapeHtml(text);
};
renderer.link = function ({ href, tokens }) {
  return anchor(href, this.parser.parseInline(tokens));
};
// Its looks go by the depth in Markdown. In a quotation or a list it is no heading of the answer.
renderer.heading = function (
  /** @type {import("../../vendor/marked.js").Tokens.Heading & {level?: number}} */ heading,
) {
  const inner = this.parser.parseInline(heading.tokens);
  const look = `class="depth-${heading.depth}"`;
  const { level } = heading;
  return level ? `<h${level} ${look}>${inner}</h${level}>\n` : `<p ${look}><strong>${inner}</strong></p>\n`;
};
renderer.image = ({ href, text }) => anchor(href, escapeHtml(text || href));
renderer.checkbox = ({ checked }) => (checked ? "☑ " : "☐ ");

/** @param {string} text shown as it is, with its lines and blanks */
export const plainHtml = (text) => `<p class="plain">${escapeHtml(text)}</p>\n`;

/** A block of the type `plain` (bounded-lexer.js). */
export const extensions = {
  renderers: { plain: (/** @type {import("../../vendor/marked.js").Tokens.Generic} */ { text }) => plainHtml(text) },
  childTokens: {},
};
