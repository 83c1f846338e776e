/**
 * Keeps a page up to date: over its one stream while it is visible, by short requests while it is not but something
 * runs in it, or where other pages of this browser have all the streams that there may be.
 *
 * @typedef {import("./conversation.js").Conversation} Conversation
 * @typedef {ReturnType<typeof createFeed>} Feed
 * @typedef {import("../types.js").StreamEvent} StreamEvent
 */
import { listenToKeys } from "../browser/keys.js";
import { ApiError } from "../daemon/api.js";
import { readPageStream } from "../daemon/page-stream.js";
import { takeStreamPlace } from "../daemon/stream-places.js";
import { isAnyBusy } from "../state/conversations.js";
import { isRunning } from "../state/turns.js";

/** A tab that is left for a moment keeps its stream. */
const LEAVING_MS = 5_000;
const RETRY_MS = [300, 1000, 2000, 4000, 5000];
const REFUSED_MS = 5_000;
/** How long it is said that a request has failed while the stream seems to live. */
const LOST_MS = 2_000;
/** Between two short requests: of a page in sight, of a hidden one with a running turn, with a busy conversation. */
const CROWDED_MS = 2_000;
const RUNNING_MS = 5_000;
const BUSY_MS = 15_000;
/** Between two short requests for which another page asks. */
const TOLD_MS = 1_000;

const isVisible = () => document.visibilityState === "visible";

/**
 * @param {object} options
 * @param {import("../daemon/api.js").Api} options.api
 * @param {import("./conversation-list.js").ConversationList} options.list
 * @param {() => boolean} [options.isShown] whether the conversations are, in a page that is visible
 */
