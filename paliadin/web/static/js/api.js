/**
 * The daemon's routes.
 * @typedef {import("./types.js").HistoryPage} HistoryPage
 * @typedef {import("./types.js").Health} Health
 * @typedef {import("./types.js").AnswerBody} AnswerBody
 * @typedef {ReturnType<typeof createApi>} Api
 */
import { failure } from "./state.js";

/** Beside the folder that this file is served from, whatever path a proxy puts before both. */
const BASE = new URL("../../../api/paliadin/", import.meta.url);

/** An answer other than success, or none at all (status 0). */
export class ApiError extends Error {
  /**
   * @param {number} status
   * @param {Record<string, any>} data
   */
  constructor(status, data) {
    super(String(data.message ?? ""));
    this.status = status;
    this.failure = failure(data);
    /** @type {string} the running turn, where that is what is in the way */
    this.turnId = String(data.turn_id ?? "");
  }
}

/** @param {{base?: URL, headers?: Record<string, string>}} [options] */
export function createApi({ base = BASE, headers = {} } = {}) {
  /**
   * @param {string} path
   * @param {RequestInit} [init]
   * @param {number} [also] a status that is an answer, too
   */
  async function request(path, init = {}, also = 200) {
    const all = new Headers(init.headers);
    Object.entries(headers).forEach(([name, value]) => all.set(name, value));
    const response = await fetch(new URL(path, base), { ...init, headers: all }).catch((error) => {
      if (init.signal?.aborted) throw error;
      throw new ApiError(0, { code: "offline", retryable: true });
    });
    if (!response.ok && response.status !== also) throw await errorOf(response);
    return response;
  }

  /**
   * @param {string} path
   * @param {unknown} body
   * @returns {Promise<any>}
   */
  async function post(path, body) {
    const init = { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
    const text = await (await request(path, init)).text();
    return text ? JSON.parse(text) : null;
  }

  /** @param {string} turnId */
  const stream = (turnId) => `stream/${encodeURIComponent(turnId)}`;

  return {
    /**
     * @param {string} session
     * @param {string} message
     * @returns {Promise<{turn_id: string}>}
     */
    ask: (session, message) => post("turn", { session_id: session, user_message: message, context: null }),
    /** @param {string} turnId */
    abort: (turnId) => post(`${stream(turnId)}/abort`, {}),
    /**
     * @param {string} turnId
     * @param {AnswerBody} body
     */
    answer: (turnId, body) => post(`${stream(turnId)}/answer`, body),
    /** @param {string} session */
    reset: (session) => post("reset", { session_id: session }),
    /**
     * @param {string} session
     * @param {number} limit
     * @param {string} [before] turn_id
     * @returns {Promise<HistoryPage>}
     */
    async history(session, limit, before) {
      const query = new URLSearchParams({ session_id: session, limit: String(limit), ...(before && { before }) });
      return (await request(`history?${query}`)).json();
    },
    /** @returns {Promise<Health>} */
    health: async () => (await request("health", {}, 503)).json(),
    /**
     * @param {string} turnId
     * @param {number} after number of the last event seen
     * @param {AbortSignal} signal
     */
    events: (turnId, after, signal) =>
      request(`${stream(turnId)}?after=${after}`, { signal, headers: { Accept: "text/event-stream" }, cache: "no-store" }),
  };
}

/** @param {Response} response */
async function errorOf(response) {
  const body = await response.json().catch(() => null);
  const data = body?.error ?? { retryable: response.status >= 500 };
  return new ApiError(response.status, response.status === 401 ? { ...data, code: "unauthorized" } : data);
}
