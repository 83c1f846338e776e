/**
 * The frame of a question back to the user: title, body that scrolls, buttons that stay in sight.
 * @typedef {import("./context.js").Context} Context
 * @typedef {import("../types.js").Interrupt} Interrupt
 * @typedef {import("../types.js").AnswerBody} AnswerBody
 * @typedef {{el: HTMLElement, update: () => void}} Card
 * @typedef {(body: AnswerBody) => Promise<boolean>} Answer
 */
import { h } from "../dom.js";
import { icon } from "../icons.js";

/**
 * @param {Context} context
 * @param {object} content
 * @param {import("../icons.js").Icon} content.mark
 * @param {string} content.title
 * @param {string} content.text
 * @param {Node[]} content.body
 * @param {HTMLElement[]} content.buttons
 */
export function createCard({ t }, { mark, title, text, body, buttons }) {
  const state = h("span", { class: "card-state", role: "status" });
  const fields = h("fieldset", { class: "card-fields", "aria-label": title }, h("div", { class: "card-body" }, ...body));
  fields.append(h("div", { class: "card-buttons" }, ...buttons, state));
  const words = h("div", {}, h("p", { class: "card-title" }, title), text && h("p", { class: "card-text" }, text));
  const el = h("form", { class: "card ask", tabindex: -1, role: "group", "aria-label": [title, text].filter(Boolean).join(" ") }, h("div", { class: "card-head" }, icon(mark), words), fields);

  return {
    el,
    /**
     * The card stays, closed, until the stream says that it is answered; if the answer did not arrive it opens again.
     * @param {Promise<boolean>} sending
     */
    async wait(sending) {
      fields.disabled = true;
      state.textContent = t("ask.sending");
      if (await sending) return;
      fields.disabled = false;
      state.textContent = "";
    },
  };
}
