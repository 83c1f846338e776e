/**
 * The tools of an answer: each is called, runs, and has a result. Pure.
 * @typedef {import("../types.js").Part} Part
 * @typedef {import("../types.js").ToolPart} ToolPart
 * @typedef {Record<string, any>} Data of an event
 */
import { asNumber, asText } from "./wire-values.js";

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
    result: "",
    input: data.input,
    output: "",
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
    state: data.refused ? "refused" : data.ok === false ? "failed" : "ok",
    result: asText(data.summary),
    output: asText(data.output),
    rows: asNumber(data.rows),
    durationMs: asNumber(data.duration_ms),
  };
}

/**
 * Ends what still runs when the turn is over: whether it succeeded stays unknown.
 * @param {Part} part
 * @returns {Part}
 */
export const unknownOutcome = (part) =>
  part.kind === "tool" && isRunningTool(part) ? { ...part, state: "unknown" } : part;

/** @param {Part} part */
export const isRunningTool = (part) => part.kind === "tool" && part.state === "running";
