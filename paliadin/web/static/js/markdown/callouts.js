/**
 * Reads a quotation that begins with `[!NOTE]` or the like as a callout, as GitHub does. Pure.
 * @typedef {import("../../vendor/marked.js").Tokens.Blockquote & {callout?: string}} Quotation
 */
const MARK = /^\[!(note|tip|important|warning|caution)\][ \t]*(?:\n|$)/i;

/**
 * Takes the mark out of a quotation, and notes its kind, in lower case.
 * @param {Quotation} quotation
 * @param {{src: string, tokens: unknown[]}[]} queue texts whose inline marks are still to be read
 */
export function readCallout(quotation, queue) {
  const first = /** @type {import("../../vendor/marked.js").Tokens.Generic|undefined} */ (quotation.tokens[0]);
  const match = first?.type === "paragraph" ? MARK.exec(first.text) : null;
  const entry = match && queue.find(({ tokens }) => tokens === first?.tokens);
  if (!entry) return;
  quotation.callout = match[1]?.toLowerCase();
  entry.src = entry.src.slice(match[0].length);
  if (!entry.src.trim()) quotation.tokens.shift();
}
