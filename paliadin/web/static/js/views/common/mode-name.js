/**
 * A permission mode in words.
 * @param {string} mode as Claude Code names it
 * @param {import("./context.js").Context["t"]} t
 */
export const modeName = (mode, t) => t(/** @type {"figures.mode.default"} */ (`figures.mode.${mode}`));
