/**
 * Follows one turn until it has ended, over as many connections as that takes.
 *
 * `fetch` and not EventSource: that one gives up for good on a proxy's 502 and says neither why nor when, and it cannot
 * carry the header of an embedding page.
 *
 * @typedef {import("./types.js").StreamEvent} StreamEvent
 * @typedef {import("./api.js").Api} Api
 * @typedef {object} Watcher
 * @property {(event: StreamEvent) => void} onEvent never one that was seen before
 * @property {(link: "ok"|"lost") => void} onLink
 * @property {(error: ApiError) => void} onRefused the server does not let us follow; nothing more will come
 */
import { ApiError } from "./api.js";
import { createSseParser } from "./sse.js";

/** The server pings every 15 s: silence for longer than two of them is a dead connection. */
const SILENCE_MS = 40_000;
const RETRY_MS = [300, 1000, 2000, 4000, 5000];

/**
 * @param {Api} api
 * @param {string} turnId
 * @param {number} after
 * @param {Watcher} watcher
 */
export function followTurn(api, turnId, after, { onEvent, onLink, onRefused }) {
  const stopped = new AbortController();
  let wake = () => {};
  let seen = after;
  let ended = false;

  /** @param {StreamEvent} event */
  function take(event) {
    if (event.event === "ping" || ended) return;
    if (event.id !== null && event.id <= seen) return;
    seen = event.id ?? seen;
    ended = event.event === "end" || event.event === "error";
    onEvent(event);
  }

  /** Returns when the connection is over; throws when there was none. */
  async function connect() {
    const connection = new AbortController();
    const signal = AbortSignal.any([stopped.signal, connection.signal]);
    const response = await api.events(turnId, seen, signal);
    const reader = (/** @type {ReadableStream<Uint8Array>} */ (response.body)).getReader();
    const decoder = new TextDecoder();
    const parser = createSseParser(take);
    onLink("ok");
    for (;;) {
      const timer = setTimeout(() => connection.abort(), SILENCE_MS);
      const { done, value } = await reader.read().finally(() => clearTimeout(timer));
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      if (ended) return connection.abort();
    }
  }

  /** @param {number} ms */
  async function pause(ms) {
    await new Promise((resolve) => {
      wake = () => resolve(undefined);
      setTimeout(resolve, ms);
    });
  }

  async function run() {
    for (let failures = 0; !ended && !stopped.signal.aborted; failures += 1) {
      const before = seen;
      try {
        await connect();
      } catch (error) {
        if (stopped.signal.aborted) return;
        if (error instanceof ApiError && [401, 403, 404].includes(error.status)) return onRefused(error);
      }
      if (ended || stopped.signal.aborted) return;
      onLink("lost");
      if (seen > before) failures = 0;
      await pause(RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? 5000);
    }
  }

  const retry = () => wake();
  addEventListener("online", retry);
  run().finally(() => removeEventListener("online", retry));

  return { stop: () => stopped.abort(), retry };
}
