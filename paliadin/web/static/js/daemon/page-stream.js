/**
 * Reads the page's stream over one connection.
 *
 * It uses `fetch`: an EventSource gives up for good on a proxy's 502, gives neither the reason nor the moment of a
 * failure, and cannot send the token of an embedding page.
 */
import { createSseParser } from "./sse-parser.js";

/** The daemon pings every 15 s: a connection that is silent for longer than two pings is dead. */
const SILENCE_MS = 40_000;

/**
 * Resolves when the stream has ended. Throws when it cannot be opened (ApiError), breaks, or was ended by `signal`.
 * @param {import("./api.js").Api} api
 * @param {Record<string, string>} known what the page knows
 * @param {object} options
 * @param {() => void} options.onOpen
 * @param {(event: import("../types.js").StreamEvent) => void} options.onEvent
 * @param {AbortSignal} options.signal
 */
export async function readPageStream(api, known, { onOpen, onEvent, signal }) {
  const dead = new AbortController();
  let timer = setTimeout(() => dead.abort(), SILENCE_MS);
  try {
    const response = await api.events(known, AbortSignal.any([signal, dead.signal]));
    const reader = /** @type {ReadableStream<Uint8Array>} */ (response.body).getReader();
    const decoder = new TextDecoder();
    const parser = createSseParser((event) => signal.aborted || event.event === "ping" || onEvent(event));
    onOpen();
    for (;;) {
      const { done, value } = await reader.read();
      clearTimeout(timer);
      timer = setTimeout(() => dead.abort(), SILENCE_MS);
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
    }
  } finally {
    clearTimeout(timer);
    dead.abort();
  }
}
