/**
 * Follows the turns that run, each over a stream of its own.
 * @typedef {import("./types.js").Turn} Turn
 * @typedef {import("./types.js").StreamEvent} StreamEvent
 */
import { applyEvent } from "./state.js";
import { followTurn } from "./stream.js";
import { LOCAL } from "./turns.js";

/** @param {import("./talk.js").Talk} talk */
export function createFollower({ api, set, update, fail, refreshHealth, forgetBusy }) {
  /** @type {Map<string, ReturnType<typeof followTurn>>} */
  const streams = new Map();

  /** @param {Turn} turn */
  function follow({ id, seen }) {
    if (streams.has(id) || id.startsWith(LOCAL)) return;
    const stream = followTurn(api, id, seen, {
      onEvent: (event) => take(id, event),
      onLink: (link) => set({ link }),
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
   * @param {import("./api.js").ApiError} error
   */
  function refused(id, error) {
    streams.delete(id);
    if (error.status === 401) return fail(error);
    const data = error.status === 404 ? { code: "gone", retryable: true } : error.failure;
    update(id, (turn) => applyEvent(turn, { id: null, event: "error", data }));
  }

  return {
    follow,
    /** Tries again at once instead of at the next time that was set. */
    retry: () => streams.forEach((stream) => stream.retry()),
  };
}
