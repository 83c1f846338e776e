/**
 * Everything that the user can do in a conversation. Only the modules of this folder call the daemon and change the
 * state.
 *
 * @typedef {import("../types.js").ReplyBody} ReplyBody
 * @typedef {import("../types.js").Attachment} Attachment
 * @typedef {ReturnType<typeof createConversation>} Conversation
 */
import { ApiError } from "../daemon/api.js";
import { asShown } from "../state/question-text.js";
import { newTurn } from "../state/turn.js";
import { isLocal, isRunning, LOCAL_ID, putTurn, runningTurn } from "../state/turns.js";
import { createConversationStore } from "./conversation-store.js";
import { createKeptTurns, keepsWords, told } from "./kept-turns.js";
import { createHistory } from "./history.js";
import { createLiveTurns } from "./live-turns.js";
import { createQueue } from "./queue.js";

/**
 * @param {object} options
 * @param {import("../daemon/api.js").Api} options.api
 * @param {string} options.session
 * @param {import("./attachments.js").Attachments} options.attachments the files for the next question
 * @param {import("../browser/settings.js").Settings} options.settings
 * @param {() => import("../types.js").PageContext|null} [options.context] called for each question
 * @param {Partial<import("../types.js").State>} [options.known] the snapshot of one of this session
 * @param {() => void} [options.retry] connects the page's lost stream at once
 */
