/**
 * The list of turns, oldest first, with a button for earlier ones and a line where Claude forgot what is above.
 * @typedef {import("./common/context.js").Context} Context
 * @typedef {import("../types.js").State} State
 * @typedef {import("../types.js").Turn} Turn
 */
import { h, keyedList } from "../browser/dom.js";
import { openItem, siblingsOf } from "../state/conversations.js";
import { dividedTurn, END } from "../state/turns.js";
import { displayTitle } from "../texts/conversation-names.js";
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
  const head = h("header", { class: "print-head" });
  const el = h("div", { class: "list" }, head, earlier, turns, forgot);
  /** @param {"addnotes"|"removenotes"} what */
  const tell = (what) => turns.querySelectorAll(".evidence").forEach((each) => each.dispatchEvent(new Event(what)));
  const virtualizer = createVirtualizer();
  const draw = keyedList(
    turns,
    (/** @type {Turn} */ turn) => turn.key,
    () => virtualizer.place((el) => createSafeTurnView(context, el)),
  );
  let count = -1;
  /** What was unfolded for paper. @type {HTMLDetailsElement[]} */
  let folded = [];
  /** @type {import("./common/context.js").Surroundings} */
  let around = { divided: "", siblings: new Map(), pieces: [] };
  let compared = "";

  /**
   * Says what stands around the turns: the same object as long as it is the same, so that no turn is drawn anew.
   * @param {State} state
   */
  function surroundings(state) {
    const divided = dividedTurn(state.turns, state.forgotAt);
    const siblings = list ? siblingsOf(list.get().items, conversation.session) : around.siblings;
    const pieces = context.pieces.of(state.health);
    const key = JSON.stringify([divided, ...siblings]);
    if (key !== compared || pieces !== around.pieces) around = { divided, siblings, pieces };
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
    /** Draws all turns that are loaded, for paper. */
    drawAll: () => virtualizer.drawAll(),
    /** Puts on paper what the screen tells otherwise: where this is, what is folded, and the evidence as footnotes. */
    addNotes() {
      folded = [...turns.querySelectorAll(/** @type {"details"} */ (".prose details:not([open])"))];
      for (const each of folded) each.open = true;
      const title = list && displayTitle(openItem(list.get())?.title ?? "");
      head.replaceChildren(
        h("p", { class: "print-title", dir: "auto" }, title || t("app.title")),
        ...(earlier.hidden ? [] : [h("p", {}, t("print.earlier"))]),
      );
      tell("addnotes");
    },
    removeNotes() {
      head.replaceChildren();
      for (const each of folded) each.open = false;
      tell("removenotes");
      virtualizer.look();
    },
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
