/**
 * Calls the daemon's routes (docs/http.md).
 * @typedef {import("../types.js").HistoryPage} HistoryPage
 * @typedef {import("../types.js").Health} Health
 * @typedef {import("../types.js").ReplyBody} ReplyBody
 * @typedef {import("../types.js").PageContext} PageContext
 * @typedef {ReturnType<typeof createApi>} Api
 */
import { toFailure } from "../state/turn.js";

import { ROOT } from "./root.js";
import { upload } from "./upload.js";

/** Found from this file's own address, so that it holds behind a proxy that puts a path before both. */
const BASE = new URL("api/paliadin/", ROOT);

/** A request that is no longer, in characters, is sent to its end, also where the page goes meanwhile. */
const MAX_KEPT_ALIVE = 4_000; // browsers keep 64 KB alive, of all requests of a page

/** How long a reading, or a new token, may take: one that hung on a half-dead connection would hold up much else. */
export const READ_MS = 20_000;
const OFFLINE = { code: "offline", retryable: true };

/** The daemon refused a request, or there was no response at all (status 0). */
export class ApiError extends Error {
  /**
   * @param {number} status
   * @param {Record<string, any>} data
   */
  constructor(status, data) {
    super(String(data.message ?? ""));
    this.status = status;
    this.failure = toFailure(data);
    /** @type {string} the running turn, if that is why the daemon refused; else "" */
    this.turnId = String(data.turn_id ?? "");
  }
}

/**
 * @typedef {(renew: boolean) => Promise<string>} TokenSource gives a token; `renew`: the last one was refused
 * @param {{base?: URL, token?: TokenSource}} [options] without a token source the cookie is used
 */
