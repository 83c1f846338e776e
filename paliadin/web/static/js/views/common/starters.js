/** The starters of the page that the user is looking at, as buttons. */
import { h } from "../../browser/dom.js";

/**
 * @param {import("./context.js").Starter[]} starters
 * @param {Pick<import("./context.js").Context, "fillInput"|"ask">} context
 * @returns {HTMLElement[]}
 */
export function drawStarters(starters, { fillInput, ask }) {
  return starters.map(({ label, prompt }) => {
    // A prompt that ends in a blank is completed by the user.
    const act = () => (/\s$/.test(prompt) ? fillInput(prompt) : ask(prompt));
    return h("button", { type: "button", class: "starter", dir: "auto", onclick: act }, label);
  });
}
