/**
 * The text of an answer's block as it is shown, and the nodes that hold it.
 * @typedef {{node: Text, at: number, length: number}} Piece of what is shown
 */
/** What stands beside the text of a block. */
const BESIDE = ".code-bar, .thumbnails, .formula, .callout-title, .footnote-mark, .footnote-reference, .chip-place";
const LIMITS = "p, summary, li, td, th, pre, blockquote, h3, h4, h5, h6";

/**
 * The text of a block, with a line break between paragraphs, cells and the like.
 * @param {HTMLElement} block
 */
export function textOf(block) {
  /** @type {Piece[]} */
  const pieces = [];
  let text = "";
  let limit = null;
  const walker = document.createTreeWalker(block, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) =>
    node instanceof Element && node.matches(BESIDE) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT,
  );
  while (walker.nextNode()) {
    const node = walker.currentNode;
    if (node.nodeName === "BR") text += "\n";
    if (!(node instanceof Text) || (!node.data.trim() && node.data.includes("\n"))) continue;
    const around = node.parentElement?.closest(LIMITS) ?? null;
    if (around !== limit) text += "\n";
    limit = around;
    pieces.push({ node, at: text.length, length: node.length });
    text += node.data;
  }
  return { text, pieces };
}
