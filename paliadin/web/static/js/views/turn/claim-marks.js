/**
 * Marks the claims of an answer in its prose, once it is complete: their words are put into elements of their own,
 * which changes no line. It is done a little at a time, and not in a block in which the reader selects.
 * @typedef {import("../../types.js").Claim} Claim
 * @typedef {{token: import("../../../vendor/marked.js").Token, el: HTMLElement}} Block
 * @typedef {import("./shown-text.js").Piece} Piece
 */
import { h, isSelected } from "../../browser/dom.js";
import { isDoubtful, isMarked } from "../../state/claims.js";
import { finderIn, placesInBlocks, withoutOverlaps } from "../../markdown/claim-places.js";
import { textOf } from "./shown-text.js";

/** How long the page may be held at once. */
const SLICE_MS = 8;
/** How long is waited for the reader to end a selection. */
const SELECTED_MS = 500;

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
      onMark(
        claim,
        wrap(shown.pieces, start, end, `claim claim-${isDoubtful(claim) && !isMarked(claim) ? "plain" : claim.status}`),
      );
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

/**
 * Puts a range of the text into elements, one for each piece of it.
 * @param {Piece[]} pieces
 * @param {number} start
 * @param {number} end
 * @param {string} names of classes
 * @returns {HTMLElement[]}
 */
function wrap(pieces, start, end, names) {
  const parts = [];
  for (const { node, at, length } of pieces) {
    if (at >= end) break;
    if (at + length <= start) continue;
    const from = Math.max(start - at, 0);
    if (end - at < node.length) node.splitText(end - at);
    const words = from > 0 ? node.splitText(from) : node;
    const el = h("span", { class: names });
    words.replaceWith(el);
    el.append(words);
    parts.push(el);
  }
  return parts;
}
