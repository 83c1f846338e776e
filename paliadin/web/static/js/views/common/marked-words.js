/** Marks in a text the words that were searched. */
import { h } from "../../browser/dom.js";

/**
 * Marks the first place at which the words stand.
 * @param {string} text
 * @param {string} words
 * @returns {(string|HTMLElement)[]} what an element is to hold
 */
export function markWords(text, words) {
  const at = words ? text.toLowerCase().indexOf(words.toLowerCase()) : -1;
  if (at < 0) return [text];
  return [text.slice(0, at), h("mark", {}, text.slice(at, at + words.length)), text.slice(at + words.length)];
}
