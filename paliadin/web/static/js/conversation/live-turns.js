/**
 * Applies the events of the turns that the page follows to the state. All of them come over the page's one stream.
 * @typedef {import("../types.js").Turn} Turn
 * @typedef {import("../types.js").StreamEvent} StreamEvent
 */
import { applyEvent, newTurn } from "../state/turn.js";
import { isLocal, isStreaming, putTurn } from "../state/turns.js";

/**
 * @param {import("../types.js").Queue} queue
 * @param {string} id
 * @returns {import("../types.js").Queue}
 */
export const withoutQueued = (queue, id) => ({ ...queue, turns: queue.turns.filter((turn) => turn.turn_id !== id) });

/** @param {import("./conversation-store.js").ConversationStore} store */
export function createLiveTurns({ get, set, update, refreshHealth, clearBusyFailure }) {
  /** Events of turns that may be the question that is on its way. @type {StreamEvent[]} */
  let held = [];

  /** Whether the daemon has not said yet which turn a question has become. */
  const isSending = () =>
    get().turns.some(isLocal) || get().queue.turns.some(({ turn_id }) => isLocal({ id: turn_id }));

  /** @param {string} id */
  const isKnown = (id) =>
    get().turns.some((turn) => turn.id === id) || get().queue.turns.some(({ turn_id }) => turn_id === id);

  /** @param {StreamEvent} event of a turn */
  function take(event) {
    release();
    if (isSending() && !isKnown(event.turn)) held.push(event);
    else if (event.event === "gone") endGone(event.turn);
    else apply(event.turn, event);
  }

  /** Applies what was held back, once no question is on its way. */
  function release() {
    if (held.length === 0 || isSending()) return;
    const events = held;
    held = [];
    events.forEach(take);
  }

  /**
   * @param {string} id
   * @param {StreamEvent} event
   */
  function apply(id, event) {
    const before = beginQueued(id);
    if (before.phase === "done") return;
    update(id, (turn) => applyEvent(turn, event));
    const begins = event.event === "status" && before.status === null;
    if (begins && !get().health?.ok) refreshHealth(); // "Claude is starting" is no longer true
    if (!["answered", "end", "error"].includes(event.event)) return;
    clearBusyFailure();
    if (event.event === "error") refreshHealth();
  }

  /**
   * Makes a question that waited the running turn. Of one that is known no more the history tells later what was asked:
   * the stream brings each event once.
   * @param {string} id
   */
  function beginQueued(id) {
    const { queue, turns } = get();
    const queued = queue.turns.find((turn) => turn.turn_id === id);
    const known = turns.find((turn) => turn.id === id);
    if (!queued && known) return known;
    const question = queued?.user_message ?? "";
    const turn = known ?? newTurn(id, { question, isFromQueue: true, startedAt: Date.now() });
    set({ turns: known ? turns : putTurn(turns, turn), queue: withoutQueued(queue, id) });
    return turn;
  }

  /** @param {string} id of a turn that the daemon does not know */
  function endGone(id) {
    const { queue } = get();
    if (queue.turns.some((turn) => turn.turn_id === id)) return set({ queue: withoutQueued(queue, id) });
    const data = { code: "gone", retryable: true };
    update(id, (turn) => applyEvent(turn, { id: null, event: "error", data }));
  }

  return {
    take,
    release,
    /** The turns that are not over, each with the number of its last event. @returns {string} */
    after: () =>
      get()
        .turns.filter((turn) => isStreaming(turn) && !isLocal(turn))
        .map((turn) => `${turn.id}:${turn.lastEventId}`)
        .join(","),
    /** What Claude is at in a turn may have changed while nothing was heard of it. */
    forgetActivity() {
      for (const { id, activity } of get().turns) if (activity) update(id, (turn) => ({ ...turn, activity: null }));
    },
  };
}
