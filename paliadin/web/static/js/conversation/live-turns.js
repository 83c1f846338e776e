/**
 * Follows the running turns, each over a stream of its own, and applies their events to the state.
 * @typedef {import("../types.js").Turn} Turn
 * @typedef {import("../types.js").StreamEvent} StreamEvent
 */
import { openTurnStream } from "../daemon/turn-stream.js";
import { applyEvent } from "../state/turn.js";
import { isLocal } from "../state/turns.js";

/** @param {import("./conversation-store.js").ConversationStore} store */
export function createLiveTurns({ api, get, set, update, fail, refreshHealth, clearBusyFailure }) {
  /** @type {Map<string, ReturnType<typeof openTurnStream>>} */
  const streams = new Map();

  /** @param {Turn} turn */
  function follow(turn) {
    const { id, lastEventId } = turn;
    if (streams.has(id) || isLocal(turn)) return;
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
    const begins = event.event === "status" && get().turns.find((turn) => turn.id === id)?.status === null;
    update(id, (turn) => applyEvent(turn, event));
    if (begins && !get().health?.ok) refreshHealth(); // "Claude is starting" is no longer true
    if (!["answered", "end", "error"].includes(event.event)) return;
    clearBusyFailure();
    if (event.event !== "answered") streams.delete(id);
    if (event.event === "error") refreshHealth();
  }

  /**
   * @param {string} id
   * @param {import("../daemon/api.js").ApiError} error
   */
  function endRefused(id, error) {
    streams.delete(id);
    if (error.status === 401) return fail(error);
    const data = error.status === 404 ? { code: "gone", retryable: true } : error.failure;
    update(id, (turn) => applyEvent(turn, { id: null, event: "error", data }));
  }

  return {
    follow,
    /** Connects lost streams at once instead of after their pause. */
    retryNow: () => streams.forEach((stream) => stream.retry()),
  };
}
