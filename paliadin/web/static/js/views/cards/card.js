/**
 * The frame of a card on which Claude asks the user: a title, a body that scrolls, and buttons that stay in sight.
 * @typedef {import("../common/context.js").Context} Context
 * @typedef {import("../../types.js").Interrupt} Interrupt
 * @typedef {import("../../types.js").ReplyBody} ReplyBody
 * @typedef {{el: HTMLElement, press?: (event: KeyboardEvent) => void}} Card `press` takes the keys of its choices
 * @typedef {(body: ReplyBody) => Promise<boolean>} SendReply whether it arrived
 */
import { h } from "../../browser/dom.js";
import { icon } from "../../browser/icons.js";

let count = 0;

/**
 * @param {Context} context
 * @param {object} content
 * @param {import("../../browser/icons.js").Icon} content.mark
 * @param {(Node|string)[]} content.title
 * @param {string} content.text
 * @param {Node[]} content.body
 * @param {HTMLElement} [content.hint] stands between the body and the buttons, and stays in sight
 * @param {HTMLElement[]} content.buttons
 */
export function createCard({ t }, { mark, title, text, body, hint, buttons }) {
  const id = `card-${(count += 1)}`;
  const state = h("span", { class: "card-state", role: "status" });
  const foot = h("div", { class: "card-buttons" }, ...buttons, state);
  const fields = h("fieldset", { class: "card-fields" }, h("div", { class: "card-body" }, ...body), hint, foot);
  const heading = h("p", { class: "card-title", id: `${id}-title` }, ...title);
  const more = text && h("p", { class: "card-text", id: `${id}-text`, dir: "auto" }, text);
  const named = `${id}-title ${id}-text`; // read when the focus comes here, and by no other element's name
  const el = h(
    "form",
    { class: "card ask", tabindex: -1, role: "group", "aria-labelledby": named },
    h("div", { class: "card-head" }, icon(mark), h("div", {}, heading, more)),
    fields,
  );

  return {
    el,
    isSending: () => fields.disabled,
    /** @param {string} words shown beside the buttons, and read out */
    say: (words) => (state.textContent = words),
    /**
     * Disables the card while a reply is sent, and until the stream ends the interrupt if it arrived.
     * @param {Promise<boolean>} sending
     */
    async disableWhile(sending) {
      if (fields.matches(":focus-within")) el.focus({ preventScroll: true }); // what is disabled loses it
      fields.disabled = true;
      state.textContent = t("ask.sending");
      if (await sending) return;
      fields.disabled = false;
      state.textContent = "";
    },
  };
}
