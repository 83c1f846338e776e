/**
 * The card of a dialog in Claude's terminal that cannot be replied to from here.
 * @typedef {import("../../types.js").Interrupt} Interrupt
 */
import { codeSpans, h } from "../../browser/dom.js";
import { dialogOf } from "../../state/interrupts.js";
import { createCard } from "./card.js";

/**
 * @param {import("../common/context.js").Context} context
 * @param {Interrupt} interrupt
 * @returns {import("./card.js").Card & {update: (interrupt: Interrupt) => void}}
 */
export function createDialogCard(context, interrupt) {
  const { t, conversation, embedded, member, openTerminal } = context;
  const screen = h("pre", { class: "terminal", tabindex: 0, role: "group", "aria-label": t("terminal.title") });
  const where = h("p", {}, ...codeSpans(t(member ? "ask.there.member" : "ask.there.reply")));
  const stop = h("button", { type: "button", onclick: () => void conversation.stop() }, t("ask.there.stop"));
  const look = h("button", { type: "button", class: "quiet", onclick: openTerminal }, t("terminal.look"));
  const card = createCard(context, {
    mark: "alert",
    title: [t(`ask.there.${dialogOf(interrupt).asks}`)],
    text: "",
    body: [where, screen],
    buttons: embedded || member ? [stop] : [stop, look],
  });
  card.el.addEventListener("submit", (event) => event.preventDefault());

  /** @param {Interrupt} now */
  function update(now) {
    screen.textContent = dialogOf(now).screen;
    screen.hidden = !screen.textContent;
  }
  update(interrupt);
  return { el: card.el, update };
}
