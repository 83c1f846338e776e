/**
 * The context that the views of the list are given. Types only.
 * @typedef {object} ListContext
 * @property {import("../../conversation/conversation-list.js").ConversationList} list
 * @property {import("../../texts/i18n.js").Translate} t
 * @property {import("../../texts/i18n.js").Lang} lang
 * @property {(id: string, turnId?: string) => void} open opens a conversation, and brings a turn of it into sight
 * @property {(host?: string) => void} make begins a new conversation
 * @property {(id: string) => string} [addressOf] of a conversation, where it has one
 */
export {};
