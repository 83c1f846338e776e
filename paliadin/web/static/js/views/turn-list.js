/**
 * The list of turns, oldest first, with a button for earlier ones and a line where Claude forgot what is above.
 * @typedef {import("./common/context.js").Context} Context
 * @typedef {import("../types.js").State} State
 * @typedef {import("../types.js").Turn} Turn
 */
import { h, keyedList } from "../browser/dom.js";
import { siblingsOf } from "../state/conversations.js";
import { dividedTurn, END } from "../state/turns.js";
import { createVirtualizer } from "./turn-virtualizer.js";
import { canDrawTurns, createSafeTurnView } from "./turn/safe-turn.js";

/**
 * @param {Context} context
 * @param {() => void} onEarlier
 */
export function createTurnList(context, onEarlier) {
  const { t, list, conversation } = context;
  const earlier = h("button", { type: "button", class: "quiet earlier", onclick: onEarlier }, t("list.earlier"));
  const turns = h("div", { class: "turns" });
  const forgot = h("p", { class: "divider divider-end", role: "status", hidden: true }, t("list.forgot"));
  const el = h("div", { class: "list" }, earlier, turns, forgot);
  const virtualizer = createVirtualizer();
  const draw = keyedList(
    turns,
    (/** @type {Turn} */ turn) => turn.key,
    () => virtualizer.place((el) => createSafeTurnView(context, el)),
  );
  let count = -1;
  /** @type {import("./common/context.js").Surroundings} */
  let around = { divided: "", siblings: new Map() };
  let compared = "";

  /**
   * Says what stands around the turns: the same object as long as it is the same, so that no turn is drawn anew.
   * @param {State} state
   */
  function surroundings(state) {
    const divided = dividedTurn(state.turns, state.forgotAt);
    const siblings = list ? siblingsOf(list.get().items, conversation.session) : around.siblings;
    const key = JSON.stringify([divided, ...siblings]);
    if (key !== compared) around = { divided, siblings };
    compared = key;
    return around;
  }

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
    /** @returns {HTMLElement[]} */
    elements: () => [...turns.children].filter((turn) => turn instanceof HTMLElement),
    /**
     * @param {State} state
     * @returns {boolean} whether nothing is shown
     */
    update(state) {
      const shown = canDrawTurns() ? state.turns : [];
      const away = !state.signedIn || state.missing;
      earlier.hidden = away || !state.hasMore || shown.length === 0;
      turns.hidden = away;
      virtualizer.expect(shown.length);
      const { divided } = surroundings(state);
      forgot.hidden = divided !== END || away;
      draw(shown, around);
      if (shown.length < count) virtualizer.keep(turns.children);
      count = shown.length;
      return state.turns.length === 0;
    },
  };
}
