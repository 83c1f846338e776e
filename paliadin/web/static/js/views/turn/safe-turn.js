/**
 * Draws a turn, or its bare text where that fails: one turn must never keep the others from being drawn.
 * @typedef {import("../common/context.js").Context} Context
 * @typedef {import("../../types.js").Turn} Turn
 */
import { h } from "../../browser/dom.js";
import { loader } from "../../browser/load.js";
import { answerText } from "../../state/turns.js";

/** @type {typeof import("./turn.js").createTurnView|null} what draws turns, with all of Markdown: half of the page */
let createTurnView = null;

export const canDrawTurns = () => createTurnView !== null;

/** Loads what draws turns: an empty conversation does without it. */
export const loadTurns = loader(async () => {
  ({ createTurnView } = await import("./turn.js"));
});

/**
 * To be called once turns can be drawn.
 * @param {Context} context
 * @param {HTMLElement} el to be filled
 */
export function createSafeTurnView(context, el) {
  /** @type {ReturnType<typeof import("./turn.js").createTurnView>|null} */
  let view = null;

  return {
    /**
     * @param {Turn} turn
     * @param {import("../common/context.js").Surroundings} around
     */
    update(turn, around) {
      try {
        if (!view) el.replaceChildren();
        view ??= createTurnView?.(context, el) ?? null;
        view?.update(turn, around);
      } catch (error) {
        view = null;
        el.replaceChildren(
          h("p", { class: "outcome-note" }, context.t("turn.plain")),
          h("p", { class: "plain" }, turn.question),
          h("p", { class: "plain" }, answerText(turn)),
        );
        reportError(error);
      }
    },
  };
}
