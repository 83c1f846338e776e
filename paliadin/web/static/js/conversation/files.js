/**
 * The files in Claude's folder, as far as the page asks for them: which match some letters, which of those that an
 * answer names are there, and what is in one. The daemon has them for conversations on its own machine only.
 * @typedef {ReturnType<typeof createFiles>} Files
 * @typedef {import("../types.js").ShownFile} ShownFile
 */
import { ApiError } from "../daemon/api.js";

/** How long is waited for more paths to ask for. */
const GATHER_MS = 40;
const MAX_AT_ONCE = 100;
/** How long an answer holds: Claude may write the file meanwhile. */
const FRESH_MS = 5_000;
const MAX_KNOWN = 2_000;

/**
 * @param {import("../daemon/api.js").Api} api
 * @param {string} session
 */
export function createFiles(api, session) {
  /** @type {Map<string, {at: number, shown: Promise<ShownFile|null>}>} */
  const known = new Map();
  /** @type {Map<string, (shown: ShownFile|null) => void>} */
  let waiting = new Map();
  let elsewhere = false;
  let asking = false;

  async function ask() {
    const paths = [...waiting.keys()].slice(0, MAX_AT_ONCE);
    const answer = paths.map((path) => waiting.get(path));
    paths.forEach((path) => waiting.delete(path));
    /** @type {(ShownFile|null)[]} */
    let files = [];
    try {
      if (!elsewhere) files = await api.checkFiles(session, paths);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      elsewhere = error.failure.code === "files_elsewhere";
      paths.forEach((path) => known.delete(path));
    }
    answer.forEach((resolve, i) => resolve?.(files[i] ?? null));
    asking = waiting.size > 0;
    if (asking) setTimeout(ask, GATHER_MS);
  }

  return {
    /**
     * Finds out whether a file is there and how it can be shown. Several are asked for in one request.
     * @param {string} path
     * @returns {Promise<ShownFile|null>}
     */
    look(path) {
      const before = known.get(path);
      if (elsewhere) return Promise.resolve(null);
      if (before && performance.now() - before.at < FRESH_MS) return before.shown;
      const shown = new Promise((/** @type {(shown: ShownFile|null) => void} */ resolve) => {
        waiting.set(path, resolve);
      });
      known.delete(path);
      known.set(path, { at: performance.now(), shown });
      if (known.size > MAX_KNOWN) known.delete(known.keys().next().value ?? "");
      if (!asking) setTimeout(ask, GATHER_MS);
      asking = true;
      return shown;
    },
    /**
     * @param {string} letters
     * @param {AbortSignal} signal
     */
    search: (letters, signal) => api.findFiles(session, letters, signal),
    /**
     * @param {string} path
     * @param {number} first
     * @param {number} last
     */
    text: (path, first, last) => api.fileText(session, path, first, last),
    /** @param {ShownFile} file */
    pictureAddress: ({ path, version }) => api.pictureAddress(session, path, version),
  };
}
