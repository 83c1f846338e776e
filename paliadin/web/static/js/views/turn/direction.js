/**
 * From which side the blocks of an answer are read. Each block goes by its own first letter (`dir="auto"`), and so do a
 * list, a table and a quotation as a whole: their parts have no direction of their own, or they would not count.
 */

/** Is read from left to right in any language, and says nothing about the text around it. */
const LEFT_TO_RIGHT = "pre, code, .formula";
/** Words of another text: they stand in this one, and do not choose its direction. */
const APART = ".footnote-mark, .footnote-reference, .callout-title";

const FROM_THE_RIGHT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** @param {HTMLElement} block */
export function setDirection(block) {
  block.dir = "auto";
  setAll(block, LEFT_TO_RIGHT, "ltr");
  setAll(block, APART, "auto");
  for (const link of block.querySelectorAll("a"))
    if (/^(?:https?:\/\/|mailto:|www\.)\S+$/.test(link.textContent ?? "")) link.dir = "ltr";
  // "Done." in a list in Hebrew: its mark stays where those of the others are, and its full stop stands behind it.
  for (const item of block.querySelectorAll("li"))
    item.classList.toggle("from-left", !FROM_THE_RIGHT.test(item.textContent ?? ""));
}

/**
 * @param {HTMLElement} block
 * @param {string} selector
 * @param {"ltr"|"auto"} direction
 */
function setAll(block, selector, direction) {
  for (const el of block.querySelectorAll(selector)) el.setAttribute("dir", direction);
}
