/**
 * The starters of the page that the user is looking at, in a row above the input of a conversation that has begun. An
 * empty one shows them in its welcome. While the input has a text, the style sheet hides them.
 * @typedef {import("./common/context.js").Context} Context
 */
import { h, memoizeLast, setChildren } from "../browser/dom.js";
import { runningTurn } from "../state/turns.js";
import { drawStarters } from "./common/starters.js";

/** @param {Context} context */
export function createStarterRow(context) {
  const el = h("div", { class: "starter-row", role: "group", "aria-label": context.t("starters.label"), hidden: true });
  const draw = memoizeLast((/** @type {string} */ starters) => drawStarters(JSON.parse(starters), context));

  return {
    el,
    /**
     * @param {import("../types.js").State} state
     * @param {boolean} empty no turn is shown
     */
    update(state, empty) {
      const busy = runningTurn(state.turns) || state.queue.turns.length > 0;
      const all = empty || busy || !state.ready ? [] : (context.starters?.() ?? []);
      setChildren(el, draw(JSON.stringify(all)));
      el.hidden = all.length === 0;
    },
  };
}
