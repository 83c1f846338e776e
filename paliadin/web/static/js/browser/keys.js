/**
 * Keys that are pressed. All handlers of the pages listen through this module, which keeps the keys of an input method
 * (IME) from them: Enter picks a character there, Escape gives a word up, and digits and arrows choose from its list.
 */

/** What `keyCode` says of a key that an input method has taken. No other key has this number. */
const TAKEN_BY_IME = 229;

/**
 * Whether an input method has taken the key. Safari ends the composition before it fires the Enter that confirms it, so
 * `isComposing` is false there: only the number says so.
 * @param {Pick<KeyboardEvent, "isComposing"|"keyCode">} event
 */
export const isImeKey = ({ isComposing, keyCode }) => isComposing || keyCode === TAKEN_BY_IME;

/**
 * @param {EventTarget} target
 * @param {(event: KeyboardEvent) => unknown} act
 * @param {{released?: boolean, capture?: boolean, signal?: AbortSignal}} [options] `released`: once the key is up
 * @returns {() => void} stops listening
 */
export function listenToKeys(target, act, { released, ...options } = {}) {
  const type = released ? "keyup" : "keydown";
  /** @param {Event} event */
  const listen = (event) => {
    // A browser that fills a form in fires a bare Event, which has no key.
    if ("key" in event && !isImeKey(/** @type {KeyboardEvent} */ (event))) act(/** @type {KeyboardEvent} */ (event));
  };
  target.addEventListener(type, listen, options);
  return () => target.removeEventListener(type, listen, options);
}
