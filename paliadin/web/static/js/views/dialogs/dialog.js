import { h } from "../../browser/dom.js";
import { icon } from "../../browser/icons.js";

/**
 * Opens a dialog over the page. Escape and its button close it, and it is removed then.
 * @param {Element} parent
 * @param {object} content
 * @param {string} content.title
 * @param {string} content.close
 * @param {Node[]} content.body
 * @param {string} [content.className]
 */
export function openDialog(parent, { title, close, body, className = "" }) {
  const cross = h(
    "button",
    { type: "button", class: "icon-button", "aria-label": close, title: close, onclick: () => dialog.close() },
    icon("cross"),
  );
  const dialog = h(
    "dialog",
    { class: `dialog ${className}`, "aria-label": title },
    h("div", { class: "dialog-head" }, h("h2", {}, title), cross),
    ...body,
  );
  dialog.addEventListener("close", () => dialog.remove());
  parent.append(dialog);
  dialog.showModal();
  return dialog;
}
