/** Looks for what happened elsewhere (the terminal, another window) while someone is looking at the page. */
const IDLE_MS = 5_000;
const LOST_MS = 2_000;

/**
 * @param {import("./conversation.js").Conversation} conversation
 * @param {AbortSignal} [signal] ends it
 */
export function keepFresh(conversation, signal) {
  let timer = 0;

  async function look() {
    if (document.visibilityState === "visible") await conversation.refresh();
    clearTimeout(timer);
    if (signal?.aborted) return;
    timer = setTimeout(look, conversation.get().link === "lost" ? LOST_MS : IDLE_MS);
  }

  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && look(), { signal });
  return look();
}
