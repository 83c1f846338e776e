/** Searches all conversations, also the archived ones, while the user types. */
import { ApiError } from "../daemon/api.js";
import { joinFound } from "../state/conversations.js";

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
      const [listed, put] = await Promise.all([api.conversations({ q }), api.conversations({ q, archived: true })]);
      if (get().query === query) set({ found: joinFound(listed.conversations, put.conversations) });
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