export function createConversation({
  api,
  session,
  attachments,
  settings,
  context = () => null,
  known,
  retry = () => {},
}) {
  const kept = createKeptTurns(settings, session);
  const store = createConversationStore(api, session, known);
  const { get, set, update, fail } = store;
  const live = createLiveTurns(store);
  const { refresh, keepUp, version, loadEarlier, reveal } = createHistory(store, kept);
  const queue = createQueue(store, live, refresh);
  let count = 0;
  /** The turn that was to be stopped while there was no connection. */
  let unstopped = "";
  store.listen((state) => keepsWords(state) || kept.keep(state.turns));

  /**
   * Sends a question: it begins, or waits for its turn behind others.
   * @param {string} text
   * @param {Attachment[]} [files] they go with it
   * @param {boolean} [asText] it is no command, although it begins with a slash
   * @returns {Promise<boolean>} whether the daemon took it
   */
  function send(text, files = [], asText = false) {
    const question = text || files.map(({ name }) => name).join(", "); // as the daemon will have it
    const { turns, queue: waiting } = get();
    const mustWait = runningTurn(turns) || (waiting.turns.length > 0 && !waiting.held);
    set({ failedAction: null });
    return mustWait ? enqueue(question, files, asText) : begin(question, files, asText);
  }

  /**
   * @param {string} question
   * @param {Attachment[]} files
   * @param {boolean} asText
   */
  async function enqueue(question, files, asText) {
    const shown = queue.add(asShown(question), files);
    try {
      const { turn_id, queued } = await api.ask(session, question, context(), {
        queue: true,
        attachments: files.map(idOf),
        asText,
        history: history(),
      });
      if (queued) shown.taken(turn_id);
      else beginsAtOnce(newTurn(turn_id, asked(question, files)), shown);
      return true;
    } catch (error) {
      shown.refused();
      fail(error);
      return false;
    }
  }

  /** What was said before, for a daemon that keeps nothing of it. */
  const history = () => (keepsWords(get()) ? undefined : told(get().turns, get().forgotAt));

  /**
   * @param {import("../types.js").Turn} turn
   * @param {ReturnType<typeof queue.add>} shown
   */
  function beginsAtOnce(turn, shown) {
    shown.refused();
    follow(turn);
  }

  /**
   * Shows a turn that the daemon has taken. The history may have told of it before the daemon's word came: then what
   * its stream has shown stays.
   * @param {import("../types.js").Turn} turn
   */
  function follow(turn) {
    const { turns } = get();
    set({ turns: turns.some(({ id }) => id === turn.id) ? turns : putTurn(turns, turn), connection: "ok" });
    live.release();
  }

  /**
   * @param {string} question
   * @param {Attachment[]} files
   * @param {boolean} asText
   */
  async function begin(question, files, asText) {
    const shown = asked(question, files);
    const local = newTurn(`${LOCAL_ID}${++count}`, { ...shown, phase: "sending" });
    set({ turns: putTurn(get().turns, local) });
    const remove = () => set({ turns: get().turns.filter((turn) => turn.id !== local.id) });
    // It is to begin now, also where questions wait since Stop or an error.
    const mayWait = get().queue.turns.length === 0;
    try {
      const { turn_id, queued } = await api.ask(session, question, context(), {
        queue: mayWait,
        attachments: files.map(idOf),
        asText,
        history: history(),
      });
      const isStopped = get().turns.some(({ id, phase }) => id === local.id && phase === "stopping");
      remove();
      if (queued) {
        queue.add(local.question, files).taken(turn_id); // one runs of which this page has not heard
        await refresh();
        return true;
      }
      follow(newTurn(turn_id, { ...shown, key: local.key }));
      if (isStopped) stop();
      return true;
    } catch (error) {
      remove();
      live.release();
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
    if (!isLocal(running)) await abort(running.id);
  }

  /** @param {string} id of a turn; without a connection it is stopped when there is one again */
  async function abort(id) {
    try {
      await api.abort(id);
    } catch (error) {
      if (error instanceof ApiError && error.status === 0) unstopped = id;
      else update(id, (turn) => (isRunning(turn) ? { ...turn, phase: "running" } : turn));
      // If it has ended in the meantime, there is nothing to report.
      if (get().turns.some((turn) => turn.id === id && isRunning(turn))) fail(error);
    }
  }

  function stopWhatIsLeft() {
    const id = unstopped;
    unstopped = "";
    if (get().turns.some((turn) => turn.id === id && isRunning(turn))) void abort(id);
  }

  /** @returns {Promise<boolean>} whether Claude has replaced what was said by a summary */
  async function compact() {
    set({ failedAction: null });
    try {
      await api.compact(session);
      return true;
    } catch (error) {
      fail(error);
      return false;
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
    attachments,
    listen: store.listen,
    get,
    refresh,
    /** What the page's stream tells of this conversation, and what the page has of it. */
    stream: {
      take: live.take,
      keepUp,
      takeHealth: store.takeHealth,
      /** @param {boolean} isWhole what Claude is at comes with it */
      open(isWhole) {
        if (get().connection === "lost") set({ connection: "ok" });
        if (!get().signedIn) void refresh();
        if (isWhole) live.forgetActivity();
        stopWhatIsLeft();
      },
      lose: () => set({ connection: "lost" }),
      /** @param {ApiError} error */
      refuse: (error) => fail(error, true),
      /** @returns {Record<string, string>} */
      known: () => ({ session_id: session, after: live.after(), state: version(), health: store.healthVersion() }),
      isHealthRead: store.isHealthRead,
    },
    send,
    stop,
    queue: { edit: queue.edit, withdraw: queue.withdraw, goOn: queue.goOn },
    loadEarlier,
    reply,
    rate,
    compact,
    /** Tries again at once after a lost connection. */
    reconnect() {
      retry();
      return refresh();
    },
    reveal,
    /** @param {string} words */
    search: (words) => api.search(session, words),
    /** How its Claude is, and the screen of its terminal. */
    look: () => api.conversation(session),
    access: { list: api.access, signOut: api.signOut, signOutBrowser: api.signOutBrowser },
    /** The revealed turn has been scrolled to. */
    finishReveal: () => set({ revealId: "" }),
    refreshHealth: store.refreshHealth,
    /**
     * Does what was asked for in a part's piece of the page, and says above the input why that failed.
     * @param {() => Promise<unknown>} work
     * @returns {Promise<import("../types.js").Health|null>} the report from after it
     */
    async act(work) {
      try {
        await work();
        set({ failedAction: null });
      } catch (error) {
        fail(error);
      }
      await store.refreshHealth();
      return store.get().health;
    },
    dismissFailure: () => set({ failedAction: null }),
    snapshot: store.snapshot,
    /** Aborted when the conversation is closed. */
    signal: store.signal,
    /** Ends its streams; nothing of it changes any more. */
    close: store.close,
  };
}

/** @param {Attachment} attachment */
const idOf = ({ id }) => id;

/**
 * What is known of a turn when its question is sent.
 * @param {string} question
 * @param {Attachment[]} files
 */
const asked = (question, files) => ({ question: asShown(question), attachments: files, startedAt: Date.now() });
