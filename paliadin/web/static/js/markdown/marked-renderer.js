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

renderer.listitem = function (item) {
  return `<li${item.task ? ' class="task"' : ""}>${this.parser.parse(item.tokens)}</li>\n`;
};
renderer.blockquote = function (/** @type {import("./callouts.js").Quotation} */ { callout, tokens }) {
  const look = callout ? ` class="callout callout-${callout}"` : "";
  return `<blockquote${look}>\n${this.parser.parse(tokens)}</blockquote>\n`;
};

/**
 * Formulas and notes are texts with a class: the page makes them more (views/turn/prose.js).
 * @type {Record<string, import("../../vendor/marked.js").RendererExtensionFunction<string, string>>}
 */
export const renderers = {
  plain: ({ text }) => plainHtml(text),
  formula: ({ text, display }) =>
    display
      ? `<div class="formula formula-block">${escapeHtml(text)}</div>\n`
      : `<span class="formula">${escapeHtml(text)}</span>`,
  footnote({ label, tokens = [] }) {
    const mark = `<span class="footnote-mark">${escapeHtml(label)}</span>`;
    return `<p class="footnote" data-note="${escapeHtml(label)}">${mark} ${this.parser.parseInline(tokens)}</p>\n`;
  },
  footnoteReference: ({ label }) =>
    `<sup class="footnote-reference" data-note="${escapeHtml(label)}">${escapeHtml(label)}</sup>`,
  details({ open, tokens = [] }) {
    return `<details${open ? " open" : ""}>${this.parser.parse(tokens)}</details>\n`;
  },
  summary({ tokens = [] }) {
    return tokens.length > 0 ? `<summary>${this.parser.parseInline(tokens)}</summary>` : "";
  },
};
