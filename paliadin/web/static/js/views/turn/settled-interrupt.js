/**
 * Draws an interrupt that is over as one line: what Claude asked, the reply, and where it came from.
 * @typedef {import("../common/context.js").Context} Context
 * @typedef {import("../../types.js").SettledPart} SettledPart
 */
import { h } from "../../browser/dom.js";
import { icon } from "../../browser/icons.js";
import { describeReply, questionsOf } from "../../state/interrupts.js";
import { requestLine } from "../../state/permission-request.js";
import { escapeInvisible } from "../../texts/format.js";
import { translateIfKnown } from "../../texts/i18n.js";

/**
 * @param {Context} context
 * @param {SettledPart} part
 */
export function drawSettledInterrupt({ t }, { interrupt, by, value }) {
  const permission = interrupt.kind === "permission";
  const reply = permission ? decision(value, t) : describeReply(value);
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
 * @param {Context["t"]} t
 */
function decision(value, t) {
  const reason = value !== null && typeof value === "object" && "deny" in value && describeReply(value);
  if (reason) return `${t("settled.denied")}: ${escapeInvisible(reason)}`;
  const word = describeReply(value).toLowerCase();
  if (word === "allow_session") return t("settled.allowed_session");
  if (/^(allow|yes|true)/.test(word)) return t("settled.allowed");
  if (/^(deny|no|false)/.test(word)) return t("settled.denied");
  return describeReply(value);
}
