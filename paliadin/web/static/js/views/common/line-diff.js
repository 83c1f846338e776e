/**
 * Compares two texts line by line. Pure.
 * @typedef {{mark: " "|"-"|"+", text: string}} Line
 */

/** Beyond this many comparisons the whole old text is shown as removed, the whole new one as added. */
const MAX_COMPARISONS = 1_000_000;

/**
 * @param {string} before
 * @param {string} after
 * @returns {Line[]} " " for lines in both texts, "-" for removed ones, "+" for added ones
 */
export function diffLines(before, after) {
  // A newline at the end begins no line, unless only one of the texts has it.
  const alike = !before || !after || before.endsWith("\n") === after.endsWith("\n");
  const [old, now] = [lines(before, alike), lines(after, alike)];
  if (old.length * now.length > MAX_COMPARISONS) return [...mark("-", old), ...mark("+", now)];
  const common = commonLengths(old, now);
  /** @type {Line[]} */
  const out = [];
  let [i, j] = [0, 0];
  while (i < old.length && j < now.length) {
    if (old[i] === now[j]) {
      out.push({ mark: " ", text: old[i] ?? "" });
      i += 1;
      j += 1;
    } else if ((common[i + 1]?.[j] ?? 0) >= (common[i]?.[j + 1] ?? 0)) out.push({ mark: "-", text: old[i++] ?? "" });
    else out.push({ mark: "+", text: now[j++] ?? "" });
  }
  return [...out, ...mark("-", old.slice(i)), ...mark("+", now.slice(j))];
}

/**
 * @param {string} text
 * @param {boolean} withoutEnd
 */
const lines = (text, withoutEnd) => (text === "" ? [] : (withoutEnd ? text.replace(/\n$/, "") : text).split("\n"));

/**
 * @param {Line["mark"]} sign
 * @param {string[]} texts
 * @returns {Line[]}
 */
const mark = (sign, texts) => texts.map((text) => ({ mark: sign, text }));

/**
 * For each pair of positions, how many lines the rests of both lists have in common (longest common subsequence).
 * @param {string[]} old
 * @param {string[]} now
 */
function commonLengths(old, now) {
  const table = Array.from({ length: old.length + 1 }, () => new Uint32Array(now.length + 1));
  for (let i = old.length - 1; i >= 0; i -= 1) {
    for (let j = now.length - 1; j >= 0; j -= 1) {
      const same = old[i] === now[j];
      const row = /** @type {Uint32Array} */ (table[i]);
      row[j] = same ? (table[i + 1]?.[j + 1] ?? 0) + 1 : Math.max(table[i + 1]?.[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  return table;
}
