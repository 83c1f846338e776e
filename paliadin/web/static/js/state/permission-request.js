/**
 * What a permission is asked for: which words say it, what of the tool's input the user has to judge first, and the
 * rest. All of the input is in one of these places. Pure.
 * @typedef {import("../types.js").Interrupt} Interrupt
 * @typedef {import("../texts/i18n.js").Translate} Translate
 * @typedef {ReturnType<typeof toolInputRows>[number]} Row
 * @typedef {Extract<import("../texts/i18n.js").Key, `ask.do.${string}` | "ask.permission">} RequestKey
 * @typedef {Record<string, unknown>} Fields
 *
 * @typedef {object} PermissionRequest invisible characters are written out, except in `edits`
 * @property {RequestKey} key of the words
 * @property {Record<string, string>} names that stand in the words, each in one short line
 * @property {number|null} lines how many the file is going to have; null if that is not known
 * @property {string} leadsTo the file that is really meant where a link stands in the path, or ""
 * @property {Row|null} first what is to be judged first: a command, the text of a file, an address
 * @property {string} plan in Markdown, to be judged first, or ""
 * @property {[string, string][]} edits what goes and what comes; to be judged first as well
 * @property {Row[]} rest
 * @property {string} folder where a command would run, or ""
 */
import { clipMiddle, escapeInvisible, splitEdits, toolInputRows } from "../texts/format.js";
import { plural } from "../texts/i18n.js";

/** Characters of a name in the words. */
const MAX_NAME = 80;

/**
 * How the permission for a tool is asked for.
 * @typedef {object} Manner
 * @property {RequestKey | ((fields: Fields, exists: boolean|null) => RequestKey)} key
 * @property {string} [name] the field that the words name
 * @property {boolean} [path] that field is a path
 * @property {string} [first] the field that is judged first
 * @property {boolean} [counted] the lines of that field are counted
 */

/** @type {Record<string, Manner>} */
const MANNERS = {
  Write: { key: keyOfWriting, name: "file_path", path: true, first: "content", counted: true },
  Edit: { key: keyOfChanging, name: "file_path", path: true },
  MultiEdit: { key: keyOfChanging, name: "file_path", path: true },
  NotebookEdit: { key: keyOfChanging, name: "notebook_path", path: true, first: "new_source" },
  Read: { key: "ask.do.read", name: "file_path", path: true },
  NotebookRead: { key: "ask.do.read", name: "notebook_path", path: true },
  Bash: { key: keyOfRunning, first: "command" },
  PowerShell: { key: keyOfRunning, first: "command" },
  WebFetch: { key: "ask.do.fetch", name: "url", first: "url" },
  WebSearch: { key: "ask.do.search_web", name: "query", first: "query" },
  Grep: { key: "ask.do.search_files", name: "pattern", first: "pattern" },
  Glob: { key: "ask.do.find_files", name: "pattern", first: "pattern" },
  LS: { key: "ask.do.list", name: "path", path: true },
  Task: { key: "ask.do.delegate", first: "prompt" },
  Agent: { key: "ask.do.delegate", first: "prompt" },
  Skill: { key: "ask.do.skill", name: "skill" },
  ExitPlanMode: { key: keyOfLeavingPlan, first: "plan" },
  EnterPlanMode: { key: "ask.do.enter_plan" },
};

/**
 * @param {Fields} _fields
 * @param {boolean|null} exists
 * @returns {RequestKey}
 */
function keyOfWriting(_fields, exists) {
  return exists === null ? "ask.do.write" : exists ? "ask.do.overwrite" : "ask.do.create";
}

/**
 * @param {Fields} _fields
 * @param {boolean|null} exists
 * @returns {RequestKey}
 */
function keyOfChanging(_fields, exists) {
  return exists === false ? "ask.do.create" : "ask.do.change";
}

/**
 * @param {Fields} fields
 * @returns {RequestKey}
 */
function keyOfRunning({ dangerouslyDisableSandbox, run_in_background }) {
  if (dangerouslyDisableSandbox) return "ask.do.run_free";
  return run_in_background ? "ask.do.run_behind" : "ask.do.run";
}

/**
 * @param {Fields} fields
 * @returns {RequestKey}
 */
function keyOfLeavingPlan(fields) {
  return planIn(fields) ? "ask.do.leave_plan" : "ask.do.leave_plan_bare";
}

/** @param {Fields} fields */
const planIn = ({ plan }) => (typeof plan === "string" && plan.trim() ? escapeInvisible(plan) : "");

/** @param {Interrupt} interrupt whether it asks to begin with a plan */
export const isPlan = ({ tool }) => tool === "ExitPlanMode";

/**
 * @param {Interrupt} interrupt
 * @returns {PermissionRequest}
 */
