/**
 * The list of conversations, and what the user can do with one of them. What is removed or put away goes at once, and
 * comes back when that is undone.
 *
 * @typedef {import("../types.js").ConversationItem} Item
 * @typedef {import("../types.js").ListState} ListState
 * @typedef {ReturnType<typeof createConversationList>} ConversationList
 */
import { ApiError } from "../daemon/api.js";
import {
  changeItem,
  idInList,
  isUnread,
  keepSame,
  markSeen,
  newestFirst,
  openItem,
  readSeen,
} from "../state/conversations.js";
import { createStore } from "../state/store.js";
import { copyKept, forgetKept, keptTitle } from "./kept-turns.js";
import { createListSearch } from "./list-search.js";

/** How long something can be undone at least and at most: the browser's clock may differ from the daemon's. */
const UNDO_MS = [4_000, 10_000];
const SEEN = "seen";

const isVisible = () => document.visibilityState === "visible";

/** @type {ListState} */
const INITIAL = {
  ready: false,
  signedIn: true,
  current: "",
  items: [],
  archived: null,
  openArchived: null,
  made: null,
  hosts: [],
  query: "",
  found: null,
  seen: { since: 0, ended: {} },
  toast: null,
};

/**
 * @param {object} options
 * @param {import("../daemon/api.js").Api} options.api
 * @param {import("../browser/settings.js").Settings} options.settings
 * @param {boolean} [options.inDrawer] the list is that of an application's drawer
 * @param {boolean} [options.isMember] the list is a member's, who looks up no conversation by itself
 * @param {() => boolean} [options.isShown] whether the user sees the open conversation
 */
