/**
 * The open questions back to the user, above the input.
 * @typedef {import("./context.js").Context} Context
 * @typedef {import("../types.js").State} State
 * @typedef {import("../types.js").Interrupt} Interrupt
 * @typedef {{turnId: string, interrupt: Interrupt}} Ask
 */
import { h, keyed } from "../dom.js";
import { openAsks } from "../interrupts.js";
import { createPermission } from "./permission.js";
import { createQuestion } from "./question.js";

/** @param {Context} context */
export function createAsks(context) {
  const el = h("div", { class: "asks" });
  const draw = keyed(el, (/** @type {Ask} */ { turnId, interrupt }) => `${turnId} ${interrupt.id}`, ({ turnId, interrupt }) => {
    const create = interrupt.kind === "permission" ? createPermission : createQuestion;
    const card = create(context, interrupt, (body) => context.conversation.answer(turnId, body));
    return { el: card.el, update: () => {} };
  });
  return {
    el,
    /**
     * @param {State} state
     * @returns {boolean} whether a card that is gone has left the keyboard nowhere
     */
    update({ turns }) {
      const before = el.childElementCount;
      const lost = el.matches(":focus-within") || !focused(el);
      const asks = openAsks(turns);
      const known = new Set(el.children);
      draw(asks, null);
      const opened = [...el.children].find((card) => !known.has(card));
      if (opened instanceof HTMLElement && isIdle(opened)) opened.focus({ preventScroll: true });
      return lost && el.childElementCount < before;
    },
  };
}

/**
 * Whether the keyboard is where a card may take it from: nowhere, or in an input in which nothing is written.
 * @param {Element} el
 */
function isIdle(el) {
  const active = focused(el);
  return !active || (active instanceof HTMLTextAreaElement && active.value === "");
}

/** @param {Element} el */
function focused(el) {
  const root = el.getRootNode();
  const active = root instanceof Document || root instanceof ShadowRoot ? root.activeElement : null;
  return active !== document.body && active;
}
