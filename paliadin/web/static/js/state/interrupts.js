/**
 * Questions back to the user, and the value that answers them. Pure.
 * @typedef {import("./types.js").Interrupt} Interrupt
 * @typedef {import("./types.js").Question} Question
 * @typedef {import("./types.js").Option} Option
 * @typedef {import("./types.js").AnswerValue} AnswerValue
 * @typedef {{labels: string[], other: string}} Choice what was ticked, and free text ("" for none)
 */
import { clip, inputRows, visible } from "./format.js";

/**
 * @param {Interrupt} interrupt
 * @returns {Question[]} at least one
 */
export function questionsOf(interrupt) {
  const { questions = [], options = [], message, multi = false } = interrupt;
  if (questions.length === 0) return [{ question: message, header: "", multi, options: options.map(option) }];
  return questions.map((raw) => ({
    question: raw.question,
    header: raw.header ?? "",
    multi: raw.multi ?? raw.multiSelect ?? false,
    options: (raw.options ?? []).map(option),
  }));
}

/**
 * @param {Partial<Option>} raw
 * @returns {Option}
 */
function option(raw) {
  const label = raw.label ?? raw.id ?? "";
  return { id: raw.id ?? label, label, description: raw.description ?? "" };
}

/** @param {Choice} choice */
export const isAnswered = ({ labels, other }) => labels.length > 0 || other.trim() !== "";

/**
 * @param {Question[]} questions
 * @param {Choice[]} choices one for each question
 * @returns {AnswerValue}
 */
export function answerValue(questions, choices) {
  const values = questions.map((question, index) => oneValue(question, choices[index] ?? { labels: [], other: "" }));
  if (values.length === 1) return values[0] ?? "";
  return Object.fromEntries(questions.map(({ question }, index) => [question, values[index] ?? ""]));
}

/**
 * @param {Question} question
 * @param {Choice} choice
 */
function oneValue({ multi }, { labels, other }) {
  const all = other.trim() ? [...labels, other.trim()] : labels;
  return multi ? all : all.at(-1) ?? "";
}

/**
 * An answer in words: what the page, another page or the terminal said.
 * @param {unknown} value
 * @returns {string}
 */
export function describeAnswer(value) {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map(describeAnswer).join(", ");
  if (typeof value !== "object") return String(value);
  return Object.values(value).map(describeAnswer).join(" · ");
}

/**
 * What a permission is about, in one line: a tool's input tells most in its first value.
 * @param {Interrupt} interrupt
 */
export function subject({ tool, input, message }) {
  const value = inputRows(input)[0]?.value ?? (tool ? "" : visible(message));
  return clip(value.replace(/\s+/g, " ").trim(), 80);
}

/**
 * @param {Interrupt} interrupt
 * @returns {Option[]} the buttons of a permission card
 */
export function permissionOptions({ options }) {
  if (options && options.length > 0) return options;
  return [
    { id: "allow", label: "Allow" },
    { id: "deny", label: "Deny" },
  ];
}

/**
 * @param {import("./types.js").Turn[]} turns
 * @returns {{turnId: string, interrupt: Interrupt}[]} in the order in which they were asked
 */
export const openAsks = (turns) => turns.flatMap((turn) => turn.interrupts.map((interrupt) => ({ turnId: turn.id, interrupt })));
