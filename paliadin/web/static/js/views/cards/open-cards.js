/**
 * The cards of the open interrupts, above the input.
 * @typedef {import("../common/context.js").Context} Context
 * @typedef {import("../../types.js").State} State
 * @typedef {import("../../state/interrupts.js").OpenInterrupt} OpenInterrupt
 */
import { focused, h, keyedList } from "../../browser/dom.js";
import { openInterrupts } from "../../state/interrupts.js";
import { listenForChoices } from "./choice-keys.js";
import { createPermissionCard } from "./permission.js";
import { createQuestionCard } from "./question.js";
import { createDialogCard } from "./terminal-dialog.js";

/** @param {Context} context */
export function createOpenCards(context) {
  const el = h("div", { class: "asks" });
  /** @type {WeakMap<Element, import("./card.js").Card>} */
  const cards = new WeakMap();
  const draw = keyedList(
    el,
    (/** @type {OpenInterrupt} */ { turnId, interrupt }) => `${turnId} ${interrupt.id}`,
    ({ turnId, interrupt }) => {
      if (interrupt.kind === "dialog") {
        const { el, update } = createDialogCard(context, interrupt);
        return { el, update: (item) => update(item.interrupt) };
      }
      const create = interrupt.kind === "permission" ? createPermissionCard : createQuestionCard;
      const card = create(context, interrupt, (body) => context.conversation.reply(turnId, body));
      cards.set(card.el, card);
      return { el: card.el, update: () => {} };
    },
  );
  return {
    el,
    /**
     * @param {HTMLElement} view the whole conversation
     * @returns {() => void} stops listening
     */
    listenForKeys: (view) =>
      listenForChoices(context.embedded ? view : document, view, (event, target) => {
        const focusedCard = [...el.children].find((card) => card.contains(target));
        const card = focusedCard ?? (el.childElementCount === 1 ? el.firstElementChild : null);
        if (card) cards.get(card)?.press?.(event);
      }),
    /**
     * @param {State} state
     * @returns {boolean} whether the focus is to be placed anew, because a card that is gone had it
     */
    update({ turns }) {
      const before = el.childElementCount;
      const lost = el.matches(":focus-within") || !focused(el);
      const open = openInterrupts(turns);
      const drawn = new Set(el.children);
      draw(open, null);
      const added = [...el.children].find((card) => !drawn.has(card));
      if (added instanceof HTMLElement && mayTakeFocus(added)) added.focus({ preventScroll: true });
      return lost && el.childElementCount < before;
    },
  };
}

/**
 * Whether a new card may take the focus: nothing has it, or an input that is empty.
 * @param {Element} el
 */
function mayTakeFocus(el) {
  const active = focused(el);
  return !active || (active instanceof HTMLTextAreaElement && active.value === "");
}
