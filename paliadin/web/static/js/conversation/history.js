/**
 * Reads turns from the daemon's history: the newest ones, earlier ones, or all back to a given turn.
 * @typedef {import("../types.js").HistoryPage} HistoryPage
 * @typedef {import("../types.js").Turn} Turn
 */
import { ApiError } from "../daemon/api.js";
import { isLocal, isStreaming, isUntold, mergeHistory, withoutGone } from "../state/turns.js";

/** How many turns are read at once: of a conversation, back to a given turn, and when something has changed. */
const PAGE = 20;
const LARGE_PAGE = 200;
const NEWEST = 5;
/** How long the first reading waits for the health. */
const HEALTH_MS = 500;
/** Until a reading that failed is tried again. */
const AGAIN_MS = 5_000;
/** In place of the version of a conversation that is not there. */
const MISSING = "missing";

/** @type {import("../types.js").Queue} */
const NO_QUEUE = { held: null, turns: [] };

/**
 * @param {import("./conversation-store.js").ConversationStore} store
 * @param {import("./kept-turns.js").KeptTurns} kept
 */
export function createHistory({ api, session, get, set, fail, refreshHealth, clearBusyFailure, signal }, kept) {
  /** The version of what was read last. */
  let readVersion = "";
  /** The one that the daemon has told of, if that was not read yet. */
  let newest = "";
  let isKeepingUp = false;
  /** The reading that is on its way, and the one after it: two at once could come in the other order. */
  let reading = Promise.resolve(true);
  /** @type {Promise<boolean>|null} */
  let next = null;

  /**
   * Reads the newest turns, such as one that began in the terminal or in another window.
   * What the page showed is gone if the conversation was deleted meanwhile, and has begun anew.
   * @param {number} limit
   * @param {Promise<void>} [health] is shown before the turns
   */
  async function read(limit, health) {
    const { queue: queueBefore, turns: before, missing: wasMissing } = get();
    const known = before
      .slice(wasMissing ? before.length : -limit)
      .filter((turn) => turn.question && !turn.isFromQueue && !isUntold(turn))
      .map((turn) => turn.id);
    const page = await api.history(session, limit, { known });
    await health;
    const anew = wasMissing || (await hasBegunAnew(before, page));
    const { turns, ready, hasMore, readTo, queue } = get();
    if (queue !== queueBefore) return read(limit); // the user has changed it meanwhile: what was read is the older one
    // Not by the turns that are shown: the stream has brought some of them.
    const ids = [...(page.known ?? []), ...page.turns.map(({ turn_id }) => turn_id)].sort();
    const [first = "", last = ""] = [ids[0], ids.at(-1)];
    const gap = ready && page.has_more && first > readTo;
    if (gap && limit < PAGE) return read(PAGE);
    const rest = gap ? turns.filter(({ id }) => id >= first) : turns;
    const merged = mergeHistory(anew ? withoutGone(turns, before) : rest, page.turns);
    set({
      turns: kept.fill(merged),
      hasMore: ready && !gap && !anew ? hasMore : page.has_more,
      readTo: last,
      forgotAt: page.since,
      queue: mergeQueue(queue, page.queue ?? NO_QUEUE, merged),
      missing: false,
      ready: true,
      signedIn: true,
      connection: "ok",
    });
    readVersion = page.version ?? "";
    clearBusyFailure();
  }

  /**
   * Whether nothing of what was shown is in the whole history. Without its database the daemon knows only the last
   * turns: others are not gone.
   * @param {Turn[]} before
   * @param {HistoryPage} page
   */
  async function hasBegunAnew(before, page) {
    if (page.has_more || before.every(isStreaming) || meets(page, before)) return false;
    await refreshHealth();
    return Boolean(get().health?.parts?.every(({ name, ok }) => ok || name !== "database"));
  }

  /**
   * Reads the newest turns, and the health if nothing was read yet, as they are from now on.
   * @returns {Promise<boolean>} whether it is known now how the conversation is
   */
  function refresh() {
    const begin = () => {
      next = null;
      return (reading = readNewest());
    };
    return (next ??= reading.then(begin, begin));
  }

  async function readNewest() {
    const { ready, missing } = get();
    try {
      // Its banners stand above the conversation: if they came later, they would push it down.
      const health = ready ? undefined : Promise.race([refreshHealth(), pause(HEALTH_MS)]);
      await read(ready && !missing ? NEWEST : PAGE, health);
      return true;
    } catch (error) {
      fail(error, true);
      readVersion = get().missing ? MISSING : ""; // what is shown may be no version at all
      return get().missing;
    }
  }

  /**
   * Reads the newest turns until they are those of the version that the daemon has told of.
   * @param {string} version
   */
  async function keepUp(version) {
    newest = version;
    if (isKeepingUp) return;
    isKeepingUp = true;
    while (newest && newest !== readVersion && !signal.aborted) {
      const wanted = newest;
      newest = "";
      if (!(await refresh())) {
        newest ||= wanted;
        await pause(AGAIN_MS);
      }
    }
    isKeepingUp = false;
  }

  /**
   * Reads earlier turns.
   * @returns {Promise<boolean>} whether there were any
   */
  async function loadEarlier() {
    const { turns, hasMore } = get();
    const oldest = turns[0];
    if (!hasMore || !oldest) return false;
    try {
      const page = await api.history(session, PAGE, { before: oldest.id });
      set({ turns: kept.fill(mergeHistory(get().turns, page.turns)), hasMore: page.has_more });
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
        set({ turns: kept.fill(mergeHistory(get().turns, page.turns)), hasMore: page.has_more });
      }
      if (!isRead()) return fail(new ApiError(404, { code: "unknown_turn" }));
      set({ revealId: id });
    } catch (error) {
      fail(error);
    }
  }

  return { refresh, keepUp, version: () => readVersion, loadEarlier, reveal };
}

/**
 * Takes over what waits, without those that have begun since it was read; what is on its way to the daemon stays last.
 * @param {import("../types.js").Queue} before
 * @param {import("../types.js").Queue} now
 * @param {import("../types.js").Turn[]} turns
 * @returns {import("../types.js").Queue} the same object if it is the same queue
 */
function mergeQueue(before, now, turns) {
  const waiting = now.turns.filter(({ turn_id }) => !turns.some((turn) => turn.id === turn_id));
  const merged = {
    held: now.held,
    turns: [...waiting, ...before.turns.filter(({ turn_id }) => isLocal({ id: turn_id }))],
  };
  return JSON.stringify(merged) === JSON.stringify(before) ? before : merged;
}

/**
 * Whether some of these turns are in a page of the history.
 * @param {HistoryPage} page
 * @param {Turn[]} turns
 */
const meets = ({ known, turns: items }, turns) =>
  Boolean(known?.length) || items.some((item) => turns.some((turn) => turn.id === item.turn_id));

/** @param {number} ms */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
