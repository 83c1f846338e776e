/**
 * What a tool is given, as rows to read: an edit as what goes and what comes.
 */
import { diffLines } from "../diff.js";
import { h } from "../dom.js";
import { inputRows, visible } from "../format.js";

/**
 * @param {unknown} input
 * @param {import("./context.js").Context["t"]} t
 * @param {boolean} [reachable] it may scroll, so the keyboard must get there
 */
export function drawInput(input, t, reachable = false) {
  const { edits, rest } = split(input);
  const rows = inputRows(rest).flatMap(({ name, value }) => [h("dt", {}, name), h("dd", {}, h("pre", {}, value))]);
  const diffs = edits.flatMap(([before, after]) => [h("dt", {}, t("ask.change")), h("dd", {}, drawDiff(before, after, t))]);
  const all = [...rows, ...diffs];
  const list = h("dl", { class: "input" }, ...all);
  return reachable && all.length > 0 ? h("div", { class: "input-frame", tabindex: 0, role: "group", "aria-label": t("steps.input") }, list) : list;
}

/**
 * @param {unknown} input
 * @returns {{edits: [string, string][], rest: unknown}}
 */
function split(input) {
  if (input === null || typeof input !== "object" || Array.isArray(input)) return { edits: [], rest: input };
  const { edits, ...rest } = /** @type {Record<string, unknown>} */ (input);
  const several = Array.isArray(edits) && edits.every(isEdit) ? edits : null;
  if (several) return { edits: several.map(pair), rest };
  if (!isEdit(input)) return { edits: [], rest: input };
  const { old_string, new_string, ...others } = /** @type {Record<string, unknown>} */ (input);
  return { edits: [pair({ old_string, new_string })], rest: others };
}

/** @param {any} edit */
const isEdit = (edit) => typeof edit?.old_string === "string" && typeof edit?.new_string === "string";

/**
 * @param {any} edit
 * @returns {[string, string]}
 */
const pair = ({ old_string, new_string }) => [old_string, new_string];

/**
 * @param {string} before
 * @param {string} after
 * @param {import("./context.js").Context["t"]} t
 */
function drawDiff(before, after, t) {
  const words = { "-": t("diff.gone"), "+": t("diff.new"), " ": "" };
  const looks = { "-": "gone", "+": "new", " ": "same" };
  const lines = diffLines(before, after).map(({ mark, text }) =>
    h("span", { class: `diff-${looks[mark]}` }, words[mark] && h("span", { class: "hidden" }, words[mark]), `${mark} ${visible(text)}\n`),
  );
  return h("pre", { class: "diff" }, ...lines);
}
