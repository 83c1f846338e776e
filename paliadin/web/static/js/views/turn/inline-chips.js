/**
 * Puts chips into a block of an answer, each behind the word after which Claude wrote it.
 * @typedef {import("../../types.js").Chip} Chip
 * @typedef {import("../../markdown/claim-places.js").Place} Place
 */
import { h } from "../../browser/dom.js";
import { finderIn } from "../../markdown/claim-places.js";
import { textOf } from "./shown-text.js";

/** What a chip does not stand in, but behind. */
const AROUND = "a, code, button, .file-link";

/**
 * @param {HTMLElement} block loses the chips that it has
 * @param {import("../../../vendor/marked.js").Token} token
 * @param {[Chip, Place][]} places in the order of the text
 * @param {(chip: Chip, said: string) => HTMLElement} draw `said`: the words of its row, paragraph or the like
 * @returns {Chip[]} those that have a place
 */
export function insertChips(block, token, places, draw) {
  const old = block.querySelectorAll(".chip-place");
  old.forEach((place) => place.remove());
  if (old.length > 0) block.normalize();
  if (places.length === 0) return [];
  const { text, pieces } = textOf(block);
  const find = finderIn(token, text);
  const placed = [];
  // From the end, since the head of a text stays where it is when its tail is split off.
  for (const [chip, place] of [...places].reverse()) {
    const end = find(place)?.[1];
    const piece = end === undefined ? undefined : pieces.find(({ at, length }) => at < end && end <= at + length);
    if (!piece || end === undefined) continue;
    if (end - piece.at < piece.node.length) piece.node.splitText(end - piece.at);
    const before = piece.node.parentElement?.closest(AROUND) ?? piece.node;
    const row = piece.node.parentElement?.closest("tr")?.textContent;
    const said = row ?? text.slice(text.lastIndexOf("\n", end - 1) + 1, end);
    before.after(h("span", { class: "chip-place", dir: "auto" }, " ", draw(chip, said)));
    placed.unshift(chip);
  }
  return placed;
}
