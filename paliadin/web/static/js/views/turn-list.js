/**
 * The list of turns, oldest first, with a button for earlier ones and a line where a new conversation began.
 * @typedef {import("./common/context.js").Context} Context
 * @typedef {import("../types.js").State} State
 * @typedef {import("../types.js").Turn} Turn
 */
import { h, keyedList } from "../browser/dom.js";
import { askedAt, visibleTurns } from "../state/turns.js";
import { createVirtualizer } from "./turn-virtualizer.js";
import { createSafeTurnView } from "./turn/safe-turn.js";

/**
 * @param {Context} context
 * @param {() => void} onEarlier
 */
export function createTurnList(context, onEarlier) {
  const { t } = context;
  const earlier = h("button", { type: "button", class: "quiet earlier", onclick: onEarlier }, t("list.earlier"));
  const turns = h("div", { class: "turns" });
  const el = h("div", { class: "list" }, earlier, turns);
  const virtualizer = createVirtualizer();
  const draw = keyedList(
    turns,
    (/** @type {Turn} */ turn) => turn.key,
    () => virtualizer.place((el) => createSafeTurnView(context, el)),
  );
  let count = -1;

  return {
    el,
    earlier,
    /** @param {Element} scroller */
    watch: (scroller) => virtualizer.watch(scroller),
    stop: () => virtualizer.stop(),
    /**
     * @param {string} id of a turn
     * @returns {HTMLElement|null} its element
     */
    find: (id) => turns.querySelector(`[data-turn="${CSS.escape(id)}"]`),
    /**
     * @param {State} state
     * @returns {boolean} whether nothing is shown
     */
    update(state) {
      const shown = visibleTurns(state);
      const someHidden = shown.length < state.turns.length;
      earlier.hidden = !state.signedIn || !(someHidden || (state.hasMore && state.turns.length > 0));
      turns.hidden = !state.signedIn;
      virtualizer.expect(shown.length);
      draw(shown, firstOfConversation(shown, state.beganAt));
      if (shown.length < count) virtualizer.keep(turns.children);
      count = shown.length;
      return shown.length === 0;
    },
  };
}

/**
 * @param {Turn[]} shown
 * @param {number} beganAt
 * @returns {string} key of the first turn of this conversation if an earlier one stands above it, or ""
 */
function firstOfConversation(shown, beganAt) {
  const at = shown.findIndex((turn) => askedAt(turn.id) > beganAt);
  return at > 0 ? (shown[at]?.key ?? "") : "";
}
