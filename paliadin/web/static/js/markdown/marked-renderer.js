/** Renderer for marked: raw HTML becomes text, images links, unsafe links text. Its output is sanitised as well. */
import { Renderer } from "../../vendor/marked.js";
import { pathInHref } from "./file-paths.js";
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
  return address ? `<a href="${escapeHtml(address)}" target="_blank" rel="noopener noreferrer">${inner}</a>` : null;
}

/**
 * What may name a file of Claude's folder: a text that carries the path. The page makes it more once it knows.
 * @param {string|null} href
 * @param {string} inner HTML
 * @param {"file"|"picture"} kind
 */
function named(href, inner, kind) {
  return href && pathInHref(href) ? `<span class="${kind}" title="${escapeHtml(href)}">${inner}</span>` : inner;
}

export const renderer = new Renderer();

// Models write <br> in table cells, where Markdown has no other way.
renderer.html = ({ text, block }) => {
  if (/^\s*<br\s*\/?>\s*$/i.test(text)) return "<br>";
  return block ? `<p>${escapeHtml(text)}</p>` : escapeHtml(text);
};
renderer.link = function ({ href, tokens }) {
  const inner = this.parser.parseInline(tokens);
  return anchor(href, inner) ?? named(href, inner, "file");
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
renderer.image = ({ href, text }) => {
  const inner = escapeHtml(text || href);
  return anchor(href, inner) ?? named(href, inner, "picture");
};
renderer.checkbox = ({ checked }) => (checked ? "☑ " : "☐ ");

/** @param {string} text shown as it is, with its lines and blanks */
export const plainHtml = (text) => `<p class="plain">${escapeHtml(text)}</p>\n`;

/** A block of the type `plain` (bounded-lexer.js). */
export const extensions = {
  renderers: { plain: (/** @type {import("../../vendor/marked.js").Tokens.Generic} */ { text }) => plainHtml(text) },
  childTokens: {},
};
