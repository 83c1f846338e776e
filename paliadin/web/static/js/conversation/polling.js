/** Reads every few seconds what happened elsewhere: in the terminal, in another window, in other conversations. */
import { pollDelay } from "../state/conversations.js";

const IDLE_MS = 5_000;
const LOST_MS = 2_000;
/** A conversation that is not there may come back while its deletion can be undone, and hardly later. */
const MISSING_SOON_MS = 15_000;
const MISSING_MS = 30_000;

const isVisible = () => document.visibilityState === "visible";

/**
 * Reads a conversation while the page is visible, until it is closed.
 * @param {import("./conversation.js").Conversation} conversation
 * @returns {Promise<void>} when the first reading is done
 */
export function pollWhileVisible(conversation) {
  const { signal } = conversation;
  let timer = 0;
  let missingSince = 0;

  async function poll() {
    if (isVisible()) await conversation.refresh();
    clearTimeout(timer);
    if (!signal.aborted) timer = setTimeout(poll, delay());
  }

  function delay() {
    const { connection, missing } = conversation.get();
    missingSince = missing ? missingSince || Date.now() : 0;
    if (missing && Date.now() - missingSince > MISSING_SOON_MS) return MISSING_MS;
    return connection === "lost" ? LOST_MS : IDLE_MS;
  }

  document.addEventListener("visibilitychange", () => isVisible() && poll(), { signal });
  return poll();
}

/**
 * Reads the list of conversations: often while something runs, and then also where it is not visible: the page's title
 * and icon, or the drawer's button, tell of it.
 * @param {import("./conversation-list.js").ConversationList} list
 * @param {AbortSignal} [signal] ends the polling
 * @param {() => boolean} [isShown] whether the conversations are
 */
export function pollList(list, signal, isShown = isVisible) {
  let timer = 0;

  async function poll() {
    await list.refresh();
    clearTimeout(timer);
    const delay = pollDelay(list.get().items, isShown());
    if (delay && !signal?.aborted) timer = setTimeout(poll, delay);
  }

  document.addEventListener("visibilitychange", () => isVisible() && poll(), { signal });
  poll();
}
