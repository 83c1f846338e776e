/** The demo's example questions as buttons, in the empty conversation and in the demo's banner. */
import { h } from "../../browser/dom.js";

/** @type {string[]} always the same array, so that nothing is drawn anew */
export const NO_QUESTIONS = [];

/**
 * @param {string[]} questions
 * @param {(question: string) => void} ask
 * @returns {HTMLElement[]}
 */
export function drawExampleQuestions(questions, ask) {
  return questions.map((question) =>
    h("button", { type: "button", class: "starter", dir: "auto", onclick: () => ask(question) }, question),
  );
}
