/**
 * What the user can do, and what the server tells: the only place that talks to the daemon and changes the state.
 *
 * @typedef {import("./types.js").State} State
 * @typedef {import("./types.js").Turn} Turn
 * @typedef {import("./types.js").AnswerBody} AnswerBody
 * @typedef {import("./types.js").StreamEvent} StreamEvent
 * @typedef {ReturnType<typeof createConversation>} Conversation
 */
import { ApiError } from "./api.js";
import { applyEvent, newTurn } from "./state.js";
import { createStore } from "./store.js";
import { followTurn } from "./stream.js";
import { LOCAL, askedAt, isRunning, mergeHistory, putTurn, runningTurn, updateTurn } from "./turns.js";

const PAGE = 30;
const FAR = 200;
const GLANCE = 5;
const STOP_MS = 15_000;
const HEALTH_MS = 500;
const FREE_MS = 200;
const FREE_TRIES = 10;

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
 * @param {object} options
 * @param {import("./api.js").Api} options.api
 * @param {string} options.session
 * @param {() => import("./types.js").PageContext|null} [options.context] what the asker looks at, asked for at each question
 * @param {"page"|"widget"} [options.origin]
 */
export function createConversation({ api, session, context = () => null, origin = "page" }) {
  const store = createStore(INITIAL);
  /** @type {Map<string, ReturnType<typeof followTurn>>} */
  const streams = new Map();
  let sent = 0;

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
      const health = await api.health();
      // The same banner put up again would be read out again.
      if (JSON.stringify(health) !== JSON.stringify(store.get().health)) store.set({ health });
    } catch (error) {
      fail(error, true);
    }
  }

  /**
   * Reads what is new, such as a turn begun in the terminal or in another window, and follows what runs.
   * @param {number} limit
   */
  async function read(limit) {
    const page = await api.history(session, limit);
    const { turns, ready, hasMore, since, showEarlier } = store.get();
    const gap = ready && page.has_more && !page.turns.some((item) => turns.some((turn) => turn.id === item.turn_id));
    if (gap && limit < PAGE) return read(PAGE);
    store.set({
      turns: mergeHistory(gap ? [] : turns, page.turns),
      hasMore: ready && !gap ? hasMore : page.has_more,
      since: page.since,
      showEarlier: showEarlier && page.since === since,
      ready: true,
      signedIn: true,
      link: "ok",
    });
    store.get().turns.filter(isRunning).forEach(follow);
    forgetBusy();
  }

  /** "Another question is being answered" holds as long as one is. */
  function forgetBusy() {
    const { problem, turns } = store.get();
    if (problem?.code === "turn_in_flight" && !runningTurn(turns)) store.set({ problem: null });
  }

  async function refresh() {
    const { ready, link } = store.get();
    try {
      // What health says stands above the conversation: later it would push it down.
      if (!ready) await Promise.race([refreshHealth(), pause(HEALTH_MS)]);
      await read(ready ? GLANCE : PAGE);
      if (ready && (link === "lost" || !store.get().health?.ok)) await refreshHealth();
    } catch (error) {
      fail(error, true);
    }
  }

  /** @param {Turn} turn */
  function follow({ id, seen }) {
    if (streams.has(id) || id.startsWith(LOCAL)) return;
    const stream = followTurn(api, id, seen, {
      onEvent: (event) => take(id, event),
      onLink: (link) => store.set({ link }),
      onRefused: (error) => refused(id, error),
    });
    streams.set(id, stream);
  }

  /**
   * @param {string} id
   * @param {StreamEvent} event
   */
  function take(id, event) {
    update(id, (turn) => applyEvent(turn, event));
    if (event.event !== "end" && event.event !== "error") return;
    streams.delete(id);
    forgetBusy();
    if (event.event === "error") refreshHealth();
  }

  /**
   * @param {string} id
   * @param {ApiError} error
   */
  function refused(id, error) {
    streams.delete(id);
    if (error.status === 401) return fail(error);
    const data = error.status === 404 ? { code: "gone", retryable: true } : error.failure;
    update(id, (turn) => applyEvent(turn, { id: null, event: "error", data }));
  }

  /**
   * The stream may tell of a turn's end a moment before the server has put the turn away.
   * @template Result
   * @param {() => Promise<Result>} call
   * @returns {Promise<Result>}
   */
  async function onceFree(call) {
    for (let left = FREE_TRIES; ; left -= 1) {
      try {
        return await call();
      } catch (error) {
        const over = error instanceof ApiError && store.get().turns.some((turn) => turn.id === error.turnId && !isRunning(turn));
        if (!over || left === 0) throw error;
        await pause(FREE_MS);
      }
    }
  }

  /**
   * @param {string} question
   * @returns {Promise<boolean>} whether the server took it
   */
  async function send(question) {
    if (runningTurn(store.get().turns)) return false;
    const asked = context();
    const local = newTurn(`${LOCAL}${++sent}`, { question, startedAt: Date.now(), phase: "sending" });
    store.set({ turns: putTurn(store.get().turns, local), problem: null });
    const drop = () => store.get().turns.filter((turn) => turn !== local);
    try {
      const { turn_id } = await onceFree(() => api.ask(session, question, asked, origin));
      const turn = newTurn(turn_id, { key: local.key, question, startedAt: local.startedAt });
      store.set({ turns: putTurn(drop(), turn), link: "ok" });
      follow(turn);
      return true;
    } catch (error) {
      store.set({ turns: drop() });
      fail(error);
      if (error instanceof ApiError && error.turnId) await refresh();
      return false;
    }
  }

  async function stop() {
    const running = runningTurn(store.get().turns);
    if (running?.phase !== "running") return;
    update(running.id, (turn) => ({ ...turn, phase: "stopping" }));
    try {
      await api.abort(running.id);
    } catch (error) {
      // It may have ended in the meantime, which is what was wanted.
      update(running.id, (turn) => (isRunning(turn) ? { ...turn, phase: "running" } : turn));
      if (store.get().turns.some((turn) => turn.id === running.id && isRunning(turn))) fail(error);
    }
  }

  /** @returns {Promise<void>} when no turn runs any more, or after a while in any case */
  function idle() {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        unlisten();
        resolve();
      };
      const timer = setTimeout(done, STOP_MS);
      let unlisten = () => {};
      unlisten = store.listen(({ turns }) => runningTurn(turns) || queueMicrotask(done));
    });
  }

  async function reset() {
    if (runningTurn(store.get().turns)) {
      await stop();
      await idle();
    }
    try {
      await onceFree(() => api.reset(session));
      store.set({ problem: null });
      await read(GLANCE);
    } catch (error) {
      fail(error);
    }
  }

  /**
   * Shows what came before: first what is at hand, then more from the server.
   * @returns {Promise<boolean>} whether there was more
   */
  async function earlier() {
    const { turns, since, showEarlier, hasMore } = store.get();
    if (!showEarlier && turns.some((turn) => askedAt(turn.id) <= since)) {
      store.set({ showEarlier: true });
      return true;
    }
    const oldest = turns[0];
    if (!hasMore || !oldest) return false;
    try {
      const page = await api.history(session, PAGE, oldest.id);
      store.set({ turns: mergeHistory(store.get().turns, page.turns), hasMore: page.has_more, showEarlier: true });
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
    const known = () => store.get().turns.some((turn) => turn.id === id);
    try {
      while (!known() && store.get().hasMore && id < (store.get().turns[0]?.id ?? "")) {
        const page = await api.history(session, FAR, store.get().turns[0]?.id);
        store.set({ turns: mergeHistory(store.get().turns, page.turns), hasMore: page.has_more });
      }
      if (!known()) return fail(new ApiError(404, { code: "unknown_turn" }));
      store.set({ target: id, showEarlier: store.get().showEarlier || askedAt(id) <= store.get().since });
    } catch (error) {
      fail(error);
    }
  }

  /**
   * @param {string} turnId
   * @param {AnswerBody} body
   * @returns {Promise<boolean>} whether it arrived; the card goes when the stream says so
   */
  async function answer(turnId, body) {
    try {
      await api.answer(turnId, body);
      return true;
    } catch (error) {
      fail(error);
      return false;
    }
  }

  /**
   * @param {string} id
   * @param {import("./types.js").Feedback} feedback
   * @returns {Promise<boolean>} whether it is kept
   */
  async function rate(id, feedback) {
    try {
      await api.rate(id, feedback);
      update(id, (turn) => ({ ...turn, feedback }));
      return true;
    } catch (error) {
      fail(error);
      return false;
    }
  }

  return {
    session,
    listen: store.listen,
    get: store.get,
    refresh,
    send,
    stop,
    reset,
    earlier,
    answer,
    rate,
    /** Tries again at once instead of at the next time that was set. */
    reconnect() {
      streams.forEach((stream) => stream.retry());
      return refresh();
    },
    reveal,
    /** @param {string} words */
    search: (words) => api.search(session, words),
    sessions: api.sessions,
    makeSession: api.makeSession,
    arrived: () => store.set({ target: "" }),
    dismiss: () => store.set({ problem: null }),
  };
}

/** @param {number} ms */
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
