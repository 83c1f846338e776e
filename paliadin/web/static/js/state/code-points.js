/** Counts text as the daemon does, in code points of Unicode: JavaScript counts an emoji twice. Pure. */

const SURROGATE = /[\ud800-\udfff]/;

/**
 * @param {string} text
 * @returns {number} of code points
 */
export function codePoints(text) {
  return SURROGATE.test(text) ? countFrom(text) : text.length;
}

/**
 * @param {string} text
 * @param {number} count of code points
 * @returns {number} the index behind that many code points, or the end
 */
export function indexOfCodePoint(text, count) {
  const start = text.slice(0, count);
  if (!SURROGATE.test(start)) return start.length;
  let index = 0;
  for (let left = count; left > 0 && index < text.length; left -= 1) index += widthAt(text, index);
  return index;
}

/** @param {string} text */
function countFrom(text) {
  let count = 0;
  for (let index = 0; index < text.length; index += widthAt(text, index)) count += 1;
  return count;
}

/**
 * @param {string} text
 * @param {number} index
 */
const widthAt = (text, index) => ((text.codePointAt(index) ?? 0) > 0xffff ? 2 : 1);
