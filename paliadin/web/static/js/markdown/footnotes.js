/**
 * Finds footnotes in Markdown: `[^1]` in a text, and `[^1]: the note` at the beginning of a line. Pure.
 * @typedef {import("./formulas.js").Extension} Extension
 */
import { findStart } from "./next-paragraph.js";
const NOTE = /^ {0,3}\[\^([^\]\s]{1,32})\]:[ \t]*([^\n]*(?:\n(?!\s*\n|\s{0,3}\[\^)[^\n]+)*)(?:\n+|$)/;
const NOTE_START = /\n {0,3}\[\^[^\]\s]{1,32}\]:/;
const REFERENCE = /^\[\^([^\]\s]{1,32})\]/;
const NUMBER = /^\d{1,3}$/;
const MAX_NOTES = 1_000;

/**
 * @param {import("./formulas.js").TokenizerThis} extension
 * @returns {Set<string>} the labels of the notes that there are
 */
const notesOf = ({ lexer }) => /** @type {import("./bounded-lexer.js").BoundedLexer} */ (lexer).notes;

/** @type {Extension} */
export const footnote = {
  tokenizer(src) {
    const match = NOTE.exec(src);
    if (!match || notesOf(this).size >= MAX_NOTES) return undefined;
    const [raw, label = "", text = ""] = match;
    notesOf(this).add(label);
    return { type: "footnote", raw, label, text, tokens: this.lexer.inline(text, []) };
  },
  start(src) {
    return findStart(this, src, NOTE_START);
  },
};

/** A number in brackets is one before its note is there: that comes last. @type {Extension} */
export const footnoteReference = {
  tokenizer(src) {
    const match = REFERENCE.exec(src);
    const label = match?.[1] ?? "";
    if (!match || !(NUMBER.test(label) || notesOf(this).has(label))) return undefined;
    return { type: "footnoteReference", raw: match[0], label };
  },
  start: (src) => src.search(/\[\^/),
};
