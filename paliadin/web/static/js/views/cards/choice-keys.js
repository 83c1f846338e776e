/** The keys 1 to 9 choose what a card offers, wherever they cannot be meant as text. */
import { listenToKeys } from "../../browser/keys.js";

const TAKES_TEXT = "textarea, select, input:not([type=radio], [type=checkbox], [type=button]), [contenteditable]";

/**
 * @param {Document|HTMLElement} place what hears the keys: the document, or in a drawer only the conversation
 * @param {HTMLElement} view the conversation
 * @param {(event: KeyboardEvent, target: Element) => void} press
 * @returns {() => void} stops listening
 */
export function listenForChoices(place, view, press) {
  return listenToKeys(place, (event) => {
    if (event.defaultPrevented) return;
    const target = event.composedPath()[0];
    const isPlain = /^[1-9]$/.test(event.key) && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (isPlain && target instanceof Element && isFree(target, view)) press(event, target);
  });
}

/**
 * Whether a key that is pressed there may be meant for a card of the conversation.
 * @param {Element} target
 * @param {HTMLElement} view
 */
function isFree(target, view) {
  if (target.matches(TAKES_TEXT)) return false;
  const dialog = target.closest("dialog");
  if (view.contains(target)) return !dialog || dialog.contains(view);
  return target === document.body && !document.querySelector("dialog:modal");
}
