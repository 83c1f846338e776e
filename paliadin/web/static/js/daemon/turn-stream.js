/**
 * Reads the events of one turn until its end, and connects again as often as that takes.
 *
 * It uses `fetch`: an EventSource gives up for good on a proxy's 502, gives neither the reason nor the moment of a
 * failure, and cannot send the token of an embedding page.
 *
 * @typedef {import("../types.js").StreamEvent} StreamEvent
 * @typedef {import("./api.js").Api} Api
 * @typedef {object} Listener
 * @property {(event: StreamEvent) => void} onEvent each event once
 * @property {(state: "ok"|"lost") => void} onConnection
 * @property {(error: ApiError) => void} onRefused the daemon refused the stream; nothing more will come
 */
import { ApiError } from "./api.js";
import { createSseParser } from "./sse-parser.js";

/** The daemon pings every 15 s: a connection that is silent for longer than two pings is dead. */
const SILENCE_MS = 40_000;
const RETRY_MS = [300, 1000, 2000, 4000, 5000];

/**
 * @param {Api} api
 * @param {string} turnId
 * @param {number} after number of the last event that is known
 * @param {Listener} listener
 */
export function openTurnStream(api, turnId, after, { onEvent, onConnection, onRefused }) {
  const stopped = new AbortController();
  let endPause = () => {};
  let last = after;
  let ended = false;

  /** @param {StreamEvent} event */
  function receive(event) {
    if (event.event === "ping" || ended) return;
    if (event.id !== null && event.id <= last) return;
    last = event.id ?? last;
    ended = event.event === "end" || event.event === "error";
    onEvent(event);
  }

  /** Opens one connection and reads it to its end. Throws when it cannot be opened or breaks. */
  async function connect() {
    const connection = new AbortController();
    const signal = AbortSignal.any([stopped.signal, connection.signal]);
    const response = await api.events(turnId, last, signal);
    const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
    const decoder = new TextDecoder();
    const parser = createSseParser(receive);
    onConnection("ok");
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
      endPause = () => resolve(undefined);
      setTimeout(resolve, ms);
    });
  }

  async function run() {
    for (let failures = 0; !ended && !stopped.signal.aborted; failures += 1) {
      const before = last;
      try {
        await connect();
      } catch (error) {
        if (stopped.signal.aborted) return;
        if (error instanceof ApiError && [401, 403, 404].includes(error.status)) return onRefused(error);
      }
      if (ended || stopped.signal.aborted) return;
      onConnection("lost");
      if (last > before) failures = 0;
      await pause(RETRY_MS[Math.min(failures, RETRY_MS.length - 1)] ?? 5000);
    }
  }

  const retry = () => endPause();
  addEventListener("online", retry);
  run().finally(() => removeEventListener("online", retry));

  return { stop: () => stopped.abort(), retry };
}
