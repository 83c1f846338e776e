/** The starters of the page that the user is looking at, and the demo's example questions, as buttons. */
import { h } from "../../browser/dom.js";

/** @type {string[]} always the same array, so that nothing is drawn anew */
export const NO_QUESTIONS = [];

/**
 * @param {import("./context.js").Starter[]} starters
 * @param {Pick<import("./context.js").Context, "fillInput"|"ask">} context
 * @returns {HTMLElement[]}
 */
export function drawStarters(starters, { fillInput, ask }) {
  // A prompt that ends in a blank is completed by the user.
  return starters.map(({ label, prompt }) => drawStarter(label, /\s$/.test(prompt) ? fillInput : ask, prompt));
}

/**
 * @param {string[]} questions
 * @param {(question: string) => void} ask
 */
export const drawExampleQuestions = (questions, ask) => questions.map((question) => drawStarter(question, ask));

/**
 * @param {string} label
 * @param {(prompt: string) => unknown} act
 */
function drawStarter(label, act, prompt = label) {
  return h("button", { type: "button", class: "starter", dir: "auto", onclick: () => act(prompt) }, label);
}
