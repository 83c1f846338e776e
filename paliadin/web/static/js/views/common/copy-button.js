import { h } from "../../browser/dom.js";
import { icon } from "../../browser/icons.js";

/**
 * A button that copies a text and shows for a moment whether that worked.
 * @param {() => string} text
 * @param {string} label
 * @param {import("./context.js").Context["t"]} t
 * @param {import("../../browser/icons.js").Icon} [mark]
 */
export function createCopyButton(text, label, t, mark = "copy") {
  const status = h("span", { role: "status" });
  const button = h(
    "button",
    { type: "button", class: "quiet small copy", "aria-label": label, title: label, onclick: copy },
    icon(mark),
    status,
  );

  async function copy() {
    const copied = await writeClipboard(text());
    button.firstChild?.replaceWith(icon(copied ? "check" : "cross"));
    status.textContent = t(copied ? "copy.done" : "copy.failed");
    setTimeout(() => {
      button.firstChild?.replaceWith(icon(mark));
      status.textContent = "";
    }, 1500);
  }
  return button;
}

/**
 * @param {string} text
 * @returns {Promise<boolean>} false without permission, or on a page that came over plain HTTP from another machine
 */
async function writeClipboard(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