export function createFeed({ api, list, isShown = () => true }) {
  /** The one that is open, once it was read. @type {Conversation|null} */
  let conversation = null;
  let stopListening = () => {};
  const stopped = new AbortController();
  const { signal } = stopped;
  /** Ends what is going on, so that it begins anew. */
  let step = new AbortController();
  /** @type {"stream"|"ask"|"none"} */
  let mode = "none";
  let isStreaming = false;
  /** Other pages have all the places. */
  let isCrowded = false;
  let isHidden = !isVisible();
  let leaving = 0;
  /** @type {number|undefined} until a stream is opened anew that may be dead */
  let doubting;
  let failures = 0;
  /** Another page has told of a change; and whether this one has asked only just now. */
  let isTold = false;
  let isResting = false;
  /** The user has come to this page: it may take a place for its stream from another one. */
  let insists = false;
  const others = new BroadcastChannel("paliadin");

  const hasRunning = () => Boolean(conversation?.get().turns.some(isRunning));
  const isBusy = () => hasRunning() || isAnyBusy(list.get().items);

  /** What this page needs now. */
  function needed() {
    if (!conversation) return "none";
    if (!isHidden && (isShown() || isBusy())) return "stream";
    return isTold || isBusy() ? "ask" : "none";
  }

  const again = () => step.abort();
  const look = () => void (needed() !== mode && again());

  async function work() {
    while (!signal.aborted) {
      step = new AbortController();
      mode = needed();
      if (!conversation || mode === "none") await pause(Infinity);
      else if (mode === "stream") await followOrAsk(conversation);
      else await ask(conversation, hasRunning() ? RUNNING_MS : BUSY_MS);
    }
  }

  /** @param {Conversation} followed */
  async function followOrAsk(followed) {
    const { signal: until } = step;
    const giveBack = await takeStreamPlace(again, insists);
    insists = false;
    isCrowded = !giveBack;
    if (!giveBack) return ask(followed, CROWDED_MS);
    if (!until.aborted) await follow(followed).finally(giveBack);
    else giveBack();
  }

  /** @param {Conversation} followed */
  async function follow(followed) {
    isStreaming = true;
    const wait = await read(followed, { isStream: true });
    isStreaming = false;
    await pause(wait ?? RETRY_MS[Math.min(failures++, RETRY_MS.length - 1)] ?? REFUSED_MS);
  }

  /**
   * Makes a short request, and then a pause.
   * @param {Conversation} followed
   * @param {number} ms
   */
  async function ask(followed, ms) {
    isTold = false;
    isResting = true;
    const wait = await read(followed, { isStream: false });
    await pause(TOLD_MS);
    isResting = false;
    if (!isTold) await pause(wait ?? ms);
  }

  /**
   * @param {Conversation} followed
   * @param {{isStream: boolean}} how
   * @returns {Promise<number|null>} milliseconds to wait if the daemon refuses; null: it does not
   */
  async function read(followed, { isStream }) {
    const { signal: until } = step;
    const { stream } = followed;
    const known = { ...stream.known(), list: list.version(), follow: isStream ? "1" : "0" };
    const onOpen = () => {
      stream.open(isStream);
      if (!list.get().signedIn) void list.refresh();
    };
    try {
      const onEvent = (/** @type {StreamEvent} */ event) => receive(followed, event, isStream);
      await readPageStream(api, known, { onOpen, onEvent, signal: until });
    } catch (error) {
      if (until.aborted) return null;
      if (error instanceof ApiError && error.status >= 400 && error.status < 500) {
        if (error.status === 401) list.signOut();
        stream.refuse(error);
        return REFUSED_MS;
      }
      stream.lose();
    }
    return null;
  }

  /**
   * @param {Conversation} followed
   * @param {StreamEvent} event
   * @param {boolean} tells whether other pages are told of it
   */
  function receive({ stream }, event, tells) {
    failures = 0;
    const data = /** @type {any} */ (event.data);
    if (event.turn) stream.take(event);
    else if (event.event === "health") stream.takeHealth(data);
    else if (event.event === "conversation") void stream.keepUp(data.version);
    else if (event.event === "list") {
      if (tells && data.since !== null) others.postMessage(data.conversations.map(idOf));
      if (!list.take(data)) again();
    }
  }

  /** @param {number} ms */
  function pause(ms) {
    const { signal: until } = step;
    return new Promise((resolve) => {
      if (until.aborted) resolve(undefined);
      if (ms < Infinity) setTimeout(resolve, ms);
      until.addEventListener("abort", () => resolve(undefined), { once: true });
    });
  }

  function onVisibility() {
    clearTimeout(leaving);
    if (!isVisible()) leaving = setTimeout(hide, LEAVING_MS);
    else if (isHidden) {
      isHidden = false;
      insists = true;
      again();
    }
  }

  function hide() {
    isHidden = true;
    look();
  }

  /** The user is at this page. */
  function onUse() {
    if (!isCrowded) return;
    isCrowded = false;
    insists = true;
    again();
  }

  /** Opens the stream anew where a request has told something newer, or has failed: it may be dead, too. */
  function onConversation() {
    list.retitle();
    if (isStreaming && conversation?.stream.isHealthRead()) return again();
    const isLost = isStreaming && conversation?.get().connection === "lost";
    if (isLost && !doubting) doubting = setTimeout(again, LOST_MS);
    if (!isLost) doubting = void clearTimeout(doubting);
    look();
  }

  others.onmessage = ({ data }) => {
    if (isStreaming || !conversation || !Array.isArray(data)) return;
    if (!isBusy() && !data.includes(list.get().current)) return;
    isTold = true;
    if (!isResting) again();
  };
  document.addEventListener("visibilitychange", onVisibility, { signal });
  for (const use of ["focus", "pointerdown"]) addEventListener(use, onUse, { signal, capture: true });
  listenToKeys(window, onUse, { signal, capture: true });
  addEventListener("blur", () => navigator.locks || again(), { signal }); // without them, the focus gives the place
  for (const event of ["online", "offline"]) addEventListener(event, again, { signal });
  list.listen(look);
  void work();

  return {
    /**
     * Follows a conversation in place of the one before, or none.
     * @param {Conversation|null} opened
     */
    follow(opened) {
      stopListening();
      conversation = opened;
      again();
      stopListening = opened?.listen(onConversation) ?? (() => {});
    },
    /** To be called when what the page needs may have changed. */
    look,
    /** Connects a lost stream at once. */
    retry: again,
    stop() {
      stopped.abort();
      stopListening();
      others.close();
      again();
    },
  };
}

/** @param {{id: string}} item */
const idOf = ({ id }) => id;
