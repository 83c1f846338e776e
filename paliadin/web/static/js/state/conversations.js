/**
 * The list of conversations: its order, what is new in it, and which of them are siblings. Pure.
 * @typedef {import("../types.js").ConversationItem} Item
 * @typedef {import("../types.js").Seen} Seen
 * @typedef {{key: string, items: Item[]}} Group `pinned`, `today`, `yesterday`, `week`, or a month such as `2026-11`
 * @typedef {{session: string, turnId: string}} Place a question in a conversation
 * @typedef {{index: number, count: number, previous: Place|null, next: Place|null}} Siblings one of several questions
 *   that were asked at the same place; `index` is from 0
 */

/** How many conversations are remembered as seen one by one. */
const MAX_SEEN = 200;
const DAYS_OF_WEEK = 7;

/**
 * Groups conversations by the day on which something was last asked, pinned ones first.
 * @param {Item[]} items newest first
 * @param {number} [now]
 * @returns {Group[]}
 */
export function groupByDay(items, now = Date.now()) {
  /** @type {Map<string, Item[]>} */
  const groups = new Map([["pinned", []]]);
  for (const item of items) {
    const key = item.pinned ? "pinned" : dayKey(item.last_at ?? item.created_at ?? now, now);
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return [...groups].map(([key, all]) => ({ key, items: all })).filter((group) => group.items.length > 0);
}

/**
 * @param {number} ms
 * @param {number} now
 */
function dayKey(ms, now) {
  const date = new Date(ms);
  const days = daysBetween(date, new Date(now));
  if (days <= 0) return "today";
  if (days === 1) return "yesterday";
  if (days <= DAYS_OF_WEEK) return "week";
  return `${date.getFullYear()}-${String(date.getMonth() + 1).padStart(2, "0")}`;
}

/**
 * Counts calendar days; one of them may have 23 or 25 hours.
 * @param {Date} from
 * @param {Date} to
 */
function daysBetween(from, to) {
  const [start, end] = [from, to].map((date) => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate()));
  return Math.round(((end ?? 0) - (start ?? 0)) / 86_400_000);
}

/**
 * Keeps the objects of items that have not changed, and the array if none has: views see by reference what to draw.
 * @param {Item[]} before
 * @param {Item[]} now
 */
export function keepSame(before, now) {
  const byId = new Map(before.map((item) => [item.id, item]));
  const kept = now.map((item) => {
    const old = byId.get(item.id);
    return old && JSON.stringify(old) === JSON.stringify(item) ? old : item;
  });
  return kept.length === before.length && kept.every((item, i) => item === before[i]) ? before : kept;
}

/**
 * Replaces an item, and puts none where there was none.
 * @param {Item[]} items
 * @param {string} id
 * @param {Partial<Item>} change
 */
export const changeItem = (items, id, change) => items.map((item) => (item.id === id ? { ...item, ...change } : item));

/**
 * Finds the open conversation, which may be in the archive.
 * @param {Pick<import("../types.js").ListState, "items"|"openArchived"|"made"|"current">} list
 */
export const openItem = ({ items, openArchived, made, current }) =>
  [...items, openArchived, made].find((item) => item?.id === current) ?? undefined;

/**
 * Joins what was found in the list and in the archive, newest first.
 * @param {Item[][]} found
 */
export function joinFound(...found) {
  const byId = new Map(found.flat().map((item) => [item.id, item])); // one may have been archived in between
  return newestFirst([...byId.values()]);
}

/**
 * Orders conversations, the one asked in last first.
 * @param {Item[]} items
 */
export const newestFirst = (items) =>
  [...items].sort((a, b) => (b.last_at ?? b.created_at ?? 0) - (a.last_at ?? a.created_at ?? 0));

/** @param {Item} item */
export const isBusy = ({ state, running_turn }) => Boolean(running_turn) || state === "busy" || state === "starting";

/**
 * Whether a turn has ended that was not seen in this browser.
 * @param {Item} item
 * @param {Seen} seen
 */
export const isUnread = ({ id, ended_at }, { since, ended }) => (ended_at ?? 0) > Math.max(since, ended[id] ?? 0);

/**
 * Remembers that a conversation was looked at. Beyond MAX_SEEN the oldest are forgotten: all that ended before counts
 * as seen.
 * @param {Seen} seen
 * @param {Item} item
 * @returns {Seen} the same object where nothing changes
 */
