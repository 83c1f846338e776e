/** The address of a conversation, and of a turn in it. */

/** @returns {string} id of the conversation that the address names */
export const sessionOfAddress = () => new URLSearchParams(location.search).get("session") || "main";

/** @returns {string} id of the turn that the address names, or "" */
export const turnOfAddress = () => /^#turn=([0-9a-f-]{36})$/.exec(location.hash)?.[1] ?? "";

/** @param {string} session */
export const addressOf = (session) =>
  new URL(session === "main" ? location.pathname : `?session=${encodeURIComponent(session)}`, location.href).href;

/**
 * @param {string} session
 * @param {string} turnId
 */
export const addressOfTurn = (session, turnId) => `${addressOf(session)}#turn=${turnId}`;
