import { h } from "../dom.js";
import { icon } from "../icons.js";

/**
 * A button that copies a text, and says so.
 * @param {() => string} text
 * @param {string} label
 * @param {import("./context.js").Context["t"]} t
 * @param {import("../icons.js").Icon} [mark]
 */
export function createCopy(text, label, t, mark = "copy") {
  const said = h("span", { role: "status" });
  const button = h("button", { type: "button", class: "quiet small copy", "aria-label": label, title: label, onclick: copy }, icon(mark), said);

  async function copy() {
    const copied = await write(text());
    button.firstChild?.replaceWith(icon(copied ? "check" : "cross"));
    said.textContent = t(copied ? "copy.done" : "copy.failed");
    setTimeout(() => {
      button.firstChild?.replaceWith(icon(mark));
      said.textContent = "";
    }, 1500);
  }
  return button;
}

/**
 * @param {string} text
 * @returns {Promise<boolean>} false without permission, or on a page that came over plain HTTP from another machine
 */
async function write(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
