/** A question as the daemon will show it. Pure. */

// As paliadin/prompt/text.py: what could hide or reorder a part of the question, and has no shape of its own.
const REMOVED = new RegExp(
  "[\\0-\\x08\\v-\\x1f\\x7f-\\x9f\\xad\\u034f\\u0600-\\u0605\\u061c\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u115f\\u1160" +
    "\\u17b4\\u17b5\\u180b-\\u180f\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u3164\\ufe00-\\ufe0d\\ufeff" +
    "\\uffa0\\ufff0-\\ufffb\\ufffe\\uffff\\u{110bd}\\u{110cd}\\u{13430}-\\u{1345f}\\u{1bca0}-\\u{1bca3}" +
    "\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e001f}\\u{e0080}-\\u{e0fff}]",
  "gu",
);

/**
 * Takes out of a question what the daemon will take out of it.
 * @param {string} question
 */
export const asShown = (question) =>
  question
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, "\n")
    .replace(REMOVED, "")
    .replaceAll("\t", "    ")
    .normalize("NFC")
    .trimEnd();
