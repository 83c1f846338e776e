/**
 * Finds where the claims of an answer stand in what a reader sees of it. The daemon counts in the Markdown; on the page
 * the n-th occurrence of the same words in the same block is looked for. Pure.
 * @typedef {import("../../vendor/marked.js").Token} Token
 * @typedef {{start: number, end: number, text: string}} Claim offsets in code points
 * @typedef {{block: number, start: number, end: number}} Place offsets in the block's source
 */
import { visibleRange, visibleText } from "./visible-text.js";

/** What Markdown may add to the words of a claim. */
const MARKUP = /[\s*_`~\\]+/g;

/**
 * Finds the blocks of claims.
 * @template {Claim} C
 * @param {C[]} claims
 * @param {string} text the Markdown
 * @param {Token[]} blocks of it
 * @returns {Map<number, [C, Place][]>} by the block's index; without those that are in no block, or not what they say
 */
export function placesInBlocks(claims, text, blocks) {
  const source = text.replace(/\r\n|\r/g, "\n");
  const offsets = offsetsOf(
    text,
    claims.flatMap(({ start, end }) => [start, end]),
  );
  const edges = edgesOf(source, blocks);
  /** @type {Map<number, [C, Place][]>} */
  const found = new Map();
  for (const claim of claims) {
    const start = offsets.get(claim.start) ?? 0;
    const end = offsets.get(claim.end) ?? 0;
    const block = edges.findIndex((edge) => edge && edge[0] <= start && end <= edge[1]);
    const edge = edges[block];
    if (!edge || source.slice(start, end).replace(MARKUP, "") !== claim.text.replace(MARKUP, "")) continue;
    const place = { block, start: start - edge[0], end: end - edge[0] };
    found.set(block, [...(found.get(block) ?? []), [claim, place]]);
  }
  return found;
}

/**
 * Prepares to find the words of claims in what is shown of a block.
 * @param {Token} block
 * @param {string} shown the text of what is shown, with a line break between paragraphs, cells and the like
 * @returns {(place: Place) => [number, number]|null} where the words begin and end in `shown`; null: they are not there
 */
export function finderIn(block, shown) {
  const { text, pieces } = visibleText(block);
  const inText = occurrencesIn(text);
  const inShown = occurrencesIn(shown);
  return ({ start, end }) => {
    const range = visibleRange(pieces, start, end);
    const words = range ? text.slice(...range).trim() : "";
    if (!range || !words) return null;
    const at = inShown(words)[inText(words).indexOf(text.indexOf(words, range[0]))];
    return at === undefined ? null : [at, at + words.length];
  };
}

/**
 * Leaves out ranges that overlap others. Of two the first one in the list stays.
 * @template C
 * @param {[C, number, number][]} ranges
 * @returns {[C, number, number][]} in the order of the text
 */
export function withoutOverlaps(ranges) {
  /** @type {[C, number, number][]} */
  const kept = [];
  for (const range of ranges) {
    let place = kept.length;
    while (place > 0 && /** @type {[C, number, number]} */ (kept[place - 1])[1] > range[1]) place -= 1;
    const [before, after] = [kept[place - 1], kept[place]];
    if ((!before || before[2] <= range[1]) && (!after || range[2] <= after[1])) kept.splice(place, 0, range);
  }
  return kept;
}

/**
 * @param {string} text
 * @returns {(words: string) => number[]} where the words begin, each time
 */
function occurrencesIn(text) {
  /** @type {Map<string, number[]>} */
  const known = new Map();
  return (words) => {
    let places = known.get(words);
    if (places) return places;
    known.set(words, (places = []));
    for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) places.push(at);
    return places;
  };
}

/**
 * Where each block begins and ends; null for one that is not found.
 * @param {string} source
 * @param {Token[]} blocks
 */
export function edgesOf(source, blocks) {
  let end = 0;
  return blocks.map(({ raw }) => {
    const start = source.indexOf(raw, end);
    if (start < 0) return null;
    end = start + raw.length;
    return /** @type {[number, number]} */ ([start, end]);
  });
}

/**
 * Turns counts of code points into offsets in the text that the lexer reads, whose line breaks are all LF.
 * @param {string} text
 * @param {number[]} counts
 * @returns {Map<number, number>}
 */
export function offsetsOf(text, counts) {
  const sorted = [...new Set(counts)].sort((a, b) => a - b);
  /** @type {Map<number, number>} */
  const offsets = new Map();
  let [index, count, dropped] = [0, 0, 0];
  for (const wanted of sorted) {
    for (; count < wanted && index < text.length; count += 1) {
      const code = text.codePointAt(index) ?? 0;
      if (code === 13 && text.charCodeAt(index + 1) === 10) dropped += 1;
      index += code > 0xffff ? 2 : 1;
    }
    offsets.set(wanted, index - dropped);
  }
  return offsets;
}