export function permissionRequest(interrupt) {
  const { tool, input, exists = null, folder, leads_to, cut } = interrupt;
  const fields = /** @type {Fields} */ (isObject(input) ? input : {});
  const manner = tool && Object.hasOwn(MANNERS, tool) ? MANNERS[tool] : undefined;
  if (!manner || !hasName(manner, fields)) return otherRequest(interrupt);
  const { key, name, path = false, first, counted = false } = manner;
  const value = name === undefined ? "" : String(fields[name]);
  const shown = shortLine(path ? relativePath(value, folder ?? "") : value);
  const isSaid = (/** @type {string} */ field) => field === name && shown === value;
  const others = Object.entries(fields).filter(([field]) => field !== first && !isSaid(field));
  const { edits, rows } = splitEdits(Object.fromEntries(others));
  const plan = isPlan(interrupt) ? planIn(fields) : "";
  return {
    key: typeof key === "function" ? key(fields, exists) : key,
    names: name ? { name: shown } : {},
    lines: counted && first && !cut ? countLines(fields[first]) : null,
    leadsTo: pathLine(leads_to ?? ""),
    first: first && Object.hasOwn(fields, first) && !isSaid(first) && !plan ? firstRow(first, fields) : null,
    plan,
    edits,
    rest: rows,
    folder: key === keyOfRunning ? escapeInvisible(folder ?? "") : "",
  };
}

/**
 * @param {string} field
 * @param {Fields} fields
 */
const firstRow = (field, fields) => toolInputRows({ [field]: fields[field] })[0] ?? null;

/**
 * Whether the input has the field that the words name.
 * @param {Manner} manner
 * @param {Fields} fields
 */
const hasName = ({ name }, fields) => !name || (typeof fields[name] === "string" && fields[name] !== "");

/**
 * The request of a tool of which nothing is known.
 * @param {Interrupt} interrupt
 * @returns {PermissionRequest}
 */
function otherRequest({ tool, input, leads_to }) {
  const [, server, ofServer] = /^mcp__(.+?)__(.+)$/.exec(tool ?? "") ?? [];
  const name = shortLine(ofServer ?? tool ?? "");
  const isSaid = name === (ofServer ?? tool ?? "") && shortLine(server ?? "") === (server ?? "");
  return {
    key: server ? "ask.do.mcp" : tool ? "ask.do.tool" : "ask.permission",
    names: server ? { name, server: shortLine(server) } : { name },
    lines: null,
    leadsTo: pathLine(leads_to ?? ""),
    first: null,
    plan: "",
    edits: [],
    rest: [...(isSaid ? [] : toolInputRows({ tool })), ...toolInputRows(input)],
    folder: "",
  };
}

/**
 * Puts a request into words.
 * @param {PermissionRequest} request
 * @param {Translate} t
 * @returns {{text: string, isName: boolean}[]}
 */
export function requestWords({ key, names, lines }, t) {
  const words = namedWords(t(key), names);
  return lines === null ? words : [...words, { text: ` ${plural(t, "ask.lines", lines)}`, isName: false }];
}

/**
 * Splits a text in which names stand in backquotes. A name may hold anything.
 * @param {string} text with `{blanks}` inside of backquotes
 * @param {Record<string, string>} names
 */
export function namedWords(text, names) {
  return text
    .split("`")
    .map((piece, i) => ({
      text: piece.replace(/\{(\w+)\}/g, (whole, name) => names[name] ?? whole),
      isName: i % 2 === 1,
    }))
    .filter((piece) => piece.text);
}

/**
 * Says in one line what a permission is asked for. A command, and what is given to a tool of which nothing is known,
 * follows the words.
 * @param {Interrupt} interrupt
 * @param {Translate} t
 */
export function requestLine(interrupt, t) {
  const request = permissionRequest(interrupt);
  const words = requestWords(request, t)
    .map(({ text }) => text)
    .join("");
  const isUnknown = ["ask.do.mcp", "ask.do.tool", "ask.permission"].includes(request.key);
  const first = request.plan || request.first?.value;
  const given = first ?? request.rest[0]?.value ?? (interrupt.tool ? "" : interrupt.message);
  const subject = isUnknown || !request.names.name ? shortLine(given) : "";
  return subject ? `${words}: ${subject}` : words;
}

/**
 * Names a file as seen from the folder that it lies in. A path that could be mistaken stays whole.
 * @param {string} path
 * @param {string} folder
 */
function relativePath(path, folder) {
  const start = folder.endsWith("/") ? folder : `${folder}/`;
  const inside = path.startsWith(start) && start !== "/" ? path.slice(start.length) : "";
  const isPlain = !inside.startsWith("~") && inside.split("/").every((name) => !["", ".", ".."].includes(name));
  return isPlain ? inside : path;
}

/** @param {string} text */
const shortLine = (text) => clipMiddle(escapeInvisible(text).replace(/\s+/g, " ").trim(), MAX_NAME);

/**
 * A whole path in one line, whatever its names hold.
 * @param {string} path
 */
const pathLine = (path) => escapeInvisible(path).replaceAll("\n", "⟨U+000A⟩").replaceAll("\t", "⟨U+0009⟩");

/** @param {unknown} text */
const countLines = (text) =>
  typeof text !== "string" ? null : text === "" ? 0 : text.replace(/\n$/, "").split("\n").length;

/** @param {unknown} value */
const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
