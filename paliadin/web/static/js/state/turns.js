/**
 * The list of turns, oldest first. Pure.
 * @typedef {import("../types.js").Turn} Turn
 * @typedef {import("../types.js").Part} Part
 * @typedef {import("../types.js").ToolPart} ToolPart
 * @typedef {import("../types.js").HistoryItem} HistoryItem
 */
import { askedOf, turnFromHistory } from "./turn.js";

/** Prefix of the ids of turns that the daemon has not taken yet. It sorts after every UUID: they are the newest. */
export const LOCAL_ID = "~";

/** In place of a turn's key: behind the last one. */
export const END = "$";

/**
 * Whether the daemon has not taken the turn yet.
 * @param {{id: string}} turn
 */
export const isLocal = (turn) => turn.id.startsWith(LOCAL_ID);

/**
 * When a turn was asked. A UUIDv7 begins with its milliseconds.
 * @param {string} id
 * @returns {number} milliseconds since 1970
 */
export const askedAt = (id) => (id.startsWith(LOCAL_ID) ? Infinity : parseInt(id.slice(0, 8) + id.slice(9, 13), 16));

/**
 * Whether the stream of a turn goes on. Behind a complete answer it brings the evidence.
 * @param {Turn} turn
 */
export const isStreaming = (turn) => turn.phase !== "done";

/**
 * Whether the stream has told nothing of a turn yet. It will not, if the turn was over before the stream was opened.
 * @param {Turn} turn
 */
export const isUntold = (turn) => isStreaming(turn) && turn.lastEventId === 0;

/**
 * Whether Claude works on a turn, so that no other one can begin.
 * @param {Turn} turn
 */
export const isRunning = (turn) => isStreaming(turn) && turn.phase !== "answered";

/**
 * The turn that Claude works on. What an agent asks beside it holds nobody up.
 * @param {Turn[]} turns
 */
export const runningTurn = (turns) => turns.filter((turn) => isRunning(turn) && !turn.askedBy).at(-1);

/**
 * Replaces the turn of this id by what `change` makes of it.
 * @param {Turn[]} turns
 * @param {string} id
 * @param {(turn: Turn) => Turn} change
 * @returns {Turn[]} the same array where nothing changes
 */
export function updateTurn(turns, id, change) {
  const turn = turns.find((one) => one.id === id);
  const changed = turn && change(turn);
  return !changed || changed === turn ? turns : turns.map((one) => (one === turn ? changed : one));
}

/**
 * Adds a turn in its place, or replaces the one of the same id.
 * @param {Turn[]} turns
 * @param {Turn} turn
 */
export function putTurn(turns, turn) {
  return [...turns.filter((other) => other.id !== turn.id), turn].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/**
 * Adds a page of the history. Turns that are there already stay: their stream showed more than the history does, unless
 * it has told nothing and they are over. While a question is on its way, a running turn may be its own, of which the
 * daemon's confirmation has not come back: it is left out.
 * @param {Turn[]} turns
 * @param {HistoryItem[]} items
 */
export function mergeHistory(turns, items) {
  const sending = turns.some(isLocal);
  const turnsById = new Map(turns.map((turn) => [turn.id, turn]));
  for (const item of items) {
    const turn = turnsById.get(item.turn_id);
    if (!turn && item.running && sending) continue;
    if (!turn) turnsById.set(item.turn_id, turnFromHistory(item));
    else if (isUntold(turn) && !item.running) turnsById.set(turn.id, { ...turnFromHistory(item), key: turn.key });
    else if ((!turn.question || turn.isFromQueue) && (item.user_message || item.asked_by))
      turnsById.set(turn.id, { ...turn, ...askedOf(item), isFromQueue: false });
  }
  return [...turnsById.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/**
 * Leaves out the turns of a conversation that was deleted: those that were shown before, except what runs or is on its
 * way.
 * @param {Turn[]} turns
 * @param {Turn[]} before
 */
export function withoutGone(turns, before) {
  const shown = new Set(before.filter((turn) => !isStreaming(turn)).map(({ id }) => id));
  return turns.filter(({ id }) => !shown.has(id));
}

/**
 * Finds where Claude forgot all that was before.
 * @param {Turn[]} turns oldest first
 * @param {number} forgotAt milliseconds since 1970
 * @returns {string} key of the first turn after that, `END` if none has followed yet, or "" if nothing was before
 */
export function dividedTurn(turns, forgotAt) {
  const at = turns.findIndex((turn) => askedAt(turn.id) > forgotAt);
  if (at < 0) return turns.length > 0 ? END : "";
  return at > 0 ? (turns[at]?.key ?? "") : "";
}

/**
 * Groups consecutive tools of an answer, and leaves everything else as it is.
 * @typedef {{kind: "steps", id: string, tools: ToolPart[], followed: boolean}} Steps `followed`: text came after them
 * @param {Part[]} parts
 * @returns {(Exclude<Part, ToolPart> | Steps)[]}
 */
export function groupParts(parts) {
  /** @type {(Exclude<Part, ToolPart> | Steps)[]} */
  const groups = [];
  const lastText = parts.map((part) => part.kind).lastIndexOf("text");
  for (const [index, part] of parts.entries()) {
    const last = groups.at(-1);
    if (part.kind !== "tool") groups.push(part);
    else if (last?.kind === "steps") last.tools.push(part);
    else groups.push({ kind: "steps", id: part.id, tools: [part], followed: index < lastText });
  }
  return groups;
}

/**
 * The text of an answer, as far as it is confirmed, without tools and interrupts.
 * @param {Turn} turn
 */
export function answerText(turn) {
  const texts = turn.parts.map((part) => (part.kind === "text" ? part.text.trim() : ""));
  return texts.filter(Boolean).join("\n\n");
}
