/**
 * Holds the state of one conversation, with the daemon's health, failed actions and whether the connection is lost.
 *
 * @typedef {import("../types.js").State} State
 * @typedef {import("../types.js").Turn} Turn
 * @typedef {ReturnType<typeof createConversationStore>} ConversationStore
 */
import { ApiError } from "../daemon/api.js";
import { createStore } from "../state/store.js";
import { runningTurn, updateTurn } from "../state/turns.js";

/** @type {State} */
const INITIAL = {
  ready: false,
  signedIn: true,
  connection: "ok",
  turns: [],
  hasMore: false,
  beganAt: 0,
  showEarlier: false,
  revealId: "",
  health: null,
  failedAction: null,
};

/**
 * @param {import("../daemon/api.js").Api} api
 * @param {string} session
 */
export function createConversationStore(api, session) {
  const store = createStore(INITIAL);

  /**
   * @param {string} id
   * @param {(turn: Turn) => Turn} change
   */
  const update = (id, change) => store.set({ turns: updateTurn(store.get().turns, id, change) });

  /**
   * Puts an error of the API into the state, and throws any other.
   * @param {unknown} error
   * @param {boolean} [background] it was no action of the user's that failed
   */
  function fail(error, background = false) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status === 401) store.set({ signedIn: false, ready: true });
    else if (error.status === 0) store.set({ connection: "lost" });
    else if (!background || !store.get().ready) store.set({ failedAction: error.failure, ready: true });
  }

  async function refreshHealth() {
    try {
      const health = await api.health(session);
      // An equal object would draw the same banners anew, and a screen reader would read them out again.
      if (JSON.stringify(health) !== JSON.stringify(store.get().health)) store.set({ health });
    } catch (error) {
      fail(error, true);
    }
  }

  /** Takes back the failure "another question is still being answered" once none is. */
  function clearBusyFailure() {
    const { failedAction, turns } = store.get();
    if (failedAction?.code === "turn_in_flight" && !runningTurn(turns)) store.set({ failedAction: null });
  }

  return { api, session, ...store, update, fail, refreshHealth, clearBusyFailure };
}
