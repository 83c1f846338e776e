/**
 * What a tab's icon, or the button of a closed drawer, has to tell. Pure.
 * @typedef {"asks"|"finished"|""} Mark
 * @typedef {Mark|"working"} DrawerMark
 * @typedef {import("../types.js").ListState} ListState
 * @typedef {import("../types.js").Turn} Turn
 */
import { isUnread, tabMark } from "./conversations.js";
import { openInterrupts } from "./interrupts.js";
import { runningTurn } from "./turns.js";

/**
 * That a conversation asks, or that one has finished unseen.
 * @param {Pick<ListState, "items"|"seen"|"current">} list
 * @param {Turn[]} turns of the open conversation
 * @returns {Mark}
 */
export const markOf = ({ items, seen, current }, turns) =>
  openInterrupts(turns).length > 0 ? "asks" : tabMark(items, seen, current);

/**
 * The same, and that something runs.
 * @param {Pick<ListState, "items"|"seen"|"current">} list
 * @param {Turn[]} turns
 * @returns {DrawerMark}
 */
export function drawerMark(list, turns) {
  const mark = markOf(list, turns);
  // Of the open one, too: that its turn has ended unseen, the list tells.
  const isRunning = list.items.some(({ running_turn }) => running_turn);
  return mark !== "asks" && (runningTurn(turns) || isRunning) ? "working" : mark;
}

/**
 * Whether another conversation than the open one asks, or has finished unseen.
 * @param {Pick<ListState, "items"|"seen"|"current">} list
 */
export const marksOthers = ({ items, seen, current }) =>
  items.some((item) => item.id !== current && (item.state === "waiting" || isUnread(item, seen)));
