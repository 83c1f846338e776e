/**
 * Draws what somebody typed in Claude's terminal while it worked on the turn, as a part of its answer.
 * @typedef {import("../common/context.js").Context} Context
 */
import { h } from "../../browser/dom.js";
import { escapeInvisible } from "../../texts/format.js";

/**
 * @param {Context} context
 * @param {string} text
 */
export function drawJoinedWords({ t }, text) {
  return h(
    "div",
    { class: "question" },
    h("p", { class: "question-origin" }, t("turn.joined")),
    h("p", { class: "question-text", dir: "auto" }, escapeInvisible(text)),
  );
}
