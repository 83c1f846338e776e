/**
 * What a tool is called for a reader: mcp__practice__list_deadlines is "Deadlines looked up".
 * paliadin/words/tool_names.py does the same; tests/tool_names.json has examples that both must agree on.
 */

import { translateIfKnown } from "./i18n.js";

/** @typedef {import("./i18n.js").Translate} Translate */

const KINDS = ["looked_up", "searched", "counted", "created", "changed", "removed", "sent"];
const MAX_NAME = 60; // characters of the words of a tool's name

/**
 * Names a tool in words. What it does stands last, by the verb at the beginning or the end of its name.
 * @param {string} name
 * @param {Translate} t
 */
export function toolName(name, t) {
  const own = translateIfKnown(t, `tool.own.${name}`);
  if (own) return own;
  const [, server = "", tool = name] = /^mcp__(.+?)__([^]+)$/.exec(name) ?? [];
  const parts = partsOf(tool);
  for (const kind of KINDS) {
    const verbs = translateIfKnown(t, `tool.verbs.${kind}`).split(" ");
    for (const [verb, rest] of waysOf(parts)) {
      const what = joined(rest.length > 0 ? rest : partsOf(server));
      if (verbs.includes(verb) && what) return translateIfKnown(t, `tool.does.${kind}`, { 0: what });
    }
  }
  return joined(parts) || [...name].slice(0, MAX_NAME).join("");
}

/**
 * Lists tools with how often each occurs: File read ×2, Command run.
 * @param {string[]} names
 * @param {Translate} t
 */
export function countNames(names, t) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (const name of names.map((each) => toolName(each, t))) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].map(([name, times]) => (times > 1 ? `${name} ×${times}` : name)).join(", ");
}

/**
 * What the rows of a tool are called: those of a file are its lines.
 * @param {string} tool
 */
export const stemOfRows = (tool) => (tool === "Read" ? "lines" : "rows");

/** @param {string} name */
const partsOf = (name) =>
  name
    .replace(/(?<=[a-z0-9])(?=[A-Z])/g, "_")
    .split(/[\s_.-]+/)
    .filter(Boolean);

/**
 * The verbs that a name may have, each with the other words: look_up is one.
 * @param {string[]} parts
 * @returns {[string, string[]][]}
 */
function waysOf(parts) {
  const [first = "", second = ""] = parts;
  return [
    [(first + second).toLowerCase(), parts.slice(2)],
    [first.toLowerCase(), parts.slice(1)],
    [(parts.at(-1) ?? "").toLowerCase(), parts.slice(0, -1)],
  ];
}

/** @param {string[]} parts */
function joined(parts) {
  const text = [...parts.join(" ")].slice(0, MAX_NAME).join("");
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
