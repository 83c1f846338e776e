/**
 * Leads from a claim to the line of a tool's result that holds it, and back. The page has a part of a long result only:
 * a line that is not in it is shown beside it.
 * @typedef {import("../../types.js").ClaimSource} ClaimSource
 * @typedef {import("../common/context.js").Context} Context
 */
import { h } from "../../browser/dom.js";
import { icon } from "../../browser/icons.js";
import { escapeInvisible } from "../../texts/format.js";
import { shortWords } from "./claim-words.js";

/** Frames that a turn far from the screen may take to be drawn once it is near. */
const MAX_FRAMES = 60;

/**
 * @param {Element} answer of the claim
 * @param {ClaimSource} source
 * @returns {HTMLElement|null} the turn that the source is in, if it is on the page
 */
export function turnOfSource(answer, { turn_id }) {
  const own = answer.closest(".turn");
  const turn = turn_id ? own?.parentElement?.querySelector(`[data-turn="${CSS.escape(turn_id)}"]`) : own;
  return turn instanceof HTMLElement ? turn : null;
}

/**
 * @param {Context} context
 * @param {HTMLElement} turn that the source is in
 * @param {string} words of the claim
 * @param {ClaimSource} source
 * @param {HTMLElement} from where the reader comes from
 */
export async function leadToSource({ t, leaveEnd }, turn, words, source, from) {
  leaveEnd?.();
  const find = () => {
    if (turn.classList.contains("turn-blank")) return null;
    const selector = source.origin === "call" ? `[data-call="${CSS.escape(source.call)}"]` : ".question-text";
    const found = turn.querySelector(selector);
    return found instanceof HTMLElement ? found : null;
  };
  if (!find()) turn.scrollIntoView();
  for (let frames = 0; !find() && frames < MAX_FRAMES; frames += 1) await new Promise(requestAnimationFrame);
  const target = find();
  if (!target) return;
  const place = source.origin === "call" ? openCall(target, words, source, t, () => goTo(from)) : target;
  goTo(place);
}

/**
 * Brings an element into sight, of a marked line the value, and gives it the focus.
 * @param {HTMLElement} el
 */
export function goTo(el) {
  if (el.tabIndex < 0) el.tabIndex = -1;
  (el.querySelector(".source-value") ?? el).scrollIntoView({ block: "center" });
  el.focus({ preventScroll: true });
}

/**
 * Unfolds a call, and marks the line in its result or shows it above.
 * @param {HTMLElement} step
 * @param {string} words of the claim
 * @param {ClaimSource} source
 * @param {Context["t"]} t
 * @param {() => void} back
 * @returns {HTMLElement} what to look at
 */
function openCall(step, words, source, t, back) {
  for (
    let details = step.querySelector("details");
    details;
    details = details.parentElement?.closest("details") ?? null
  )
    details.open = true;
  clearSources(step.getRootNode());
  const output = step.querySelector("pre.step-output");
  const line = output instanceof HTMLElement ? markLine(output, words, source) : null;
  const button = h("button", { type: "button", class: "quiet small", onclick: back }, icon("back"), t("claims.back"));
  const note = h("div", { class: "source-note" }, h("p", {}, nameSource(words, source, t)), button);
  const excerpt = h("p", { class: "source-line" }, escapeInvisible(source.text));
  if (!line && source.text) note.append(h("p", {}, t("claims.source.cut")), excerpt);
  const place = output ?? step.querySelector(".step-more");
  if (output) output.before(note);
  else place?.append(note);
  return line ?? (source.text ? excerpt : note);
}

/**
 * Says where a claim comes from: the field of JSON and its record, or the line.
 * @param {string} text
 * @param {ClaimSource} source
 * @param {Context["t"]} t
 */
function nameSource(text, { line, field, record }, t) {
  if (line === null) return t("claims.source", { text });
  const words = { text, line, field: shortWords(field), record: shortWords(record) };
  if (!field) return t("claims.source.line", words);
  return t(record ? "claims.source.record" : "claims.source.field", words);
}

/**
 * Takes away what an earlier claim has shown: its line would look like the source of this one.
 * @param {Node} root
 */
function clearSources(root) {
  if (!(root instanceof Document || root instanceof DocumentFragment)) return;
  root.querySelectorAll(".source-note").forEach((old) => old.remove());
  for (const mark of root.querySelectorAll("mark.source-line")) {
    const output = mark.parentElement;
    mark.replaceWith(mark.textContent ?? "");
    output?.normalize();
  }
}

/**
 * Marks a line of an output, and in it the words of the claim, where it has them as they are.
 * @param {HTMLElement} output
 * @param {string} said
 * @param {ClaimSource} source
 * @returns {HTMLElement|null} null if the line is not there
 */
function markLine(output, said, { line, text }) {
  const lines = (output.textContent ?? "").split("\n");
  // What is left of a line that was shortened, perhaps in its middle.
  const words = escapeInvisible(text)
    .split("…")
    .map((piece) => piece.trim())
    .reduce((longest, piece) => (piece.length > longest.length ? piece : longest), "");
  const holds = (/** @type {string|undefined} */ each) => Boolean(words && each?.includes(words));
  const index = line !== null && holds(lines[line - 1]) ? line - 1 : lines.findIndex(holds);
  if (index < 0) return null;
  const before = lines.slice(0, index).map((each) => `${each}\n`);
  const after = lines.slice(index + 1).map((each) => `\n${each}`);
  const whole = lines[index] ?? "";
  const at = said ? whole.indexOf(said) : -1;
  const value = at < 0 ? null : h("strong", { class: "source-value" }, said);
  const pieces = value ? [whole.slice(0, at), value, whole.slice(at + said.length)] : [whole];
  output.replaceChildren(before.join(""), h("mark", { class: "source-line" }, ...pieces), after.join(""));
  return output.querySelector("mark");
}
