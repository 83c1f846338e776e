/**
 * Draws the input of a tool as rows of name and value, and the edit of a file as a diff.
 */
import { h } from "../../browser/dom.js";
import { escapeInvisible, splitEdits } from "../../texts/format.js";
import { drawFolded } from "./folded-text.js";
import { diffLines } from "./line-diff.js";

/**
 * @param {unknown} input
 * @param {import("./context.js").Context["t"]} t
 */
export function drawToolInput(input, t) {
  const { edits, rows } = splitEdits(input);
  const diffs = edits.flatMap(([before, after]) => [
    h("dt", {}, t("ask.change")),
    h("dd", {}, drawDiff(before, after, t)),
  ]);
  return h("dl", { class: "input" }, ...drawRows(rows, t), ...diffs);
}

/**
 * @param {{name: string, value: string}[]} rows
 * @param {import("./context.js").Context["t"]} t
 */
export const drawRows = (rows, t) =>
  rows.flatMap(({ name, value }) => [h("dt", {}, name), h("dd", {}, h("pre", {}, ...drawFolded(value, t)))]);

/**
 * @param {string} before
 * @param {string} after
 * @param {import("./context.js").Context["t"]} t
 */
export function drawDiff(before, after, t) {
  const labels = { "-": t("diff.gone"), "+": t("diff.new"), " ": "" };
  const classes = { "-": "gone", "+": "new", " ": "same" };
  const lines = joinEmpty(diffLines(before, after)).map(({ mark, text }) =>
    h(
      "span",
      { class: `diff-${classes[mark]}` },
      labels[mark] && h("span", { class: "hidden" }, labels[mark]),
      `${mark} `,
      ...drawFolded(escapeInvisible(text), t),
      "\n",
    ),
  );
  return h("pre", { class: "diff" }, ...lines);
}

/**
 * Joins empty lines that follow each other and have the same mark, so that they can be folded.
 * @param {ReturnType<typeof diffLines>} lines
 */
function joinEmpty(lines) {
  /** @type {ReturnType<typeof diffLines>} */
  const joined = [];
  for (const { mark, text } of lines) {
    const last = joined.at(-1);
    if (last && last.mark === mark && !text.trim() && !last.text.trim()) last.text += `\n${text}`;
    else joined.push({ mark, text });
  }
  return joined;
}
