/**
 * The card on which Claude asks for a permission. It shows exactly what for, as text only.
 * @typedef {import("./card.js").SendReply} SendReply
 * @typedef {import("../../types.js").Interrupt} Interrupt
 * @typedef {import("../../types.js").Option} Option
 */
import { codeSpans, h } from "../../browser/dom.js";
import { permissionOptions } from "../../state/interrupts.js";
import { escapeInvisible, toolName } from "../../texts/format.js";
import { translateIfKnown } from "../../texts/i18n.js";
import { drawToolInput } from "../common/tool-input.js";
import { createCard } from "./card.js";
import { holdUntilEndIsSeen } from "./end-in-sight.js";

/**
 * @param {import("../common/context.js").Context} context
 * @param {Interrupt} interrupt
 * @param {SendReply} sendReply
 */
export function createPermissionCard(context, interrupt, sendReply) {
  const { t } = context;
  const tool = escapeInvisible(toolName(interrupt.tool ?? ""));
  const reason = h("input", {
    type: "text",
    class: "reason",
    placeholder: t("ask.reason"),
    "aria-label": t("ask.reason"),
    maxlength: 1000,
    autocomplete: "off",
  });
  const deny = () => (reason.value.trim() ? { deny: reason.value.trim() } : "deny");
  const send = (/** @type {import("../../types.js").ReplyValue} */ value) =>
    card.disableWhile(sendReply({ interrupt_id: interrupt.id, value }));
  const mayReply = context.conversation.get().health?.may_allow !== false;
  const elsewhere = h("p", {}, ...codeSpans(t("ask.elsewhere")));
  const buttons = permissionOptions(interrupt).map((option, i) => {
    const label = translateIfKnown(t, `ask.${option.id}`) || option.label;
    const title = option.id === "allow_session" ? escapeInvisible(option.description ?? "") : "";
    const act = () => {
      if (option.id === "deny") send(deny());
      else if (held.isSeen()) send(option.id);
      else held.explain(); // and does not scroll: the second click of a double one would allow
    };
    return h("button", { type: "button", class: i === 0 ? "primary" : "", title, onclick: act }, label);
  });
  const content = drawToolInput(interrupt.input, t, true);
  const body = h("div", {}, content);
  const allowing = buttons.filter((_, i) => permissionOptions(interrupt)[i]?.id !== "deny");
  const held = holdUntilEndIsSeen({ content, buttons: allowing, next: content }, t);
  const card = createCard(context, {
    mark: "shield",
    title: tool ? t("ask.permission.tool", { tool }) : t("ask.permission"),
    text: interrupt.cut
      ? t("ask.cut")
      : interrupt.tool && interrupt.input
        ? ""
        : escapeInvisible(interrupt.message ?? ""),
    body: [body],
    buttons: mayReply ? [held.hint, ...buttons, reason] : [elsewhere], // in sight, however long the input is
  });
  // Enter in the reason's field denies with that reason. It never allows.
  card.el.addEventListener("submit", (event) => {
    event.preventDefault();
    if (reason.value.trim()) send(deny());
  });
  return card;
}
