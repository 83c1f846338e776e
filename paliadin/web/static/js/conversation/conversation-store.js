/**
 * Holds the state of one conversation, with the daemon's health, failed actions and whether the connection is lost.
 *
 * @typedef {import("../types.js").State} State
 * @typedef {import("../types.js").Turn} Turn
 * @typedef {ReturnType<typeof createConversationStore>} ConversationStore
 */
import { ApiError } from "../daemon/api.js";
import { createStore } from "../state/store.js";
import { isLocal, runningTurn, updateTurn } from "../state/turns.js";

/** @type {State} */
const INITIAL = {
  ready: false,
  signedIn: true,
  connection: "ok",
  turns: [],
  hasMore: false,
  readTo: "",
  queue: { held: null, turns: [] },
  missing: false,
  forgotAt: 0,
  revealId: "",
  health: null,
  failedAction: null,
};

/** The codes of errors by which a conversation is not there. */
const GONE = ["unknown_session", "conversation_deleted"];

/**
 * Whether there is no such conversation. An action in one that is about to begin anew fails, and says that.
 * @param {ApiError} error
 * @param {boolean} background
 */
const isMissing = ({ failure }, background) =>
  GONE.includes(failure.code) && (background || failure.code === "unknown_session");

/**
 * @param {import("../daemon/api.js").Api} api
 * @param {string} session
 * @param {Partial<State>} [known] of a conversation that was open before
 */
export function createConversationStore(api, session, known) {
  const store = createStore({ ...INITIAL, ...known });
  const closing = new AbortController();

  /**
   * Nothing changes any more once the conversation is closed: whoever still waits for the daemon waits in vain.
   * @param {Partial<State>} change
   */
  const set = (change) => closing.signal.aborted || store.set(change);

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
    if (error.status === 401) set({ signedIn: false, ready: true });
    else if (error.status === 0) set({ connection: "lost" });
    else if (isMissing(error, background)) set({ missing: true, ready: true });
    else if (!background || !store.get().ready) set({ failedAction: error.failure, ready: true });
  }

  /** Of the health that the stream has told last; "" for one that was read. */
  let healthVersion = "";
  /** Another health was read than the stream has told. */
  let isHealthRead = false;

  async function refreshHealth() {
    try {
      const health = await api.health(session);
      // An equal object would draw the same banners anew, and a screen reader would read them out again.
      if (JSON.stringify(health) === JSON.stringify(store.get().health)) return;
      isHealthRead = healthVersion !== "";
      healthVersion = "";
      set({ health });
    } catch (error) {
      fail(error, true);
    }
  }

  /** @param {{version: string, report: import("../types.js").Health}} pushed */
  function takeHealth({ version, report }) {
    healthVersion = version;
    isHealthRead = false;
    if (JSON.stringify(report) !== JSON.stringify(store.get().health)) set({ health: report });
  }

  /** Takes back the failure "another question is still being answered" once none is. */
  function clearBusyFailure() {
    const { failedAction, turns } = store.get();
    if (failedAction?.code === "turn_in_flight" && !runningTurn(turns)) set({ failedAction: null });
  }

  /** What a later one of this session begins with: what is on its way is not among it. */
  function snapshot() {
    const { turns, ...state } = store.get();
    return { ...state, turns: turns.filter((turn) => !isLocal(turn)), failedAction: null, revealId: "" };
  }

  const { get, listen } = store;
  const { signal } = closing;
  const close = () => closing.abort();
  return {
    api,
    session,
    get,
    set,
    listen,
    update,
    fail,
    refreshHealth,
    takeHealth,
    /** Called when a stream is opened, which will tell another one. */
    healthVersion() {
      isHealthRead = false;
      return healthVersion;
    },
    isHealthRead: () => isHealthRead,
    clearBusyFailure,
    snapshot,
    signal,
    close,
  };
}
