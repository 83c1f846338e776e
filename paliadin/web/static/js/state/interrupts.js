/**
 * The questions of an interrupt, and the reply to them. Pure.
 * @typedef {import("../types.js").Interrupt} Interrupt
 * @typedef {import("../types.js").Question} Question
 * @typedef {import("../types.js").Option} Option
 * @typedef {import("../types.js").ReplyValue} ReplyValue
 * @typedef {import("../types.js").Turn} Turn
 * @typedef {{labels: string[], other: string}} Choice the ticked labels, and a text of the user's own ("" for none)
 * @typedef {{turnId: string, interrupt: Interrupt}} OpenInterrupt
 */
import { isRunning } from "./turns.js";

/**
 * The questions of an interrupt in one shape: from its list, or the interrupt itself as the only one.
 * @param {Interrupt} interrupt
 * @returns {Question[]} at least one
 */
export function questionsOf(interrupt) {
  const { questions = [], options = [], message, multi = false } = interrupt;
  if (questions.length === 0) return [{ question: message, header: "", multi, options: options.map(toOption) }];
  return questions.map((raw) => ({
    question: raw.question,
    header: raw.header ?? "",
    multi: raw.multi ?? raw.multiSelect ?? false,
    options: (raw.options ?? []).map(toOption),
  }));
}

/**
 * @param {Partial<Option>} raw
 * @returns {Option}
 */
function toOption(raw) {
  const label = raw.label ?? raw.id ?? "";
  return { id: raw.id ?? label, label, description: raw.description ?? "", preview: raw.preview ?? "" };
}

/**
 * Whether anything is chosen or written.
 * @param {Choice} choice
 */
export const isChosen = ({ labels, other }) => labels.length > 0 || other.trim() !== "";

/**
 * The reply to send: one value for one question, an object of question text → value for several.
 * @param {Question[]} questions
 * @param {Choice[]} choices one for each question
 * @returns {ReplyValue}
 */
export function replyValue(questions, choices) {
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
  return multi ? all : (all.at(-1) ?? "");
}

/**
 * Puts a reply into words, whether it came from this page, another one or the terminal.
 * @param {unknown} value
 * @returns {string}
 */
export function describeReply(value) {
  if (value === null || value === undefined) return "";
  if (Array.isArray(value)) return value.map(describeReply).join(", ");
  if (typeof value !== "object") return String(value);
  return Object.values(value).map(describeReply).join(" · ");
}

/** @type {("permission"|"question"|"login"|"dialog")[]} */
const ASKED_THERE = ["permission", "question", "login"];

/**
 * A dialog in the terminal: what it asks, and what the terminal shows of it.
 * @param {Interrupt} interrupt
 */
export function dialogOf({ input }) {
  const { screen, asks } = /** @type {Record<string, unknown>} */ (isObject(input) ? input : {});
  return {
    screen: typeof screen === "string" ? screen : "",
    asks: ASKED_THERE.find((kind) => kind === asks) ?? "dialog",
  };
}

/**
 * The previews of what was chosen: of the options whose labels are in the reply.
 * @param {Interrupt} interrupt
 * @param {unknown} value the reply
 * @returns {Option[]}
 */
export function chosenPreviews(interrupt, value) {
  const questions = questionsOf(interrupt);
  return questions.flatMap(({ question, multi, options }) => {
    const reply = questions.length > 1 && isObject(value) ? Reflect.get(value, question) : value;
    const labels = Array.isArray(reply) ? reply : multi && typeof reply === "string" ? reply.split(", ") : [reply];
    return options.filter(({ label, preview }) => preview && labels.includes(label));
  });
}

/** @param {unknown} value @returns {value is object} */
const isObject = (value) => value !== null && typeof value === "object";

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
 * The interrupts that wait for a reply. A turn that is answered waits for none, whatever was left open.
 * @param {Turn[]} turns
 * @returns {OpenInterrupt[]} in the order in which they were asked
 */
export const openInterrupts = (turns) =>
  turns.filter(isRunning).flatMap((turn) => turn.interrupts.map((interrupt) => ({ turnId: turn.id, interrupt })));

/**
 * Those of them that hold up what is typed: not a permission for an agent, beside which Claude takes questions, nor a
 * dialog of the terminal, which is not replied to here.
 * @param {Turn[]} turns
 */
export const holdingUp = (turns) =>
  openInterrupts(turns.filter(({ askedBy }) => !askedBy))
    .concat(
      openInterrupts(turns.filter(({ askedBy }) => askedBy)).filter(({ interrupt }) => interrupt.kind !== "permission"),
    )
    .filter(({ interrupt }) => interrupt.kind !== "dialog");
