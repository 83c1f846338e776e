/**
 * The state of one conversation, and what the daemon's answers and refusals do to it.
 *
 * @typedef {import("./types.js").State} State
 * @typedef {import("./types.js").Turn} Turn
 * @typedef {ReturnType<typeof createTalk>} Talk
 */
import { ApiError } from "./api.js";
import { createStore } from "./store.js";
import { runningTurn, updateTurn } from "./turns.js";

/** @type {State} */
const INITIAL = {
  ready: false,
  signedIn: true,
  link: "ok",
  turns: [],
  hasMore: false,
  since: 0,
  showEarlier: false,
  target: "",
  health: null,
  problem: null,
};

/**
 * @param {import("./api.js").Api} api
 * @param {string} session
 */
export function createTalk(api, session) {
  const store = createStore(INITIAL);

  /**
   * @param {string} id
   * @param {(turn: Turn) => Turn} change
   */
  const update = (id, change) => store.set({ turns: updateTurn(store.get().turns, id, change) });

  /**
   * @param {unknown} error
   * @param {boolean} [quiet] nobody asked for what failed
   */
  function fail(error, quiet = false) {
    if (!(error instanceof ApiError)) throw error;
    if (error.status === 401) store.set({ signedIn: false, ready: true });
    else if (error.status === 0) store.set({ link: "lost" });
    else if (!quiet || !store.get().ready) store.set({ problem: error.failure, ready: true });
  }

  async function refreshHealth() {
    try {
      const health = await api.health(session);
      // The same banner put up again would be read out again.
      if (JSON.stringify(health) !== JSON.stringify(store.get().health)) store.set({ health });
    } catch (error) {
      fail(error, true);
    }
  }

  /** "Another question is being answered" holds as long as one is. */
  function forgetBusy() {
    const { problem, turns } = store.get();
    if (problem?.code === "turn_in_flight" && !runningTurn(turns)) store.set({ problem: null });
  }

  return { api, session, ...store, update, fail, refreshHealth, forgetBusy };
}