export function markSeen(seen, item) {
  if (!isUnread(item, seen)) return seen;
  const all = Object.entries({ ...seen.ended, [item.id]: item.ended_at ?? 0 }).sort(([, a], [, b]) => b - a);
  const since = Math.max(seen.since, all[MAX_SEEN]?.[1] ?? 0);
  return { since, ended: Object.fromEntries(all.slice(0, MAX_SEEN)) };
}

/**
 * Reads what was stored. In a new browser all that there is counts as seen.
 * @param {string} stored
 * @param {Item[]} items
 * @returns {Seen}
 */
export function readSeen(stored, items) {
  try {
    const { since, ended } = JSON.parse(stored);
    if (typeof since === "number" && ended !== null && typeof ended === "object") return { since, ended };
  } catch {
    // Nothing is stored, or something else.
  }
  return { since: Math.max(0, ...items.map((item) => item.ended_at ?? 0)), ended: {} };
}

/**
 * Finds the questions of a conversation at whose place others were asked, too, in its branches or its siblings.
 * @param {Item[]} items
 * @param {string} current id of the conversation
 * @returns {Map<string, Siblings>} by the id of the turn that this conversation shows at the place
 */
export function siblingsOf(items, current) {
  const present = new Set([current, ...items.map((item) => item.id)]);
  const own = items.find((item) => item.id === current);
  /** @type {Map<string, Siblings>} */
  const siblings = new Map();
  for (const [placeId, branches] of branchesByPlace(items)) {
    const shown = own?.branch_of?.turn_id === placeId ? own.first_turn : placeId;
    const parent = branches[0]?.branch_of?.session_id ?? "";
    const places = [
      ...(present.has(parent) || shown === placeId ? [{ session: parent, turnId: placeId }] : []),
      ...branches.map((item) => ({ session: item.id, turnId: item.first_turn ?? "" })),
    ];
    const index = places.findIndex(({ turnId }) => turnId === shown);
    if (index < 0 || places.length < 2 || !shown) continue;
    const [previous, next] = [places[index - 1] ?? null, places[index + 1] ?? null];
    siblings.set(shown, { index, count: places.length, previous, next });
  }
  return siblings;
}

/** @param {Item[]} items */
function branchesByPlace(items) {
  /** @type {Map<string, Item[]>} */
  const places = new Map();
  const branches = items.filter((item) => item.branch_of && item.first_turn);
  for (const item of branches.sort((a, b) => (a.created_at ?? 0) - (b.created_at ?? 0))) {
    const place = item.branch_of?.turn_id ?? "";
    places.set(place, [...(places.get(place) ?? []), item]);
  }
  return places;
}

/**
 * Finds the id by which the list has a conversation. In an application's drawer `main` stands for the person's first
 * conversation there, whose name says whose it is. On the page it is itself: there, such a name is that of a drawer's.
 * @param {Item[]} items
 * @param {string} session
 * @param {boolean} inDrawer
 */
export function idInList(items, session, inDrawer) {
  if (!inDrawer || session !== "main" || items.some((item) => item.id === session)) return session;
  return items.find((item) => /-[0-9a-f]{32}$/.test(item.id))?.id ?? session;
}

/**
 * What the tab has to tell: that a conversation asks, or that one has finished unseen.
 * @param {Item[]} items
 * @param {Seen} seen
 * @param {string} current its own page knows sooner whether it asks
 * @returns {"asks"|"finished"|""}
 */
export function tabMark(items, seen, current) {
  if (items.some((item) => item.state === "waiting" && item.id !== current)) return "asks";
  return items.some((item) => isUnread(item, seen)) ? "finished" : "";
}

/**
 * Whether something goes on in one of them.
 * @param {Item[]} items
 */
export const isAnyBusy = (items) =>
  items.some((item) => isBusy(item) || item.state === "waiting" || (item.queued ?? 0) > 0);

/**
 * Which item comes in place of one that goes: the next one, or the one before.
 * @param {Item[]} items in the order in which they are shown
 * @param {string} id
 * @returns {string} "" if there is no other
 */
export function neighbourOf(items, id) {
  const at = items.findIndex((item) => item.id === id);
  return (items[at + 1] ?? items[at - 1])?.id ?? "";
}
