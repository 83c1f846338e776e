/**
 * Draws a Markdown text of Claude's on a card, with the renderer of the answers. Until that has come, the text is shown
 * as it is.
 */
import { h } from "../../browser/dom.js";

/**
 * @param {import("../common/context.js").Context} context
 * @param {string} text
 * @param {string} className
 * @returns {HTMLElement}
 */
export function drawMarkdown(context, text, className) {
  const el = h("div", { class: className }, h("pre", { class: "as-text" }, text));
  import("../turn/prose.js")
    .then(({ createProse }) => {
      const prose = createProse(context);
      prose.update(text, true);
      for (const each of prose.el.querySelectorAll("details")) each.open = true; // what is to be judged hides nothing
      el.replaceChildren(prose.el);
    })
    .catch(reportError); // it is read as text
  return el;
}

/**
 * Whether a Markdown text has a part that is not shown when it is rendered: a comment, or a definition.
 * @param {string} text
 */
export const hidesPart = (text) => /<!--|^[ >\t]*\[[^\]\n]+\]:/m.test(text);
