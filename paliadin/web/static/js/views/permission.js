/**
 * Claude asks whether it may do something: says what, exactly, and as text only.
 * @typedef {import("./card.js").Answer} Answer
 * @typedef {import("../types.js").Interrupt} Interrupt
 * @typedef {import("../types.js").Option} Option
 */
import { h } from "../dom.js";
import { inputRows, toolName, visible } from "../format.js";
import { maybe } from "../i18n.js";
import { permissionOptions } from "../interrupts.js";
import { createCard } from "./card.js";

/**
 * @param {import("./context.js").Context} context
 * @param {Interrupt} interrupt
 * @param {Answer} answer
 */
export function createPermission(context, interrupt, answer) {
  const { t } = context;
  const tool = visible(toolName(interrupt.tool ?? ""));
  const buttons = permissionOptions(interrupt).map((option, i) => {
    const body = { interrupt_id: interrupt.id, value: option.id };
    const label = maybe(t, `ask.${option.id}`) || option.label;
    const look = i === 0 ? "primary" : "";
    return h("button", { type: "button", class: look, title: option.description, onclick: () => card.wait(answer(body)) }, label);
  });
  const card = createCard(context, {
    mark: "shield",
    title: tool ? t("ask.permission.tool", { tool }) : t("ask.permission"),
    text: interrupt.tool && interrupt.input ? "" : visible(interrupt.message ?? ""),
    body: [drawInput(interrupt.input)],
    buttons,
  });
  return card;
}

/** @param {unknown} input */
function drawInput(input) {
  const rows = inputRows(input).flatMap(({ name, value }) => [
    h("dt", {}, name),
    h("dd", {}, h("pre", {}, value)),
  ]);
  return h("dl", { class: "input", tabindex: rows.length > 0 && 0 }, ...rows);
}
