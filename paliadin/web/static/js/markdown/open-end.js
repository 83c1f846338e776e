/**
 * Makes the end of a text that is being written look as it will when there is more of it. A mark that is open is
 * closed, and one that may still become another is left out for the moment: else asterisks and addresses would come and
 * go in front of the reader, and a line of which only the hyphen is there makes the one above it a heading. Pure.
 *
 * @typedef {import("../../vendor/marked.js").Token} Token
 */
import { lexMarkdown } from "./block-splitter.js";
import { MAX_FORMULA, isFormula, mayGrow } from "./formulas.js";

/** A line that has only marks as yet, or a number that may become that of a list. */
const ONLY_MARKS = /^[\s>]*(?:[-*_=+#|:~`\s]+|\d{1,9}[.)]?\s*)$/;
/** The first line of a block of code that has no other as yet. */
const FENCE = /^[\s>]*(?:`{3,}|~{3,})[^`\s]*$/;
/** A line in a block of code that may become its end. */
const FENCE_END = /^[\s>]*(?:`+|~+)$/;
/** In a list or a quotation. */
const FENCES = /^[\s>]*(?:(?:[-*+]|\d+[.)])\s+)*(?:`{3,}|~{3,})/gm;
const MARKS = /\\[\s\S]|`+|\*\*+|\$\$?|!?\[/g;
/** @type {Record<string, string>} */
const FORMULA_ENDS = { $$: "$$", $: "$", "\\(": "\\)", "\\[": "\\]" };
const OPEN_LINK = /^!?\[([^[\]\n]*)(?:\](?:\([^()\n]*)?)?$/;

/**
 * @param {Token[]} blocks of the text
 * @param {string} text
 * @returns {Token[]} the same array where nothing is open
 */
export function closeOpenEnd(blocks, text) {
  const last = blocks.at(-1);
  const written = text.trimEnd();
  const isEnded = text.slice(written.length).split("\n").length > 2; // an empty line follows
  if (!last || isEnded || !written.endsWith(last.raw.trimEnd())) return blocks;
  const raw = last.type === "code" ? last.raw : last.raw.trimEnd(); // that of a list may have a newline of its own
  const closed = closeBlock(last.type, raw, text.endsWith("\n"));
  return closed === raw ? blocks : [...blocks.slice(0, -1), ...lexMarkdown(closed)];
}

/**
 * @param {string} type
 * @param {string} raw
 * @param {boolean} isLine the last line is complete
 */
function closeBlock(type, raw, isLine) {
  const start = raw.lastIndexOf("\n") + 1;
  const line = raw.slice(start);
  const fences = (isLine ? raw : raw.slice(0, start)).match(FENCES)?.length ?? 0;
  const isCode = type === "code" || fences % 2 > 0;
  if (type === "table") return closeTable(isLine ? raw : raw.slice(0, start));
  const fence = isCode && start > 0 ? FENCE_END : FENCE;
  const isOpen = !isLine && ((!isCode && ONLY_MARKS.test(line)) || fence.test(line));
  const lines = isOpen ? raw.slice(0, start) : raw;
  if (isCode || type === "plain") return lines;
  const shown = isOpen ? lines.trimEnd() : lines;
  if (type === "paragraph") return closeInline(withoutRows(shown));
  const last = shown.lastIndexOf("\n") + 1;
  return shown.slice(0, last) + closeInline(shown.slice(last));
}

/**
 * A table is shown with its first row, and each row once it is whole: the columns would move.
 * @param {string} lines
 */
const closeTable = (lines) => (lines.trimEnd().split("\n").length > 2 ? lines : "");

/**
 * Leaves out lines that look like those of a table: the second one makes it a table.
 * @param {string} text
 */
function withoutRows(text) {
  let end = text.length;
  while (end > 0) {
    const start = text.lastIndexOf("\n", end - 1) + 1;
    if (!/^[ \t]*\|/.test(text.slice(start, end))) break;
    end = Math.max(start - 1, 0);
  }
  return text.slice(0, end);
}

/**
 * @param {string} text
 * @returns {string} with what is open in it closed
 */
function closeInline(text) {
  let bold = ""; // the mark that opened it
  for (MARKS.lastIndex = 0; ;) {
    const match = MARKS.exec(text);
    if (!match) return close(text.replace(/(?<![\\*])\*$/, ""), bold);
    const [mark] = match;
    const before = text.slice(0, match.index);
    const previous = text[match.index - 1] ?? " ";
    const isLast = MARKS.lastIndex === text.length;
    if (isLast && !mark.startsWith("\\") && !mark.endsWith("[")) return close(before.trimEnd(), bold);
    const formulaEnd = FORMULA_ENDS[mark];
    if (formulaEnd) {
      const end = endOfFormula(text.slice(MARKS.lastIndex, MARKS.lastIndex + MAX_FORMULA), mark, formulaEnd);
      if (end < 0) return close(before.trimEnd(), bold);
      MARKS.lastIndex += end;
    } else if (mark.startsWith("`")) {
      const end = endOfCode(text, MARKS.lastIndex, mark.length);
      if (end < 0) return close(close(text, mark), bold);
      MARKS.lastIndex = end;
    } else if (mark.startsWith("*")) {
      if (bold && /\S/.test(previous)) bold = "";
      else if (!bold && /\S/.test(text[MARKS.lastIndex] ?? " ") && !/[a-z\d]/i.test(previous)) bold = mark;
    } else if (mark.endsWith("[")) {
      const label = OPEN_LINK.exec(text.slice(match.index))?.[1];
      if (label !== undefined) return close(before + label, bold);
    }
  }
}

/**
 * @param {string} text behind the mark that may open a formula
 * @param {string} mark
 * @param {string} closing
 * @returns {number} the index behind the formula, 0 if there is none, or -1 for one whose end is still to come
 */
function endOfFormula(text, mark, closing) {
  const end = text.indexOf(closing);
  if (end >= 0) return isFormula(text.slice(0, end).trim()) ? end + closing.length : 0;
  return mayGrow(mark, text) ? -1 : 0;
}

/**
 * @param {string} text
 * @param {number} from
 * @param {number} length of the backquotes
 * @returns {number} the index behind the same number of backquotes, or -1
 */
function endOfCode(text, from, length) {
  for (const match of text.slice(from).matchAll(/`+/g))
    if (match[0].length === length) return from + match.index + length;
  return -1;
}

/**
 * @param {string} text
 * @param {string} mark
 */
const close = (text, mark) => (mark ? text.trimEnd() + mark : text);
