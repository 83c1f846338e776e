import { h } from "../../browser/dom.js";

/**
 * Asks the user in a dialog whether to go on.
 * @param {Element|ShadowRoot} parent
 * @param {{title: string, text: string, yes: string, no: string}} words
 * @returns {Promise<boolean>} false also for Escape
 */
export function askToConfirm(parent, { title, text, yes, no }) {
  const dialog = h("dialog", { class: "dialog", "aria-label": title });
  const close = (/** @type {string} */ value) => () => dialog.close(value);
  dialog.append(
    h("h2", {}, title),
    h("p", {}, text),
    h(
      "div",
      { class: "card-buttons" },
      h("button", { type: "button", class: "primary", onclick: close("yes") }, yes),
      h("button", { type: "button", onclick: close("") }, no),
    ),
  );
  parent.append(dialog);
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(dialog.returnValue === "yes");
    });
  });
}
