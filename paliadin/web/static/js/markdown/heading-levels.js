/**
 * Gives the headings of a text their levels in the page: one that stands below no other is of level 3, as the page's
 * title is of level 1 and the turn's of level 2. No level is left out, whatever the Markdown has. Pure.
 * @param {import("../../vendor/marked.js").Token[]} blocks
 * @returns {(number|undefined)[]} for each block; only headings have one
 */
export function headingLevels(blocks) {
  /** @type {number[]} Markdown's depths of the headings that the next one may stand below */
  const above = [];
  return blocks.map((block) => {
    if (block.type !== "heading") return undefined;
    while ((above.at(-1) ?? 0) >= block.depth) above.pop();
    above.push(block.depth);
    return Math.min(2 + above.length, 6);
  });
}
