/**
 * What every view is given. Types only.
 * @typedef {object} Context
 * @property {import("../conversation.js").Conversation} conversation
 * @property {import("../i18n.js").Translate} t
 * @property {import("../i18n.js").Lang} lang
 * @property {import("../settings.js").Settings} settings
 */
export {};
