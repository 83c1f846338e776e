/**
 * Claude asks whether it may do something: says what, exactly, and as text only.
 * @typedef {import("./card.js").Answer} Answer
 * @typedef {import("../types.js").Interrupt} Interrupt
 * @typedef {import("../types.js").Option} Option
 */
import { h } from "../dom.js";
import { toolName, visible } from "../format.js";
import { maybe } from "../i18n.js";
import { permissionOptions } from "../interrupts.js";
import { createCard } from "./card.js";
import { drawInput } from "./input.js";

/**
 * @param {import("./context.js").Context} context
 * @param {Interrupt} interrupt
 * @param {Answer} answer
 */
export function createPermission(context, interrupt, answer) {
  const { t } = context;
  const tool = visible(toolName(interrupt.tool ?? ""));
  const reason = h("input", { type: "text", class: "reason", placeholder: t("ask.reason"), "aria-label": t("ask.reason"), maxlength: 1000, autocomplete: "off" });
  const deny = () => (reason.value.trim() ? { deny: reason.value.trim() } : "deny");
  const send = (/** @type {import("../types.js").AnswerValue} */ value) => card.wait(answer({ interrupt_id: interrupt.id, value }));
  const buttons = permissionOptions(interrupt).map((option, i) => {
    const label = maybe(t, `ask.${option.id}`) || option.label;
    const title = option.id === "allow_session" ? visible(option.description ?? "") : "";
    const act = () => send(option.id === "deny" ? deny() : option.id);
    return h("button", { type: "button", class: i === 0 ? "primary" : "", title, onclick: act }, label);
  });
  const card = createCard(context, {
    mark: "shield",
    title: tool ? t("ask.permission.tool", { tool }) : t("ask.permission"),
    text: interrupt.tool && interrupt.input ? "" : visible(interrupt.message ?? ""),
    body: [drawInput(interrupt.input, t, true)],
    buttons: [...buttons, reason],
  });
  // Enter in the field of the reason is a no with that reason, and never a yes.
  card.el.addEventListener("submit", (event) => {
    event.preventDefault();
    if (reason.value.trim()) send(deny());
  });
  return card;
}
