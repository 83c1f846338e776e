/**
 * Holds the conversation that is open. Another one takes its place in the page's stream, and what was read of it is
 * kept for when it is opened again.
 * @typedef {import("./conversation.js").Conversation} Conversation
 */
/**
 * @template Place
 * @typedef {ReturnType<typeof createOpenConversation<Place>>} OpenConversation
 */
import { createAttachments } from "./attachments.js";
import { createConversation } from "./conversation.js";
import { runningTurn } from "../state/turns.js";

/** Conversations of which is kept what was read. */
const MAX_KEPT = 8;

/**
 * @template Place how far the reader had scrolled
 * @param {object} options
 * @param {import("../daemon/api.js").Api} options.api
 * @param {import("../browser/settings.js").Settings} options.settings
 * @param {import("./conversation-list.js").ConversationList} options.list
 * @param {import("./feed.js").Feed} options.feed
 * @param {() => import("../types.js").PageContext|null} [options.context]
 * @param {() => Place|null} options.leave called before a conversation is closed
 * @param {(conversation: Conversation, place: Place|null) => void} options.show
 */
export function createOpenConversation({ api, settings, list, feed, context, leave, show }) {
  /** @type {Conversation|null} */
  let conversation = null;
  /** @type {Map<string, {state: ReturnType<Conversation["snapshot"]>, place: Place|null}>} */
  const kept = new Map();
  /** @type {Map<string, import("./attachments.js").Attachments>} uploads go on while another conversation is open */
  const attachments = new Map();

  function close() {
    if (!conversation) return;
    feed.follow(null);
    const { session } = conversation;
    const state = conversation.snapshot();
    if (state.ready && !runningTurn(state.turns)) list.noteEndSeen();
    kept.delete(session);
    if (state.ready && !state.missing) kept.set(session, { state, place: leave() });
    conversation.close();
    conversation = null;
    if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value ?? "");
  }

  /**
   * @param {string} session
   * @param {string} [turnId] a turn to be brought into sight
   * @returns {Promise<void>} when it has been read
   */
  async function open(session, turnId = "") {
    if (conversation?.session === session) return reveal(turnId);
    close();
    const before = kept.get(session);
    const files = attachments.get(session) ?? createAttachments({ api, session, settings });
    attachments.set(session, files);
    conversation = createConversation({
      api,
      session,
      context,
      attachments: files,
      settings,
      known: before?.state,
      retry: feed.retry,
    });
    list.setCurrent(session);
    const opened = conversation;
    show(opened, turnId ? null : (before?.place ?? null));
    await opened.refresh();
    if (opened.signal.aborted) return;
    feed.follow(opened);
    await reveal(turnId);
  }

  /** @param {string} turnId */
  const reveal = async (turnId) => void (turnId && (await conversation?.reveal(turnId)));

  /** Whether nothing was asked here yet, so that no other new one is needed. */
  function isNew() {
    const state = conversation?.get();
    return Boolean(state?.ready && !state.missing && state.turns.length === 0 && state.queue.turns.length === 0);
  }

  return {
    open,
    close,
    current: () => /** @type {Conversation} */ (conversation),
    /**
     * Makes a conversation, unless the open one is new.
     * @param {string} [host]
     * @returns {Promise<string>} its id, or "" if that failed
     */
    async make(host) {
      if (isNew() && host === undefined) return conversation?.session ?? "";
      return (await list.make(host ? { host } : {}))?.id ?? "";
    },
  };
}
