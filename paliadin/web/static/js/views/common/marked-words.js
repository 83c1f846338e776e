/** Marks in a text the words that were searched. */
import { h } from "../../browser/dom.js";

/**
 * Marks each place at which the words stand.
 * @param {string} text
 * @param {string} words
 * @returns {(string|HTMLElement)[]} what an element is to hold
 */
export function markWords(text, words) {
  if (!words) return [text];
  const wanted = new RegExp(`(${words.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&")})`, "giu");
  return text.split(wanted).map((part, i) => (i % 2 ? h("mark", {}, part) : part));
}
