/**
 * The context that the views of the list are given. Types only.
 * @typedef {object} ListContext
 * @property {import("../../conversation/conversation-list.js").ConversationList} list
 * @property {import("../../texts/i18n.js").Translate} t
 * @property {import("../../texts/i18n.js").Lang} lang
 * @property {(id: string, turnId?: string) => void} open opens a conversation, and brings a turn of it into sight
 * @property {(host?: string) => void} make begins a new conversation
 * @property {() => void} print prints the open conversation
 * @property {(id: string) => void} replace opens a conversation in place of one that was taken away, "" a new one; the
 *   list stays in sight, with what it offers to undo
 * @property {boolean} [embedded] in a drawer, all of whose conversations come from the same application
 * @property {string} [newKey] the keys that begin a new conversation
 * @property {(id: string) => string} [addressOf] of a conversation, where it has one
 */
export {};
