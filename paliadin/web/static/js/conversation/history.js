/**
 * Reads the conversation from the daemon: what is new, what came before, one turn of long ago.
 */
import { ApiError } from "./api.js";
import { askedAt, isRunning, mergeHistory } from "./turns.js";

const PAGE = 30;
const FAR = 200;
const GLANCE = 5;
const HEALTH_MS = 500;
const HEALTH_EVERY_MS = 30_000;

/**
 * @param {import("./talk.js").Talk} talk
 * @param {(turn: import("./types.js").Turn) => void} follow
 */
export function createReader({ api, session, get, set, fail, refreshHealth, forgetBusy }, follow) {
  /**
   * Reads what is new, such as a turn begun in the terminal or in another window, and follows what runs.
   * @param {number} limit
   */
  async function read(limit) {
    const page = await api.history(session, limit);
    const { turns, ready, hasMore, since, showEarlier } = get();
    const gap = ready && page.has_more && !page.turns.some((item) => turns.some((turn) => turn.id === item.turn_id));
    if (gap && limit < PAGE) return read(PAGE);
    set({
      turns: mergeHistory(gap ? [] : turns, page.turns),
      hasMore: ready && !gap ? hasMore : page.has_more,
      since: page.since,
      showEarlier: showEarlier && page.since === since,
      ready: true,
      signedIn: true,
      link: "ok",
    });
    get().turns.filter(isRunning).forEach(follow);
    forgetBusy();
  }

  let lookedAt = 0;

  function lookAtHealth() {
    lookedAt = Date.now();
    return refreshHealth();
  }

  async function refresh() {
    const { ready, link } = get();
    try {
      // What health says stands above the conversation: later it would push it down.
      if (!ready) await Promise.race([lookAtHealth(), pause(HEALTH_MS)]);
      await read(ready ? GLANCE : PAGE);
      const away = session.includes("@"); // its line may break at any time, in the middle of an answer too
      const doubt = link === "lost" || away || !get().health?.ok || Date.now() > lookedAt + HEALTH_EVERY_MS;
      if (ready && doubt) await lookAtHealth();
    } catch (error) {
      fail(error, true);
    }
  }

  /**
   * Shows what came before: first what is at hand, then more from the server.
   * @returns {Promise<boolean>} whether there was more
   */
  async function earlier() {
    const { turns, since, showEarlier, hasMore } = get();
    if (!showEarlier && turns.some((turn) => askedAt(turn.id) <= since)) {
      set({ showEarlier: true });
      return true;
    }
    const oldest = turns[0];
    if (!hasMore || !oldest) return false;
    try {
      const page = await api.history(session, PAGE, oldest.id);
      set({ turns: mergeHistory(get().turns, page.turns), hasMore: page.has_more, showEarlier: true });
      return page.turns.length > 0;
    } catch (error) {
      fail(error);
      return false;
    }
  }

  /**
   * Shows one turn, however long ago it was.
   * @param {string} id
   */
  async function reveal(id) {
    const known = () => get().turns.some((turn) => turn.id === id);
    try {
      while (!known() && get().hasMore && id < (get().turns[0]?.id ?? "")) {
        const page = await api.history(session, FAR, get().turns[0]?.id);
        set({ turns: mergeHistory(get().turns, page.turns), hasMore: page.has_more });
      }
      if (!known()) return fail(new ApiError(404, { code: "unknown_turn" }));
      set({ target: id, showEarlier: get().showEarlier || askedAt(id) <= get().since });
    } catch (error) {
      fail(error);
    }
  }

  return { refresh, earlier, reveal, glance: () => read(GLANCE) };
}

/** @param {number} ms */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
