/**
 * The list of turns, oldest first. Pure.
 * @typedef {import("./types.js").Turn} Turn
 * @typedef {import("./types.js").Part} Part
 * @typedef {import("./types.js").ToolPart} ToolPart
 * @typedef {import("./types.js").State} State
 * @typedef {import("./types.js").HistoryItem} HistoryItem
 */
import { turnFromHistory } from "./state.js";

/** Sorts after every UUID: a question that the server has not taken yet is the newest. */
export const LOCAL = "~";

/**
 * When the turn was asked: a UUIDv7 begins with its milliseconds.
 * @param {string} id
 */
export const askedAt = (id) => (id.startsWith(LOCAL) ? Infinity : parseInt(id.slice(0, 8) + id.slice(9, 13), 16));

/** @param {Turn} turn */
export const isRunning = (turn) => turn.phase !== "done";

/** @param {Turn[]} turns */
export const runningTurn = (turns) => turns.findLast(isRunning);

/**
 * @param {Turn[]} turns
 * @param {string} id
 * @param {(turn: Turn) => Turn} change
 */
export function updateTurn(turns, id, change) {
  const at = turns.findLastIndex((turn) => turn.id === id);
  const turn = turns[at];
  if (!turn) return turns;
  const changed = change(turn);
  return changed === turn ? turns : turns.with(at, changed);
}

/**
 * @param {Turn[]} turns
 * @param {Turn} turn replaces one of the same id
 */
export function putTurn(turns, turn) {
  return [...turns.filter((other) => other.id !== turn.id), turn].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/**
 * Turns that are known already stay as they are: what was streamed shows more than history does.
 * @param {Turn[]} turns
 * @param {HistoryItem[]} items
 */
export function mergeHistory(turns, items) {
  const known = new Map(turns.map((turn) => [turn.id, turn]));
  for (const item of items) {
    const turn = known.get(item.turn_id);
    if (!turn) known.set(item.turn_id, turnFromHistory(item));
    else if (!turn.question && item.user_message) known.set(turn.id, { ...turn, question: item.user_message });
  }
  return [...known.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

/**
 * The turns to show: those of the current conversation, and earlier ones if they were asked for.
 * @param {State} state
 */
export function visibleTurns({ turns, since, showEarlier }) {
  return showEarlier ? turns : turns.filter((turn) => askedAt(turn.id) > since);
}

/**
 * Parts in order, with tools that follow each other in one group.
 * @typedef {{kind: "steps", id: string, tools: ToolPart[], followed: boolean}} Steps `followed`: the answer went on below
 * @param {Part[]} parts
 * @returns {(Exclude<Part, ToolPart> | Steps)[]}
 */
export function groupParts(parts) {
  /** @type {(Exclude<Part, ToolPart> | Steps)[]} */
  const groups = [];
  const lastText = parts.findLastIndex((part) => part.kind === "text");
  for (const [index, part] of parts.entries()) {
    const last = groups.at(-1);
    if (part.kind !== "tool") groups.push(part);
    else if (last?.kind === "steps") last.tools.push(part);
    else groups.push({ kind: "steps", id: part.id, tools: [part], followed: index < lastText });
  }
  return groups;
}

/** @param {Turn} turn */
export function answerText(turn) {
  return turn.parts.flatMap((part) => (part.kind === "text" ? [part.text.trim()] : [])).join("\n\n");
}
