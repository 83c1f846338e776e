/**
 * Follows the running turns, each over a stream of its own, and applies their events to the state.
 * @typedef {import("../types.js").Turn} Turn
 * @typedef {import("../types.js").StreamEvent} StreamEvent
 */
import { openTurnStream } from "../daemon/turn-stream.js";
import { applyEvent, newTurn } from "../state/turn.js";
import { isLocal, putTurn } from "../state/turns.js";

/**
 * @param {import("../types.js").Queue} queue
 * @param {string} id
 * @returns {import("../types.js").Queue}
 */
export const withoutQueued = (queue, id) => ({ ...queue, turns: queue.turns.filter((turn) => turn.turn_id !== id) });

/**
 * @param {import("./conversation-store.js").ConversationStore} store
 * @param {() => void} onQueueMoves questions wait, and the turn before them has ended
 */
export function createLiveTurns(
  { api, get, set, update, fail, refreshHealth, clearBusyFailure, signal },
  onQueueMoves,
) {
  /** @type {Map<string, ReturnType<typeof openTurnStream>>} */
  const streams = new Map();

  /** @param {Turn} turn */
  const follow = (turn) => isLocal(turn) || open(turn.id, turn.lastEventId);

  /** Follows the first of the questions that wait: its stream is silent until its turn begins. */
  function followQueue() {
    const [first] = get().queue.turns;
    if (first && !isLocal({ id: first.turn_id })) open(first.turn_id, 0);
  }

  /**
   * @param {string} id
   * @param {number} lastEventId
   */
  function open(id, lastEventId) {
    if (streams.has(id) || signal.aborted) return;
    const stream = openTurnStream(api, id, lastEventId, {
      onEvent: (event) => apply(id, event),
      onConnection: (connection) => set({ connection }),
      onRefused: (error) => endRefused(id, error),
    });
    streams.set(id, stream);
  }

  /**
   * @param {string} id
   * @param {StreamEvent} event
   */
  function apply(id, event) {
    beginQueued(id);
    const begins = event.event === "status" && get().turns.find((turn) => turn.id === id)?.status === null;
    update(id, (turn) => applyEvent(turn, event));
    if (begins && !get().health?.ok) refreshHealth(); // "Claude is starting" is no longer true
    if (!["answered", "end", "error"].includes(event.event)) return;
    clearBusyFailure();
    if (event.event !== "answered") streams.delete(id);
    if (event.event === "error") refreshHealth();
    if (event.event !== "answered" && get().queue.turns.length > 0) onQueueMoves();
  }

  /**
   * Makes a question that waited the running turn. Of one that is known no more the history tells later what was asked:
   * its stream brings each event once.
   * @param {string} id
   */
  function beginQueued(id) {
    const { queue, turns } = get();
    const queued = queue.turns.find((turn) => turn.turn_id === id);
    const known = turns.some((turn) => turn.id === id);
    if (!queued && known) return;
    const turn = newTurn(id, { question: queued?.user_message ?? "", startedAt: Date.now() });
    set({ turns: known ? turns : putTurn(turns, turn), queue: withoutQueued(queue, id) });
    followQueue();
  }

  /**
   * @param {string} id
   * @param {import("../daemon/api.js").ApiError} error
   */
  function endRefused(id, error) {
    streams.delete(id);
    if (error.status === 401) return fail(error);
    const { queue } = get();
    if (queue.turns.some((turn) => turn.turn_id === id)) return set({ queue: withoutQueued(queue, id) });
    const data = error.status === 404 ? { code: "gone", retryable: true } : error.failure;
    update(id, (turn) => applyEvent(turn, { id: null, event: "error", data }));
  }

  signal.addEventListener("abort", () => streams.forEach((stream) => stream.stop()));

  return {
    follow,
    followQueue,
    /**
     * Ends the stream of a question that was withdrawn.
     * @param {string} id
     */
    forget(id) {
      streams.get(id)?.stop();
      streams.delete(id);
    },
    /** Connects lost streams at once instead of after their pause. */
    retryNow: () => streams.forEach((stream) => stream.retry()),
  };
}
