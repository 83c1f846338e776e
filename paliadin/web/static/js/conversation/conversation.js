/**
 * Everything that the user can do in a conversation. Only the modules of this folder call the daemon and change the
 * state.
 *
 * @typedef {import("../types.js").ReplyBody} ReplyBody
 * @typedef {ReturnType<typeof createConversation>} Conversation
 */
import { ApiError } from "../daemon/api.js";
import { newTurn } from "../state/turn.js";
import { isLocal, isRunning, LOCAL_ID, putTurn, runningTurn } from "../state/turns.js";
import { createConversationStore } from "./conversation-store.js";
import { createHistory } from "./history.js";
import { createLiveTurns } from "./live-turns.js";

/** How long a new conversation waits for the running turn to stop. */
const STOP_MS = 15_000;

/**
 * @param {object} options
 * @param {import("../daemon/api.js").Api} options.api
 * @param {string} options.session
 * @param {() => import("../types.js").PageContext|null} [options.context] called for each question
 */
export function createConversation({ api, session, context = () => null }) {
  const store = createConversationStore(api, session);
  const { get, set, update, fail } = store;
  const { follow, retryNow } = createLiveTurns(store);
  const { refresh, loadEarlier, reveal, readNewest } = createHistory(store, follow);
  let asked = 0;

  /**
   * Sends a question and follows its turn.
   * @param {string} question
   * @returns {Promise<boolean>} whether the daemon took it
   */
  async function send(question) {
    if (runningTurn(get().turns)) return false;
    const pageContext = context();
    const local = newTurn(`${LOCAL_ID}${++asked}`, { question, startedAt: Date.now(), phase: "sending" });
    set({ turns: putTurn(get().turns, local), failedAction: null });
    const withoutLocal = () => get().turns.filter((turn) => turn.id !== local.id);
    try {
      const { turn_id } = await api.ask(session, question, pageContext);
      const turn = newTurn(turn_id, { key: local.key, question, startedAt: local.startedAt });
      const isStopped = get().turns.some(({ id, phase }) => id === local.id && phase === "stopping");
      set({ turns: putTurn(withoutLocal(), turn), connection: "ok" });
      follow(turn);
      if (isStopped) stop();
      return true;
    } catch (error) {
      set({ turns: withoutLocal() });
      fail(error);
      if (error instanceof ApiError && error.turnId) await refresh();
      return false;
    }
  }

  /** Stops the running turn; one whose question is still on its way, as soon as the daemon has taken it. */
  async function stop() {
    const running = runningTurn(get().turns);
    if (!running || running.phase === "stopping") return;
    update(running.id, (turn) => ({ ...turn, phase: "stopping" }));
    if (isLocal(running)) return;
    try {
      await api.abort(running.id);
    } catch (error) {
      // If it has ended in the meantime, there is nothing to report.
      update(running.id, (turn) => (isRunning(turn) ? { ...turn, phase: "running" } : turn));
      if (get().turns.some((turn) => turn.id === running.id && isRunning(turn))) fail(error);
    }
  }

  /** @returns {Promise<void>} when no turn runs any more, or after STOP_MS */
  function whenIdle() {
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

  /** Begins a new conversation; a running turn is stopped first. */
  async function reset() {
    if (runningTurn(get().turns)) {
      await stop();
      await whenIdle();
    }
    try {
      await api.reset(session);
      set({ failedAction: null });
      await readNewest();
    } catch (error) {
      fail(error);
    }
  }

  /**
   * Sends the user's reply to an interrupt.
   * @param {string} turnId
   * @param {ReplyBody} body
   * @returns {Promise<boolean>} whether it arrived; the card goes when the stream says that the interrupt is over
   */
  async function reply(turnId, body) {
    try {
      await api.reply(turnId, body);
      return true;
    } catch (error) {
      fail(error);
      return false;
    }
  }

  /**
   * Records what the user thinks of an answer.
   * @param {string} id
   * @param {import("../types.js").Feedback} feedback
   * @returns {Promise<boolean>} whether the daemon recorded it
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
    get,
    refresh,
    send,
    stop,
    reset,
    loadEarlier,
    reply,
    rate,
    /** Tries again at once after a lost connection. */
    reconnect() {
      retryNow();
      return refresh();
    },
    reveal,
    /** @param {string} words */
    search: (words) => api.search(session, words),
    sessions: api.sessions,
    makeSession: api.makeSession,
    access: { list: api.access, signOut: api.signOut, signOutBrowser: api.signOutBrowser },
    /** The revealed turn has been scrolled to. */
    finishReveal: () => set({ revealId: "" }),
    dismissFailure: () => set({ failedAction: null }),
  };
}
