/**
 * The frame of a card on which Claude asks the user: a title, a body that scrolls, and buttons that stay in sight.
 * @typedef {import("../common/context.js").Context} Context
 * @typedef {import("../../types.js").Interrupt} Interrupt
 * @typedef {import("../../types.js").ReplyBody} ReplyBody
 * @typedef {{el: HTMLElement, update: () => void}} Card
 * @typedef {(body: ReplyBody) => Promise<boolean>} SendReply whether it arrived
 */
import { h } from "../../browser/dom.js";
import { icon } from "../../browser/icons.js";

/**
 * @param {Context} context
 * @param {object} content
 * @param {import("../../browser/icons.js").Icon} content.mark
 * @param {string} content.title
 * @param {string} content.text
 * @param {Node[]} content.body
 * @param {HTMLElement[]} content.buttons
 */
export function createCard({ t }, { mark, title, text, body, buttons }) {
  const state = h("span", { class: "card-state", role: "status" });
  const fields = h(
    "fieldset",
    { class: "card-fields", "aria-label": title },
    h("div", { class: "card-body" }, ...body),
  );
  fields.append(h("div", { class: "card-buttons" }, ...buttons, state));
  const heading = h("div", {}, h("p", { class: "card-title" }, title), text && h("p", { class: "card-text" }, text));
  const el = h(
    "form",
    { class: "card ask", tabindex: -1, role: "group", "aria-label": [title, text].filter(Boolean).join(" ") },
    h("div", { class: "card-head" }, icon(mark), heading),
    fields,
  );

  return {
    el,
    /**
     * Disables the card while a reply is sent. It stays so until the stream ends the interrupt; if the reply did not
     * arrive, the card can be used again.
     * @param {Promise<boolean>} sending
     */
    async disableWhile(sending) {
      fields.disabled = true;
      state.textContent = t("ask.sending");
      if (await sending) return;
      fields.disabled = false;
      state.textContent = "";
    },
  };
}
