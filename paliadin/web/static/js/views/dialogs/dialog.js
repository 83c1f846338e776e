import { h } from "../../browser/dom.js";
import { icon } from "../../browser/icons.js";
import { ApiError } from "../../daemon/api.js";
import { explainFailure } from "../../texts/i18n.js";

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

/**
 * Returns a function that shows the failure of a request in the dialog.
 * @param {import("../common/context.js").BaseContext} context
 * @param {HTMLElement} state
 */
export function attemptIn({ t, lang }, state) {
  return async (/** @type {() => Promise<void>} */ act) => {
    state.classList.remove("failed");
    try {
      await act();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      state.classList.add("failed");
      const { title, detail, hint } = explainFailure(t, lang, error.failure);
      state.textContent = [title, detail, hint].filter(Boolean).join(" ");
    }
  };
}