export function createApi({ base = BASE, token } = {}) {
  /**
   * @param {string} path
   * @param {RequestInit} [init]
   * @param {number} [accepted] a status other than success that has a body of its own, too
   */
  async function request(path, init = {}, accepted = 200) {
    let response = await attempt(path, init, false);
    if (response.status === 401 && token) response = await attempt(path, init, true);
    if (!response.ok && response.status !== accepted) throw await errorOf(response);
    return response;
  }

  /**
   * @param {string} path
   * @param {RequestInit} init
   * @param {boolean} renew
   */
  async function attempt(path, init, renew) {
    const headers = new Headers(init.headers);
    try {
      if (token) headers.set("Authorization", `Bearer ${await token(renew)}`);
      return await fetch(new URL(path, base), { ...init, headers });
    } catch (error) {
      if (init.signal?.aborted) throw error;
      throw new ApiError(0, OFFLINE);
    }
  }

  /**
   * Reads JSON. What does not come in time, breaks off, or is something else is as if there were no connection.
   * @param {string} path
   * @param {number} [accepted] see `request`
   * @returns {Promise<any>}
   */
  async function read(path, accepted) {
    try {
      return await (await request(path, { signal: AbortSignal.timeout(READ_MS) }, accepted)).json();
    } catch (error) {
      throw error instanceof ApiError ? error : new ApiError(0, OFFLINE);
    }
  }

  /**
   * Sends JSON, and reads the response as `read` does.
   * @param {"POST"|"PATCH"|"DELETE"} method
   * @param {string} path
   * @param {unknown} [body]
   * @returns {Promise<any>}
   */
  async function send(method, path, body) {
    const json = body === undefined ? undefined : JSON.stringify(body);
    const keepalive = !json || json.length <= MAX_KEPT_ALIVE;
    const headers = json ? { "Content-Type": "application/json" } : undefined;
    const response = await request(path, { method, keepalive, headers, body: json });
    try {
      const text = await response.text();
      return text ? JSON.parse(text) : null;
    } catch {
      throw new ApiError(0, OFFLINE);
    }
  }

  /**
   * @param {string} path
   * @param {unknown} body
   */
  const post = (path, body) => send("POST", path, body);

  /** @param {string} turnId */
  const stream = (turnId) => `stream/${encodeURIComponent(turnId)}`;

  /** @param {string} id */
  const conversation = (id) => `conversations/${encodeURIComponent(id)}`;

  /** @param {string} turnId */
  const queued = (turnId) => `queue/${encodeURIComponent(turnId)}`;

  return {
    read,
    post,
    remove: (/** @type {string} */ path) => send("DELETE", path),
    /**
     * @param {string} session
     * @param {string} message
     * @param {PageContext|null} context
     * @param {object} [options]
     * @param {boolean} [options.queue] it may wait behind others; otherwise the daemon refuses it while one runs
     * @param {string[]} [options.attachments] ids
     * @param {boolean} [options.asText] it is no command, although it begins with a slash
     * @param {{turn_id: string, question: string, answer: string}[]} [options.history] what was said so far
     * @returns {Promise<{turn_id: string, queued?: number}>} `queued`: its place among those that wait, from 1
     */
    ask: (session, message, context, { queue, attachments = [], asText, history } = {}) =>
      post("turn", {
        session_id: session,
        user_message: message,
        context,
        ...(queue && { queue }),
        ...(attachments.length > 0 && { attachments }),
        ...(asText && { as_text: true }),
        ...(history && { history }),
      }),
    /**
     * Sends a file for a question that is being written.
     * @param {string} session
     * @param {File} file
     * @param {(part: number) => void} onProgress
     * @param {AbortSignal} signal
     * @returns {Promise<import("../types.js").Attachment>}
     */
    async attach(session, file, onProgress, signal) {
      const address = new URL(`attachments?${new URLSearchParams({ session_id: session })}`, base);
      for (const renew of [false, true]) {
        const bearer = token && (await token(renew));
        const { status, body } = await upload(address, file, { bearer, onProgress, signal });
        if (status === 201) return body;
        if (status !== 401 || !token || renew) throw errorFrom(status, body);
      }
      throw new ApiError(0, OFFLINE);
    },
    /** @param {string} id */
    withdrawAttachment: (id) => send("DELETE", `attachments/${encodeURIComponent(id)}`),
    /**
     * @param {string} turnId
     * @param {string} message
     */
    changeQueued: (turnId, message) => send("PATCH", queued(turnId), { user_message: message }),
    /** @param {string} turnId */
    withdrawQueued: (turnId) => send("DELETE", queued(turnId)),
    /** @param {string} session */
    goOn: (session) => post("queue", { session_id: session }),
    /** @param {string} session */
    compact: (session) => post("compact", { session_id: session }),
    /** @param {string} turnId */
    abort: (turnId) => post(`${stream(turnId)}/abort`, {}),
    /**
     * @param {string} turnId
     * @param {ReplyBody} body
     */
    reply: (turnId, body) => post(`${stream(turnId)}/answer`, body),
    /**
     * @param {string} session
     * @param {number} limit
     * @param {{before?: string, known?: string[]}} [options] `before`, a turn_id: only turns older than that one;
     *   `known`: turns of these ids are only named
     * @returns {Promise<HistoryPage>}
     */
    async history(session, limit, { before, known } = {}) {
      const query = new URLSearchParams({ session_id: session, limit: String(limit), ...(before && { before }) });
      if (known?.length) query.set("known", known.join(","));
      return read(`history?${query}`);
    },
    /**
     * @param {string} session
     * @param {string} words
     * @returns {Promise<import("../types.js").SearchResult[]>} newest first
     */
    async search(session, words) {
      return (await read(`search?${new URLSearchParams({ session_id: session, words })}`)).found;
    },
    /**
     * @param {{q?: string, archived?: boolean}} [which]
     * @returns {Promise<import("../types.js").ConversationsPage>}
     */
    conversations({ q, archived } = {}) {
      const query = new URLSearchParams({ ...(q && { q }), ...(archived && { archived: "1" }) });
      return read(query.size ? `conversations?${query}` : "conversations");
    },
    /**
     * @param {string} id
     * @returns {Promise<import("../types.js").ConversationState>}
     */
    conversation: (id) => read(conversation(id)),
    /**
     * @param {import("../types.js").NewConversation} fields
     * @returns {Promise<import("../types.js").ConversationItem>}
     */
    makeConversation: (fields) => post("conversations", fields),
    /**
     * @param {string} id
     * @param {import("../types.js").ConversationChange} change
     * @returns {Promise<import("../types.js").ConversationItem>}
     */
    changeConversation: (id, change) => send("PATCH", conversation(id), change),
    /**
     * @param {string} id
     * @returns {Promise<{undo_until: number}>}
     */
    removeConversation: (id) => send("DELETE", conversation(id)),
    /**
     * @param {string} id
     * @returns {Promise<import("../types.js").Offers>} what the conversation's Claude offers
     */
    offers: (id) => read(`${conversation(id)}/offers`),
    /**
     * @param {string} session
     * @param {string} letters
     * @param {AbortSignal} signal
     * @returns {Promise<import("../types.js").FoundFile[]>} the best match first
     */
    async findFiles(session, letters, signal) {
      const query = new URLSearchParams({ session_id: session, q: letters });
      return (await (await request(`files?${query}`, { signal })).json()).files;
    },
    /**
     * A picture that a tool of a turn has returned.
     * @param {string} turnId
     * @param {string} name
     */
    picture: async (turnId, name) =>
      (await request(`turns/${encodeURIComponent(turnId)}/pictures/${encodeURIComponent(name)}`)).blob(),
    /**
     * @param {string} session
     * @param {string[]} paths
     * @returns {Promise<(import("../types.js").ShownFile|null)[]>}
     */
    checkFiles: async (session, paths) => (await post("files/check", { session_id: session, paths })).files,
    /**
     * @param {string} session
     * @param {string} path
     * @param {number} first
     * @param {number} last
     * @returns {Promise<import("../types.js").TextWindow>}
     */
    fileText: (session, path, first, last) =>
      read(`files/text?${new URLSearchParams({ session_id: session, path, first: `${first}`, last: `${last}` })}`),
    /**
     * @param {string} session
     * @param {string} path
     * @param {string} version another one makes the browser load it again
     */
    pictureAddress: (session, path, version) =>
      new URL(`files/content?${new URLSearchParams({ session_id: session, path, version })}`, base).href,
    /** @returns {Promise<import("../types.js").AccessList>} */
    access: () => read("access"),
    /** @param {boolean} everywhere this browser, or all of them */
    signOut: (everywhere) => post("access/sign-out", { everywhere }),
    /** @param {string} id */
    signOutBrowser: (id) => request(`access/browsers/${encodeURIComponent(id)}`, { method: "DELETE" }),
    /**
     * @param {string} turnId
     * @param {import("../types.js").Feedback} feedback
     */
    rate: (turnId, { verdict, word }) => post(`turns/${encodeURIComponent(turnId)}/feedback`, { verdict, word }),
    /**
     * @param {string} [session] only the parts that this session needs
     * @returns {Promise<Health>}
     */
    health: (session) => read(session ? `health?${new URLSearchParams({ session_id: session })}` : "health", 503),
    /**
     * What a page does not know yet, as server-sent events.
     * @param {Record<string, string>} query what it knows
     * @param {AbortSignal} signal
     */
    events: (query, signal) =>
      request(`events?${new URLSearchParams(query)}`, {
        signal,
        headers: { Accept: "text/event-stream" },
        cache: "no-store",
      }),
  };
}

/** @param {Response} response */
async function errorOf(response) {
  return errorFrom(response.status, await response.json().catch(() => null));
}

/**
 * @param {number} status 0: there was no response
 * @param {any} body
 */
function errorFrom(status, body) {
  if (status === 0) return new ApiError(0, OFFLINE);
  const data = body?.error ?? { retryable: status >= 500 };
  return new ApiError(status, status === 401 ? { ...data, code: "unauthorized" } : data);
}
