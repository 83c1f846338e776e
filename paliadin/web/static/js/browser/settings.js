/** What this browser remembers. Storage may be off (private windows, embedding): then nothing is remembered. */
const PREFIX = "paliadin.";

export const settings = {
  /** @param {string} name */
  get(name) {
    try {
      return localStorage.getItem(PREFIX + name) ?? "";
    } catch {
      return "";
    }
  },
  /**
   * @param {string} name
   * @param {string} value "" forgets it
   */
  set(name, value) {
    try {
      if (value) localStorage.setItem(PREFIX + name, value);
      else localStorage.removeItem(PREFIX + name);
    } catch {
      // See above.
    }
  },
};
/** @typedef {typeof settings} Settings */
