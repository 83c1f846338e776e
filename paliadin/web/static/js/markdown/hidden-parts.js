/** Parts of a Markdown text that nobody sees once it is rendered. Pure. */

/**
 * Whether it may have one: a comment, or a definition.
 * @param {string} text
 */
export const mayHidePart = (text) => /<!--|^[ >\t]*\[[^\]\n]+\]:/m.test(text);
