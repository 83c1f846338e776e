/** Searches all conversations while the user types. */
import { ApiError } from "../daemon/api.js";

/** How long typing must pause before the search begins. */
const PAUSE_MS = 200;

/**
 * @typedef {import("../types.js").ListState} ListState
 * @param {{api: import("../daemon/api.js").Api, get: () => ListState, set: (change: Partial<ListState>) => void}} list
 */
export function createListSearch({ api, get, set }) {
  let timer = 0;
  let searched = "";
  /** @type {Promise<void>} */
  let searching = Promise.resolve();

  async function run() {
    clearTimeout(timer);
    const { query } = get();
    const q = query.trim();
    searched = query;
    if (!q) return;
    try {
      const { conversations } = await api.conversations({ q });
      if (get().query === query) set({ found: conversations });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      searched = "";
      if (get().query === query)
        set({ found: [], toast: { kind: "failed", id: "", wasOpen: false, failure: error.failure } });
    }
  }

  return {
    /** @param {string} query */
    type(query) {
      clearTimeout(timer);
      set(query.trim() ? { query } : { query, found: null });
      if (query.trim()) timer = setTimeout(() => (searching = run()), PAUSE_MS);
    },
    /**
     * Searches at once.
     * @returns {Promise<import("../types.js").ConversationItem|undefined>} the first one found
     */
    async first() {
      if (searched !== get().query) searching = run();
      await searching;
      return get().found?.[0];
    },
  };
}
