/** Edits a text in its place: Enter saves, Shift+Enter begins a line, Escape leaves it as it was. */
import { h } from "../../browser/dom.js";
import { listenToKeys } from "../../browser/keys.js";

/** Of the window's height. */
const MAX_HEIGHT = 0.4;

/**
 * @param {object} options
 * @param {import("./context.js").Context["t"]} options.t
 * @param {string} options.text
 * @param {string} options.label
 * @param {string} options.save the button's text
 * @param {string} [options.hint]
 * @param {(text: string) => Promise<boolean>} options.onSave whether it was saved
 * @param {() => void} options.onClose called once the editor is gone
 */
export function createInlineEditor({ t, text, label, save, hint, onSave, onClose }) {
  const input = h("textarea", { rows: 1, "aria-label": label, dir: "auto" });
  const submit = h("button", { type: "submit", class: "small primary" }, save);
  const cancel = h("button", { type: "button", class: "small", onclick: close }, t("edit.cancel"));
  const el = h(
    "form",
    { class: "inline-editor" },
    input,
    h("div", { class: "inline-editor-foot" }, hint && h("p", {}, hint), h("div", {}, cancel, submit)),
  );
  input.value = text;

  function grow() {
    input.style.height = "auto";
    input.style.height = `${Math.min(input.scrollHeight + 2, innerHeight * MAX_HEIGHT)}px`;
  }

  function close() {
    el.remove();
    onClose();
  }

  async function send() {
    const words = input.value.trim();
    if (!words || submit.disabled) return;
    submit.disabled = cancel.disabled = input.readOnly = true;
    if (await onSave(words)) return el.isConnected && close();
    submit.disabled = cancel.disabled = input.readOnly = false;
    input.focus();
  }

  input.addEventListener("input", () => {
    grow();
    submit.disabled = input.value.trim() === "";
  });
  listenToKeys(el, (event) => {
    if (event.key === "Escape") {
      event.preventDefault();
      event.stopPropagation(); // else it would stop the turn, or close the drawer
      if (!input.readOnly) close();
    } else if (event.key === "Enter" && !event.shiftKey && event.target === input) {
      event.preventDefault();
      send();
    }
  });
  el.addEventListener("submit", (event) => {
    event.preventDefault();
    send();
  });

  return {
    el,
    /** The text if it was changed, and is not on its way; else "". */
    unsaved: () => (input.value.trim() === text.trim() || input.readOnly ? "" : input.value),
    focus() {
      grow();
      input.focus();
      input.setSelectionRange(input.value.length, input.value.length);
    },
  };
}