export function createConversationList({ api, settings, inDrawer = false, isMember = false, isShown = isVisible }) {
  const { get, set, listen } = createStore(INITIAL);
  const search = createListSearch({ api, get, set });
  /** Changes that were begun: what was read before one of them is older than what is shown. */
  let changes = 0;
  /** Of them, those that are on their way. */
  let pending = 0;
  /** The list as the daemon told it last. @type {{items: Item[], hosts: string[], version: string}} */
  let newest = { items: [], hosts: [], version: "" };
  let undoTimer = 0;
  /** What is being taken away; who undoes it at once waits for the daemon. @type {Promise<void>|null} */
  let leaving = null;
  let bringBack = () => {}; // what this browser kept of the conversation that was deleted last
  let open = "";
  /** Turns whose end was seen before the list told of it, by their conversations. @type {Map<string, string>} */
  const seenEnds = new Map();
  /** The open one, where it was looked for in the archive: it is new, and need not be looked for at each change. */
  let notArchived = "";

  /** Reads the list. What the page's stream told of it meanwhile is newer. */
  async function refresh() {
    const { version } = newest;
    try {
      const page = await api.conversations();
      if (newest.version === version) newest = newestOf(page.conversations, page.hosts, page.version ?? "");
      await show();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.status === 401) return set({ signedIn: false });
      newest = { ...newest, version: "" }; // the stream tells the whole list: what is shown may not have come about
      if (get().ready) await show();
    }
  }

  /**
   * Takes a change that the page's stream tells.
   * @param {import("../types.js").ListChange} change
   * @returns {boolean} whether it fits what is known here; otherwise the stream has to begin again
   */
  function take({ version, since, conversations, gone, hosts }) {
    if (version === newest.version) return true;
    if (since !== null && since !== newest.version) return false;
    const changed = new Set([...gone, ...conversations.map(({ id }) => id)]);
    const kept = since === null ? [] : newest.items.filter(({ id }) => !changed.has(id));
    newest = newestOf([...kept, ...conversations], hosts, version);
    if (pending === 0) void show();
    return true;
  }

  /** Shows the newest list, with what is not in it but may be open. */
  async function show() {
    const before = changes;
    try {
      const { items: listed, hosts } = newest;
      const shown = get().archived ? await readArchive() : null;
      const current = idInList(listed, open, inDrawer);
      const isListed = listed.some(({ id }) => id === current);
      const put = shown ?? (isListed || current === notArchived ? null : await readArchive());
      const openArchived = put?.find(({ id }) => id === current && !isListed) ?? null;
      const isNew = !inDrawer && !isMember && !isListed && !openArchived && current !== notArchived;
      const made = isNew && get().made?.id !== current ? await readUnasked(current) : get().made;
      if (before !== changes || listed !== newest.items) return;
      const { items, archived, ready } = get();
      const seen = ready ? withSeenEnds(listed) : startSeen(listed);
      const now = keepSame(items, titled(listed));
      notArchived = isListed || openArchived ? "" : current;
      set({ ready: true, signedIn: true, hosts, seen, items: now, current, openArchived, made });
      if (archived && put) set({ archived: keepSame(archived, put) });
      lookAtCurrent();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.status === 401) set({ signedIn: false });
    }
  }

  /** @param {Item[]} items */
  function startSeen(items) {
    const seen = readSeen(settings.get(SEEN), items);
    settings.set(SEEN, JSON.stringify(seen)); // what ends from now on was not seen, also for the next page
    return seen;
  }

  /** @param {Item[]} items */
  function withSeenEnds(items) {
    const ended = items.filter(({ id, running_turn }) => seenEnds.has(id) && running_turn !== seenEnds.get(id));
    ended.forEach(({ id }) => seenEnds.delete(id));
    const seen = ended.reduce(markSeen, get().seen);
    if (seen !== get().seen) settings.set(SEEN, JSON.stringify(seen));
    return seen;
  }

  const readArchive = async () => titled((await api.conversations({ archived: true })).conversations);

  /** Titles that this browser keeps, where the daemon keeps no words. @param {Item[]} items */
  const titled = (items) =>
    items.map((item) => (item.title ? item : { ...item, title: keptTitle(settings, item.id) || item.title }));

  /** Shows the titles that this browser has come to keep since the list was told. */
  function retitle() {
    const { items } = get();
    if (items.some(({ id, title }) => !title && keptTitle(settings, id)))
      set({ items: keepSame(items, titled(items)) });
  }

  /** A conversation that no list has: nothing was asked in it yet. @param {string} id */
  async function readUnasked(id) {
    try {
      return await api.conversation(id);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return null;
    }
  }

  /** Remembers that the user has seen how the open conversation ended. */
  function lookAtCurrent() {
    const { seen } = get();
    const item = openItem(get());
    if (!item || !isShown() || !isUnread(item, seen)) return;
    const now = markSeen(seen, item);
    settings.set(SEEN, JSON.stringify(now));
    set({ seen: now });
  }

  /**
   * Calls the daemon; a failure is shown in the list.
   * @template Result
   * @param {string} id
   * @param {() => Promise<Result>} act
   * @param {boolean} [waits] Claude waits for a reply there
   * @returns {Promise<Result|null>} null: it failed
   */
  async function attempt(id, act, waits = false) {
    changes += 1;
    pending += 1;
    try {
      return await act();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      set({ toast: { kind: "failed", id, wasOpen: false, failure: error.failure, waits } });
      return null;
    } finally {
      changes += 1;
      pending -= 1;
      refresh();
    }
  }

  /**
   * @param {string} id
   * @param {import("../types.js").ConversationChange} change
   */
  function change(id, change) {
    const { items, archived, found } = get();
    const { deleted: _, ...shown } = change;
    set({
      items: changeItem(items, id, shown),
      archived: archived && changeItem(archived, id, shown),
      found: found && changeItem(found, id, shown),
    });
    return attempt(id, () => api.changeConversation(id, change));
  }

  /**
   * Takes a conversation out of what is shown, and offers to undo that.
   * @param {string} id
   * @param {"deleted"|"archived"} kind
   * @param {() => Promise<number>} act gives the milliseconds in which it can be undone
   * @returns {Promise<void>}
   */
  function takeAway(id, kind, act) {
    const taken = takeAwayNow(id, kind, act);
    leaving = taken;
    return taken.finally(() => {
      if (leaving === taken) leaving = null;
    });
  }

  /**
   * @param {string} id
   * @param {"deleted"|"archived"} kind
   * @param {() => Promise<number>} act
   */
  async function takeAwayNow(id, kind, act) {
    const without = (/** @type {Item[]} */ items) => items.filter((item) => item.id !== id);
    const { items, archived, found, current } = get();
    set({
      items: without(items),
      archived: archived && without(archived),
      found: found && without(found),
      toast: null,
    });
    const waits = [...items, ...(archived ?? [])].some((item) => item.id === id && item.state === "waiting");
    const ms = await attempt(id, act, waits);
    if (ms === null) return;
    set({ toast: { kind, id, wasOpen: id === current } });
    startTimer(Math.min(Math.max(ms, UNDO_MS[0] ?? 0), UNDO_MS[1] ?? 0));
  }

  /** @param {number} ms */
  function startTimer(ms) {
    clearTimeout(undoTimer);
    undoTimer = setTimeout(dismiss, ms);
  }

  function dismiss() {
    clearTimeout(undoTimer);
    set({ toast: null });
  }

  return {
    get,
    listen,
    refresh,
    retitle,
    take,
    /** The version of the list that the daemon told last; "" for none. */
    version: () => newest.version,
    /** To be called when the daemon refuses the list. */
    signOut: () => set({ signedIn: false }),
    lookAtCurrent,
    /** Notes that the user has seen how the open conversation ended, of which the list may not have been told. */
    noteEndSeen() {
      const { id, running_turn } = openItem(get()) ?? {};
      if (id && running_turn && isShown()) seenEnds.set(id, running_turn);
    },
    search,
    /** Whether something was taken away, or is being. */
    mayUndo: () => leaving !== null || (get().toast !== null && get().toast?.kind !== "failed"),
    dismiss,
    /** Keeps the toast while the keyboard or the pointer is on it. @param {boolean} held */
    holdToast: (held) => (held ? clearTimeout(undoTimer) : startTimer(UNDO_MS[0] ?? 0)),
    /** @param {string} session */
    setCurrent(session) {
      open = session;
      set({ current: idInList(get().items, session, inDrawer) });
      lookAtCurrent();
      if (get().ready) void show(); // it may be in no list
    },
    /**
     * @param {string} id
     * @param {string} title
     */
    rename: (id, title) => change(id, { title }),
    /**
     * @param {string} id
     * @param {boolean} pinned
     */
    pin: (id, pinned) => change(id, { pinned }),
    /** @param {string} id */
    archive: (id) =>
      takeAway(id, "archived", async () => {
        await api.changeConversation(id, { archived: true });
        return Infinity;
      }),
    /** @param {string} id */
    unarchive: (id) =>
      attempt(id, async () => {
        const { archived, found } = get();
        set({
          archived: archived?.filter((item) => item.id !== id) ?? null,
          found: found && changeItem(found, id, { archived: false }),
        });
        return api.changeConversation(id, { archived: false });
      }),
    /** @param {string} id */
    remove: (id) =>
      takeAway(id, "deleted", async () => {
        const left = (await api.removeConversation(id)).undo_until - Date.now();
        bringBack = forgetKept(settings, id);
        return left;
      }),
    /** @returns {Promise<{id: string, wasOpen: boolean}|null>} the conversation that is back, if one is */
    async undo() {
      await leaving;
      const { toast } = get();
      dismiss();
      if (!toast || toast.kind === "failed") return null;
      if (toast.kind === "deleted") bringBack();
      const undoing = toast.kind === "deleted" ? { deleted: /** @type {const} */ (false) } : { archived: false };
      const item = await attempt(toast.id, () => api.changeConversation(toast.id, undoing));
      return item && { id: toast.id, wasOpen: toast.wasOpen };
    },
    /**
     * @param {import("../types.js").NewConversation} [fields]
     * @returns {Promise<Item|null>}
     */
    async make(fields = {}) {
      const made = await attempt("", () => api.makeConversation(fields));
      if (made?.branch_of) copyKept(settings, made.branch_of.session_id, made.id);
      set({ made });
      return made;
    },
    /**
     * Chooses the model or the permission mode of its Claude; raises ApiError.
     * @param {string} id
     * @param {import("../types.js").ConversationChange} chosen
     */
    async choose(id, chosen) {
      const item = await api.changeConversation(id, chosen);
      if (get().made?.id === id) set({ made: item });
      await refresh();
    },
    /** @param {boolean} shown */
    async showArchived(shown) {
      set({ archived: shown ? [] : null, query: "", found: null });
      if (shown) await refresh();
    },
  };
}

/**
 * @param {Item[]} items in any order
 * @param {string[]|undefined} hosts
 * @param {string} version
 */
const newestOf = (items, hosts = [], version) => ({ items: newestFirst(items), hosts, version });
