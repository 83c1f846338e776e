/** Reads what happened elsewhere (in the terminal, in another window) every few seconds while the page is visible. */
const IDLE_MS = 5_000;
const LOST_MS = 2_000;

/**
 * @param {import("./conversation.js").Conversation} conversation
 * @param {AbortSignal} [signal] ends the polling
 * @returns {Promise<void>} when the first reading is done
 */
export function pollWhileVisible(conversation, signal) {
  let timer = 0;

  async function poll() {
    if (document.visibilityState === "visible") await conversation.refresh();
    clearTimeout(timer);
    if (signal?.aborted) return;
    timer = setTimeout(poll, conversation.get().connection === "lost" ? LOST_MS : IDLE_MS);
  }

  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && poll(), { signal });
  return poll();
}
