/**
 * The texts of an answer: of each message what is confirmed, and behind it a preview of what Claude is writing. Pure.
 *
 * The messages of a turn are numbered from 0, in the order in which they began. A preview has the next number before
 * anything of its message is confirmed: so the part is the same one when the id of the message becomes known.
 *
 * @typedef {import("../types.js").Turn} Turn
 * @typedef {import("../types.js").Part} Part
 * @typedef {import("../types.js").TextPart} TextPart
 */
import { codePoints, indexOfCodePoint } from "./code-points.js";
import { isRunningTool } from "./tool-parts.js";

/**
 * Adds text to what is confirmed of a message. Its preview goes on behind that, or is dropped where it differs.
 * @param {Turn} turn
 * @param {string} messageId
 * @param {string} more
 * @returns {Partial<Turn>}
 */
export function confirmText(turn, messageId, more) {
  const known = turn.messages.indexOf(messageId);
  const messages = known < 0 ? [...turn.messages, messageId] : turn.messages;
  const number = known < 0 ? messages.length - 1 : known;
  return { messages, parts: changeText(turn.parts, number, messageId, (part) => confirmed(part, messageId, more)) };
}

/**
 * Replaces the preview of a message from a place on. Only one message is being written: another one's preview is void.
 * @param {Turn} turn
 * @param {number} number of the message
 * @param {number} offset in code points of the message
 * @param {string} text everything from there on
 * @returns {Partial<Turn>|undefined} undefined where nothing changes
 */
export function previewText(turn, number, offset, text) {
  const others = withoutPreviews(turn.parts, String(number));
  const isKnown = number <= turn.messages.length; // what is of a message behind the next one has no place yet
  const messageId = turn.messages[number] ?? null;
  const parts = isKnown ? changeText(others, number, messageId, (part) => previewed(part, offset, text)) : others;
  return parts === turn.parts ? undefined : { parts };
}

/**
 * Drops what is not confirmed.
 * @param {Part[]} parts
 * @param {string} [except] id of a part that keeps its preview
 * @returns {Part[]} the same array where there is none
 */
export function withoutPreviews(parts, except) {
  const isVoid = (/** @type {Part} */ part) =>
    part.kind === "text" && part.id !== except && part.shown.length > part.text.length;
  if (!parts.some(isVoid)) return parts;
  return parts.map((part) => (part.kind === "text" && isVoid(part) ? onlyConfirmed(part) : part)).filter(isThere);
}

/**
 * Drops a message. Its number is not given to another one.
 * @param {Part[]} parts
 * @param {string} messageId
 */
export const withoutMessage = (parts, messageId) =>
  parts.filter((part) => part.kind !== "text" || part.messageId !== messageId);

/**
 * Places a preview anew that began while tools ran, now that one of these is done: it may be what came after them, and
 * the tool's result was only reported later.
 * @param {Part[]} parts
 * @returns {Part[]} the same array where it is in its place
 */
export function placePreview(parts) {
  const preview = parts.find((part) => part.kind === "text" && part.text === "" && part.guessed);
  if (!preview) return parts;
  const others = parts.filter((part) => part !== preview);
  const place = placeOfNewText(others);
  return parts[place] === preview ? parts : insert(others, place, preview);
}

/**
 * @param {Part[]} parts
 * @param {number} number of the message
 * @param {string|null} messageId
 * @param {(part: TextPart) => TextPart} change
 * @returns {Part[]} the same array where nothing changes
 */
function changeText(parts, number, messageId, change) {
  const old = parts.find((part) => part.kind === "text" && part.id === String(number));
  if (old?.kind === "text") {
    const part = change(old);
    return part === old ? parts : parts.map((other) => (other === old ? part : other)).filter(isThere);
  }
  const place = placeOfNewText(parts);
  const empty = newText(number, messageId, place < parts.length);
  const part = change(empty);
  return isThere(part) ? insert(parts, place, part) : parts;
}

/**
 * @param {number} number of the message
 * @param {string|null} messageId
 * @param {boolean} guessed
 * @returns {TextPart}
 */
const newText = (number, messageId, guessed) => ({
  kind: "text",
  id: String(number),
  messageId,
  text: "",
  length: 0,
  shown: "",
  shownLength: 0,
  guessed,
});

/**
 * @param {TextPart} part
 * @param {string} messageId
 * @param {string} more
 * @returns {TextPart}
 */
function confirmed(part, messageId, more) {
  const longer = { ...part, messageId, text: part.text + more, length: part.length + codePoints(more) };
  return part.shown.startsWith(more, part.text.length) ? longer : onlyConfirmed(longer);
}

/**
 * @param {TextPart} part
 * @param {number} offset
 * @param {string} text
 * @returns {TextPart} the same object where nothing changes
 */
function previewed(part, offset, text) {
  if (offset > part.shownLength) return part; // something is missing before it
  const shown = offset < part.length ? behindConfirmed(part, offset, text) : keptUntil(part, offset) + text;
  if (shown === part.shown) return part;
  const shownLength = offset < part.length ? codePoints(shown) : offset + codePoints(text);
  return { ...part, shown, shownLength };
}

/**
 * What is shown until a place behind the confirmed text.
 * @param {TextPart} part
 * @param {number} offset
 */
function keptUntil({ text, length, shown, shownLength }, offset) {
  if (offset === shownLength) return shown;
  if (offset === length) return text;
  const preview = shown.slice(text.length);
  return shown.slice(0, text.length + indexOfCodePoint(preview, offset - length));
}

/**
 * What is shown if the preview begins in the confirmed text: that stays as it is.
 * @param {TextPart} part
 * @param {number} offset
 * @param {string} preview
 */
function behindConfirmed({ text }, offset, preview) {
  const common = text.slice(indexOfCodePoint(text, offset));
  return preview.startsWith(common) ? text + preview.slice(common.length) : text;
}

/**
 * @param {TextPart} part
 * @returns {TextPart}
 */
const onlyConfirmed = (part) => ({ ...part, shown: part.text, shownLength: part.length });

/**
 * A message of which nothing is left but that it has begun leaves no empty part.
 * @param {Part} part
 */
const isThere = (part) => part.kind !== "text" || part.shown !== "";

/**
 * @param {Part[]} parts
 * @param {number} place
 * @param {Part} part
 */
const insert = (parts, place, part) => [...parts.slice(0, place), part, ...parts.slice(place)];

/**
 * Finds where a new message stands: before the last tools if they still run, since Claude goes on only with their
 * results. So it wrote this before them, and it is only reported later.
 * @param {Part[]} parts
 * @returns {number} an index in `parts`, or their number
 */
function placeOfNewText(parts) {
  const open = parts.map((part) => part.kind === "settled" || isRunningTool(part));
  const first = parts.findIndex((part, i) => i > open.lastIndexOf(false) && isRunningTool(part));
  return first < 0 ? parts.length : first;
}
