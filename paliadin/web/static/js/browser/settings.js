/**
 * Settings kept in this browser. Where storage is off (private windows, embedding) they are lost.
 * @typedef {ReturnType<typeof createSettings>} Settings
 */

/** @param {string} [member] whose they are: people who share a browser see nothing of each other's drafts */
export function createSettings(member = "") {
  const prefix = member ? `paliadin.~${member}.` : "paliadin.";
  return {
    /** @param {string} name */
    get(name) {
      try {
        return localStorage.getItem(prefix + name) ?? "";
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
        if (value) localStorage.setItem(prefix + name, value);
        else localStorage.removeItem(prefix + name);
      } catch {
        // Storage is off.
      }
    },
    /** Removes all whose names begin with this. @param {string} beginning */
    clear(beginning) {
      try {
        const names = Object.keys(localStorage).filter((name) => name.startsWith(prefix + beginning));
        names.forEach((name) => localStorage.removeItem(name));
      } catch {
        // Storage is off.
      }
    },
  };
}

/** Those of this browser, whoever is signed in; in a drawer and for the owner all are of this kind. */
export const settings = createSettings();
