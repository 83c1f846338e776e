/**
 * An error: what happened, what to do next, and a button for it where one helps.
 * @typedef {import("./context.js").Context} Context
 * @typedef {import("../types.js").Failure} Failure
 */
import { h, withCode } from "../dom.js";
import { explain } from "../i18n.js";
import { icon } from "../icons.js";

/**
 * @param {Context} context
 * @param {Failure} failure
 * @param {(() => void)|null} retry
 */
export function drawProblem({ t, lang }, failure, retry) {
  const { title, detail, hint } = explain(t, lang, failure);
  return h(
    "div",
    { class: "card problem" },
    icon("alert"),
    h(
      "div",
      { class: "problem-text" },
      h("p", { class: "card-title" }, ...withCode(title)),
      detail && h("p", { class: "problem-detail" }, ...withCode(detail)),
      h("p", {}, ...withCode(hint)),
    ),
    retry && h("button", { type: "button", onclick: retry }, icon("retry"), t("turn.retry")),
  );
}
