/**
 * Marks the claims of an answer in its prose, once it is complete: their words are put into elements of their own,
 * which changes no line. It is done a little at a time, and not in a block in which the reader selects.
 * @typedef {import("../../types.js").Claim} Claim
 * @typedef {{token: import("../../../vendor/marked.js").Token, el: HTMLElement}} Block
 * @typedef {{node: Text, at: number, length: number}} Piece of what is shown
 */
import { h } from "../../browser/dom.js";
import { finderIn, placesInBlocks, withoutOverlaps } from "../../markdown/claim-places.js";

/** How long the page may be held at once. */
const SLICE_MS = 8;
/** How long is waited for the reader to end a selection. */
const SELECTED_MS = 500;
/** What stands beside the text of a block. */
const BESIDE = ".code-bar, .thumbnails";
const LIMITS = "p, li, td, th, pre, blockquote, h3, h4, h5, h6";

/**
 * @param {Claim[]} claims of one message; where two overlap, the one that is told first is marked
 * @param {string} text its Markdown
 * @param {Block[]} blocks what is shown of it
 * @param {(claim: Claim, parts: HTMLElement[]) => void} onMark
 */
export async function markClaims(claims, text, blocks, onMark) {
  const pace = createPace();
  await pace();
  const tokens = blocks.map(({ token }) => token);
  for (const [index, places] of placesInBlocks(claims, text, tokens)) {
    const { token, el } = /** @type {Block} */ (blocks[index]);
    while (isSelected(el)) await pause(SELECTED_MS);
    await pace();
    const shown = textOf(el);
    const find = finderIn(token, shown.text);
    /** @type {[Claim, number, number][]} */
    const ranges = [];
    for (const [claim, place] of places) {
      const range = find(place);
      if (range) ranges.push([claim, ...range]);
      await pace();
    }
    // From the end, since the head of a text stays where it is when its tail is split off.
    for (const [claim, start, end] of withoutOverlaps(ranges).reverse()) {
      onMark(claim, wrap(shown.pieces, start, end, claim.status));
      await pace();
    }
  }
}

/** Lets the browser go on when the page was held long enough. */
function createPace() {
  let until = 0;
  return async () => {
    if (performance.now() < until) return;
    await pause(0);
    until = performance.now() + SLICE_MS;
  };
}

/** @param {number} ms */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** @param {HTMLElement} el */
function isSelected(el) {
  // In a drawer some browsers tell of a selection at its root only.
  const root = /** @type {Document & {getSelection?: () => Selection|null}} */ (el.getRootNode());
  const selection = root.getSelection?.() ?? document.getSelection();
  return Boolean(selection && !selection.isCollapsed && selection.containsNode(el, true));
}

/**
 * The text of a block, with a line break between paragraphs, cells and the like.
 * @param {HTMLElement} block
 */
function textOf(block) {
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

/**
 * Puts a range of the text into elements, one for each piece of it.
 * @param {Piece[]} pieces
 * @param {number} start
 * @param {number} end
 * @param {Claim["status"]} status
 * @returns {HTMLElement[]}
 */
function wrap(pieces, start, end, status) {
  const parts = [];
  for (const { node, at, length } of pieces) {
    if (at >= end) break;
    if (at + length <= start) continue;
    const from = Math.max(start - at, 0);
    if (end - at < node.length) node.splitText(end - at);
    const words = from > 0 ? node.splitText(from) : node;
    const el = h("span", { class: `claim claim-${status}` });
    words.replaceWith(el);
    el.append(words);
    parts.push(el);
  }
  return parts;
}
