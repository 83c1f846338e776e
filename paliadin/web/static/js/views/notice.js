/**
 * What Claude asked in mid-turn and what was answered, as a line of the conversation.
 * @typedef {import("./context.js").Context} Context
 * @typedef {import("../types.js").NoticePart} NoticePart
 */
import { h } from "../dom.js";
import { toolName, visible } from "../format.js";
import { maybe } from "../i18n.js";
import { describeAnswer, questionsOf, subject } from "../interrupts.js";
import { icon } from "../icons.js";

/**
 * @param {Context} context
 * @param {NoticePart} notice
 */
export function drawNotice({ t }, { interrupt, by, value }) {
  const permission = interrupt.kind === "permission";
  const answer = permission ? decision(value, t) : describeAnswer(value);
  const words = permission
    ? [toolName(visible(interrupt.tool ?? "")), subject(interrupt)].filter(Boolean).join(": ")
    : questionsOf(interrupt).map((each) => each.question).join(" · ");
  return h(
    "p",
    { class: "notice" },
    icon(permission ? "shield" : "question"),
    h("span", {}, words, " ", h("strong", {}, answer || t(by === "terminal" ? "notice.answered" : "notice.none")), ` · ${maybe(t, `notice.by.${by}`) || by}`),
  );
}

/**
 * @param {unknown} value
 * @param {Context["t"]} t
 */
function decision(value, t) {
  const reason = value !== null && typeof value === "object" && "deny" in value && describeAnswer(value);
  if (reason) return `${t("notice.denied")}: ${visible(reason)}`;
  const word = describeAnswer(value).toLowerCase();
  if (word === "allow_session") return t("notice.allowed_session");
  if (/^(allow|yes|true)/.test(word)) return t("notice.allowed");
  if (/^(deny|no|false)/.test(word)) return t("notice.denied");
  return describeAnswer(value);
}
