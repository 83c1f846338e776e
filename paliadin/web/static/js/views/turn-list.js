/**
 * The turns, oldest first, with a way to earlier ones and a line where a new conversation began.
 * @typedef {import("./context.js").Context} Context
 * @typedef {import("../types.js").State} State
 * @typedef {import("../types.js").Turn} Turn
 */
import { h, keyed } from "../dom.js";
import { askedAt, visibleTurns } from "../turns.js";
import { createParking } from "./parking.js";
import { createTurn } from "./turn.js";

/**
 * @param {Context} context
 * @param {() => void} onEarlier
 */
export function createList(context, onEarlier) {
  const { t } = context;
  const earlier = h("button", { type: "button", class: "quiet earlier", onclick: onEarlier }, t("list.earlier"));
  const turns = h("div", { class: "turns" });
  const el = h("div", { class: "list" }, earlier, turns);
  const parking = createParking();
  const draw = keyed(turns, (/** @type {Turn} */ turn) => turn.key, () => parking.park((el) => createTurn(context, el)));
  let count = -1;

  return {
    el,
    earlier,
    /** @param {Element} scroller */
    watch: (scroller) => parking.watch(scroller),
    stop: () => parking.stop(),
    /**
     * @param {string} id of a turn
     * @returns {HTMLElement|null} where it is shown
     */
    find: (id) => turns.querySelector(`[data-turn="${CSS.escape(id)}"]`),
    /**
     * @param {State} state
     * @returns {boolean} whether nothing is shown
     */
    update(state) {
      const shown = visibleTurns(state);
      const hiddenOnes = shown.length < state.turns.length;
      earlier.hidden = !state.signedIn || !(hiddenOnes || (state.hasMore && state.turns.length > 0));
      turns.hidden = !state.signedIn;
      parking.expect(shown.length);
      draw(shown, beginning(shown, state.since));
      if (shown.length < count) parking.keep(turns.children);
      count = shown.length;
      return shown.length === 0;
    },
  };
}

/**
 * @param {Turn[]} shown
 * @param {number} since
 * @returns {string} key of the turn that has an earlier conversation above it
 */
function beginning(shown, since) {
  const at = shown.findIndex((turn) => askedAt(turn.id) > since);
  return at > 0 ? shown[at]?.key ?? "" : "";
}
