/**
 * Draws Markdown that Claude shows with what it asks, such as a plan. Until the renderer has come, it is shown as text.
 * @typedef {import("./context.js").Context} Context
 */
import { h } from "../../browser/dom.js";
import { escapeInvisible } from "../../texts/format.js";

/**
 * @param {Context} context
 * @param {string} text with its invisible characters written out
 * @param {string} className
 * @returns {HTMLElement}
 */
export function drawMarkdown({ drawProse }, text, className) {
  const el = h("div", { class: className }, h("pre", { class: "as-text" }, text));
  drawProse(text)
    .then((prose) => {
      for (const each of prose.querySelectorAll("details")) each.open = true; // what is to be judged hides nothing
      el.replaceChildren(prose);
    })
    .catch(reportError); // it is read as text
  return el;
}

let count = 0;

/**
 * Draws what an option would look like.
 * @param {Context} context
 * @param {import("../../types.js").Option} option
 */
export function drawPreview(context, { label, preview = "" }) {
  const el = drawMarkdown(context, escapeInvisible(preview), "option-preview");
  el.id = `preview-${(count += 1)}`;
  el.tabIndex = 0; // the keyboard can scroll it
  el.setAttribute("role", "group");
  el.setAttribute("aria-label", context.t("ask.preview", { name: escapeInvisible(label) }));
  return el;
}
