/**
 * Draws an interrupt that is over as one line: what Claude asked, the reply, and where it came from. What a chosen
 * option showed can be looked at again.
 * @typedef {import("../common/context.js").Context} Context
 * @typedef {import("../../types.js").SettledPart} SettledPart
 */
import { h } from "../../browser/dom.js";
import { icon } from "../../browser/icons.js";
import { chosenPreviews, describeReply, dialogOf, questionsOf } from "../../state/interrupts.js";
import { isPlan, requestLine } from "../../state/permission-request.js";
import { escapeInvisible } from "../../texts/format.js";
import { translateIfKnown } from "../../texts/i18n.js";
import { drawPreview } from "../common/claude-text.js";

/**
 * @param {Context} context
 * @param {SettledPart} part
 */
export function drawSettledInterrupt(context, part) {
  const { interrupt, value } = part;
  const line = drawLine(context, part);
  const previews = interrupt.kind === "permission" ? [] : chosenPreviews(interrupt, value);
  if (previews.length === 0) return line;
  const shown = previews.map((option) => drawPreview(context, option));
  const more = h("details", { class: "settled-previews" }, h("summary", {}, context.t("settled.previews")), ...shown);
  return h("div", {}, line, more);
}

/**
 * @param {Context} context
 * @param {SettledPart} part
 */
function drawLine({ t }, { interrupt, by, value }) {
  const permission = interrupt.kind === "permission";
  if (interrupt.kind === "dialog") {
    const end = t(by === "terminal" ? "settled.over" : "settled.by.cancel");
    const title = t(`ask.there.${dialogOf(interrupt).asks}`);
    return h("p", { class: "notice" }, icon("alert"), h("span", {}, title, " ", h("strong", {}, end)));
  }
  const reply = permission ? decision(value, isPlan(interrupt), t) : describeReply(value);
  const request = permission
    ? requestLine(interrupt, t)
    : questionsOf(interrupt)
        .map((each) => each.question)
        .join(" · ");
  return h(
    "p",
    { class: "notice" },
    icon(permission ? "shield" : "question"),
    h(
      "span",
      {},
      h("bdi", {}, request),
      " ",
      h("strong", { dir: "auto" }, reply || t(by === "terminal" ? "settled.answered" : "settled.none")),
      ` · ${translateIfKnown(t, `settled.by.${by}`) || by}`,
    ),
  );
}

/**
 * @param {unknown} value
 * @param {boolean} onPlan
 * @param {Context["t"]} t
 */
function decision(value, onPlan, t) {
  const reason = value !== null && typeof value === "object" && "deny" in value && describeReply(value);
  const denied = t(onPlan ? "settled.planning" : "settled.denied");
  if (reason) return `${denied}: ${escapeInvisible(reason)}`;
  const word = describeReply(value).toLowerCase();
  if (word === "allow_session") return t("settled.allowed_session");
  if (/^(allow|yes|true)/.test(word)) return t("settled.allowed");
  if (/^(deny|no|false)/.test(word)) return denied;
  return describeReply(value);
}
