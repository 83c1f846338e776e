/**
 * What the user can do. With what it is made of (talk, reader, follower) the only place that talks to the daemon and
 * changes the state.
 *
 * @typedef {import("./types.js").AnswerBody} AnswerBody
 * @typedef {ReturnType<typeof createConversation>} Conversation
 */
import { ApiError } from "./api.js";
import { createFollower } from "./follower.js";
import { createReader } from "./reader.js";
import { newTurn } from "./state.js";
import { createTalk } from "./talk.js";
import { LOCAL, isRunning, putTurn, runningTurn } from "./turns.js";

const STOP_MS = 15_000;

/**
 * @param {object} options
 * @param {import("./api.js").Api} options.api
 * @param {string} options.session
 * @param {() => import("./types.js").PageContext|null} [options.context] what the asker looks at, asked for at each question
 * @param {"page"|"widget"} [options.origin]
 */
export function createConversation({ api, session, context = () => null, origin = "page" }) {
  const talk = createTalk(api, session);
  const { get, set, update, fail } = talk;
  const { follow, retry } = createFollower(talk);
  const { refresh, earlier, reveal, glance } = createReader(talk, follow);
  let sent = 0;

  /**
   * @param {string} question
   * @returns {Promise<boolean>} whether the server took it
   */
  async function send(question) {
    if (runningTurn(get().turns)) return false;
    const asked = context();
    const local = newTurn(`${LOCAL}${++sent}`, { question, startedAt: Date.now(), phase: "sending" });
    set({ turns: putTurn(get().turns, local), problem: null });
    const drop = () => get().turns.filter((turn) => turn !== local);
    try {
      const { turn_id } = await api.ask(session, question, asked, origin);
      const turn = newTurn(turn_id, { key: local.key, question, startedAt: local.startedAt });
      set({ turns: putTurn(drop(), turn), link: "ok" });
      follow(turn);
      return true;
    } catch (error) {
      set({ turns: drop() });
      fail(error);
      if (error instanceof ApiError && error.turnId) await refresh();
      return false;
    }
  }

  async function stop() {
    const running = runningTurn(get().turns);
    if (running?.phase !== "running") return;
    update(running.id, (turn) => ({ ...turn, phase: "stopping" }));
    try {
      await api.abort(running.id);
    } catch (error) {
      // It may have ended in the meantime, which is what was wanted.
      update(running.id, (turn) => (isRunning(turn) ? { ...turn, phase: "running" } : turn));
      if (get().turns.some((turn) => turn.id === running.id && isRunning(turn))) fail(error);
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
      unlisten = talk.listen(({ turns }) => runningTurn(turns) || queueMicrotask(done));
    });
  }

  async function reset() {
    if (runningTurn(get().turns)) {
      await stop();
      await idle();
    }
    try {
      await api.reset(session);
      set({ problem: null });
      await glance();
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
    listen: talk.listen,
    get,
    refresh,
    send,
    stop,
    reset,
    earlier,
    answer,
    rate,
    reconnect() {
      retry();
      return refresh();
    },
    reveal,
    /** @param {string} words */
    search: (words) => api.search(session, words),
    sessions: api.sessions,
    makeSession: api.makeSession,
    arrived: () => set({ target: "" }),
    dismiss: () => set({ problem: null }),
  };
}
