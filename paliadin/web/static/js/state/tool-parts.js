/**
 * The tools of an answer: each is called, runs, and has a result. Pure.
 * @typedef {import("../types.js").Part} Part
 * @typedef {import("../types.js").ToolPart} ToolPart
 * @typedef {Record<string, any>} Data of an event
 */
import { asNumber, asText } from "./wire-values.js";

/** Characters at the start of a string that is cut that are those of the whole one. */
const SAME_START = 500;

/**
 * @param {Part[]} parts
 * @param {ToolPart} tool
 * @returns {Part[]}
 */
export function upsertTool(parts, tool) {
  const existing = parts.find((part) => part.kind === "tool" && part.id === tool.id);
  return existing ? parts.map((part) => (part === existing ? tool : part)) : [...parts, tool];
}

/**
 * @param {Data} data
 * @returns {ToolPart}
 */
export function startedTool(data) {
  return {
    kind: "tool",
    id: asText(data.id),
    name: asText(data.name),
    summary: asText(data.summary),
    state: "running",
    asks: "",
    result: "",
    input: data.input,
    output: "",
    pictures: [],
    rows: null,
    durationMs: null,
  };
}

/**
 * @param {Part[]} parts
 * @param {Data} data
 * @returns {ToolPart}
 */
export function finishedTool(parts, data) {
  const existing = parts.find((part) => part.kind === "tool" && part.id === data.id);
  const tool = existing?.kind === "tool" ? existing : { ...startedTool(data), summary: "" };
  return {
    ...tool,
    asks: "",
    state: data.refused ? "refused" : data.ok === false ? "failed" : "ok",
    result: asText(data.summary),
    output: asText(data.output),
    pictures: asNames(data.pictures),
    rows: asNumber(data.rows),
    durationMs: asNumber(data.duration_ms),
  };
}

/** @param {unknown} value @returns {string[]} */
const asNames = (value) => (Array.isArray(value) ? value.filter((name) => typeof name === "string") : []);

/**
 * Ends what still runs when the turn is over: whether it succeeded stays unknown.
 * @param {Part} part
 * @returns {Part}
 */
export const unknownOutcome = (part) =>
  part.kind === "tool" && isRunningTool(part) ? { ...part, state: "unknown", asks: "" } : part;

/**
 * Marks the tool that waits for a permission: the interrupt does not name it, and tells its tool and its input.
 * @param {Part[]} parts
 * @param {import("../types.js").Interrupt} interrupt
 * @returns {Part[]}
 */
export function withAsking(parts, { id, kind, tool, input }) {
  const asking =
    kind === "permission" &&
    parts.find((part) => isRunningTool(part) && part.name === tool && !part.asks && isSameInput(part.input, input));
  return asking ? parts.map((part) => (part === asking ? { ...asking, asks: id } : part)) : parts;
}

/**
 * @param {Part[]} parts
 * @param {string} interruptId
 * @returns {Part[]}
 */
export const withoutAsking = (parts, interruptId) =>
  parts.map((part) => (part.kind === "tool" && part.asks === interruptId ? { ...part, asks: "" } : part));

/**
 * Whether a tool's input is that of an interrupt, though the long strings and lists of a tool's are cut.
 * @param {unknown} cut
 * @param {unknown} whole
 * @returns {boolean}
 */
function isSameInput(cut, whole) {
  if (typeof cut === "string" && typeof whole === "string")
    return cut === whole || (cut.length < whole.length && cut.slice(0, SAME_START) === whole.slice(0, SAME_START));
  if (cut === null || whole === null || typeof cut !== "object" || typeof whole !== "object") return cut === whole;
  const fields = /** @type {Record<string, unknown>} */ (whole);
  return Object.entries(cut).every(([name, value]) => isSameInput(value, fields[name]));
}

/** @param {Part} part @returns {part is ToolPart} */
export const isRunningTool = (part) => part.kind === "tool" && part.state === "running";
