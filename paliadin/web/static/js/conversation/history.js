/**
 * Reads turns from the daemon's history: the newest ones, earlier ones, or all back to a given turn.
 */
import { ApiError } from "../daemon/api.js";
import { askedAt, isStreaming, mergeHistory } from "../state/turns.js";

/** How many turns are read at once: of a conversation, back to a given turn, and in each poll. */
const PAGE = 30;
const LARGE_PAGE = 200;
const POLL = 5;
/** How long the first reading waits for the health. */
const HEALTH_MS = 500;
/** How often the health is read while all is well. */
const HEALTH_EVERY_MS = 30_000;

/**
 * @param {import("./conversation-store.js").ConversationStore} store
 * @param {(turn: import("../types.js").Turn) => void} follow
 */
export function createHistory({ api, session, get, set, fail, refreshHealth, clearBusyFailure }, follow) {
  /**
   * Reads the newest turns, such as one that began in the terminal or in another window, and follows those that run.
   * @param {number} limit
   */
  async function read(limit) {
    const known = get()
      .turns.slice(-limit)
      .filter((turn) => turn.question)
      .map((turn) => turn.id);
    const page = await api.history(session, limit, { known });
    const { turns, ready, hasMore, beganAt, showEarlier } = get();
    const isMet =
      Boolean(page.known?.length) || page.turns.some((item) => turns.some((turn) => turn.id === item.turn_id));
    const gap = ready && page.has_more && !isMet;
    if (gap && limit < PAGE) return read(PAGE);
    set({
      turns: mergeHistory(gap ? [] : turns, page.turns),
      hasMore: ready && !gap ? hasMore : page.has_more,
      beganAt: page.since,
      showEarlier: showEarlier && page.since === beganAt,
      ready: true,
      signedIn: true,
      connection: "ok",
    });
    get().turns.filter(isStreaming).forEach(follow);
    clearBusyFailure();
  }

  let healthReadAt = 0;

  function readHealth() {
    healthReadAt = Date.now();
    return refreshHealth();
  }

  /** Reads the newest turns, and the health where it may have changed. */
  async function refresh() {
    const { ready, connection } = get();
    try {
      // Its banners stand above the conversation: if they came later, they would push it down.
      if (!ready) await Promise.race([readHealth(), pause(HEALTH_MS)]);
      await read(ready ? POLL : PAGE);
      const remote = session.includes("@"); // its connection may break at any time, also during an answer
      const stale = connection === "lost" || remote || !get().health?.ok || Date.now() > healthReadAt + HEALTH_EVERY_MS;
      if (ready && stale) await readHealth();
    } catch (error) {
      fail(error, true);
    }
  }

  /**
   * Shows earlier turns: first those that were read already, then more from the daemon.
   * @returns {Promise<boolean>} whether there were any
   */
  async function loadEarlier() {
    const { turns, beganAt, showEarlier, hasMore } = get();
    if (!showEarlier && turns.some((turn) => askedAt(turn.id) <= beganAt)) {
      set({ showEarlier: true });
      return true;
    }
    const oldest = turns[0];
    if (!hasMore || !oldest) return false;
    try {
      const page = await api.history(session, PAGE, { before: oldest.id });
      set({ turns: mergeHistory(get().turns, page.turns), hasMore: page.has_more, showEarlier: true });
      return page.turns.length > 0;
    } catch (error) {
      fail(error);
      return false;
    }
  }

  /**
   * Brings one turn into sight, and reads the history back to it first.
   * @param {string} id
   */
  async function reveal(id) {
    const isRead = () => get().turns.some((turn) => turn.id === id);
    try {
      while (!isRead() && get().hasMore && id < (get().turns[0]?.id ?? "")) {
        const page = await api.history(session, LARGE_PAGE, { before: get().turns[0]?.id });
        set({ turns: mergeHistory(get().turns, page.turns), hasMore: page.has_more });
      }
      if (!isRead()) return fail(new ApiError(404, { code: "unknown_turn" }));
      set({ revealId: id, showEarlier: get().showEarlier || askedAt(id) <= get().beganAt });
    } catch (error) {
      fail(error);
    }
  }

  return { refresh, loadEarlier, reveal, readNewest: () => read(POLL) };
}

/** @param {number} ms */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
