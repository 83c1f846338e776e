/**
 * Finds the words of an answer behind which its chips stand. Pure.
 * @typedef {import("../../vendor/marked.js").Token} Token
 * @typedef {import("./claim-places.js").Place} Place
 */
import { edgesOf, offsetsOf } from "./claim-places.js";

/** In characters: the end of a longer word is looked for. */
const MAX_WORD = 40;

/**
 * @template {{at?: number}} C
 * @param {C[]} chips of one message, each with the number of code points before it, if it is known
 * @param {string} text the message's Markdown
 * @param {Token[]} blocks of it
 * @returns {Map<number, [C, Place][]>} by the block's index: each chip with the word before it; without those before
 *   which no word stands, and those in code
 */
export function placesOfChips(chips, text, blocks) {
  /** @type {Map<number, [C, Place][]>} */
  const places = new Map();
  if (chips.length === 0) return places;
  const offsets = offsetsOf(
    text,
    chips.map(({ at }) => at ?? 0),
  );
  const edges = edgesOf(text.replace(/\r\n|\r/g, "\n"), blocks);
  for (const chip of chips) {
    const offset = offsets.get(chip.at ?? 0) ?? 0;
    const after = edges.findIndex((edge) => edge !== null && edge[0] >= offset);
    const index = (after < 0 ? edges.length : after) - 1;
    const block = blocks[index];
    if (!block || !edges[index] || block.type === "code" || block.type === "plain") continue;
    const before = block.raw.slice(0, offset - (edges[index]?.[0] ?? 0)).trimEnd();
    const word = /\S{1,40}$/.exec(before.slice(-MAX_WORD))?.[0] ?? "";
    if (!word) continue;
    const place = { block: index, start: before.length - word.length, end: before.length };
    places.set(index, [...(places.get(index) ?? []), [chip, place]]);
  }
  return places;
}
