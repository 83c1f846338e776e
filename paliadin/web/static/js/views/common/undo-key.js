/** Ctrl or Cmd+Z for something else than text: wherever no text can be undone. */
import { listenToKeys } from "../../browser/keys.js";

/** @param {Element} el */
const isText = (el) => el.matches("textarea, input:not([type=radio], [type=checkbox]), [contenteditable]");

/**
 * @param {HTMLElement} target where the key is heard
 * @param {() => unknown} undo whether there was something to undo
 */
export function listenToUndo(target, undo) {
  /** What was typed into can be undone by the browser, also where it is empty now. @type {WeakSet<EventTarget>} */
  const written = new WeakSet();
  target.addEventListener("input", (event) => written.add(event.composedPath()[0] ?? target));
  listenToKeys(target, (event) => {
    if (event.key.toLowerCase() !== "z" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey) return;
    const [el] = event.composedPath();
    if (event.defaultPrevented || !(el instanceof Element) || el.closest("dialog:not(.list-drawer, .drawer)")) return;
    const isFilled = "value" in el ? el.value !== "" : el.textContent !== "";
    if (isText(el) && (isFilled || written.has(el))) return;
    if (undo()) event.preventDefault();
  });
}
