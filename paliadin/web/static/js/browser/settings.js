/** Settings kept in this browser. Where storage is off (private windows, embedding) they are lost. */
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
   * @param {string} value "" removes it
   */
  set(name, value) {
    try {
      if (value) localStorage.setItem(PREFIX + name, value);
      else localStorage.removeItem(PREFIX + name);
    } catch {
      // Storage is off.
    }
  },
};
/** @typedef {typeof settings} Settings */
