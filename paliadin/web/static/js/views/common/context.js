/**
 * The context that every view is given. Types only.
 * @typedef {{label: string, prompt: string}} Starter a question that an empty conversation offers
 * @typedef {object} Context
 * @property {import("../../conversation/conversation.js").Conversation} conversation
 * @property {import("../../texts/i18n.js").Translate} t
 * @property {import("../../texts/i18n.js").Lang} lang
 * @property {import("../../browser/settings.js").Settings} settings
 * @property {(text: string) => void} fillInput puts a text into the input, to be changed and sent
 * @property {(question: string) => void} ask sends a question and moves the focus out of what was clicked
 * @property {() => Starter[]} [starters] those of the page that the user is looking at
 * @property {HTMLElement} [aboveInput] shown above the input
 * @property {boolean} [embedded] in a drawer, which Escape closes; on the page Escape stops the turn
 * @property {(turnId: string) => string} addressOf the address that leads back to a turn
 * @typedef {Omit<Context, "fillInput"|"ask">} BaseContext what is known before the conversation is mounted
 */
export {};
