/**
 * Draws the error with which a turn ended: what happened, what to do, and a button to ask again where that helps.
 * @typedef {import("../common/context.js").Context} Context
 * @typedef {import("../../types.js").Failure} Failure
 */
import { codeSpans, h } from "../../browser/dom.js";
import { icon } from "../../browser/icons.js";
import { explainFailure } from "../../texts/i18n.js";

/**
 * @param {Context} context
 * @param {Failure} failure
 * @param {(() => void)|null} retry
 */
export function drawTurnError({ t, lang, member }, failure, retry) {
  const { title, detail, hint } = explainFailure(t, lang, failure, Boolean(member));
  return h(
    "div",
    { class: "card problem" },
    icon("alert"),
    h(
      "div",
      { class: "problem-text" },
      h("p", { class: "card-title" }, ...codeSpans(title)),
      detail && h("p", { class: "problem-detail" }, ...codeSpans(detail)),
      h("p", {}, ...codeSpans(hint)),
    ),
    retry && h("button", { type: "button", onclick: retry }, icon("retry"), t("turn.retry")),
  );
}
