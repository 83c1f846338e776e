/**
 * What every view is given. Types only.
 * @typedef {{label: string, prompt: string}} Starter
 * @typedef {object} Context
 * @property {import("../conversation.js").Conversation} conversation
 * @property {import("../i18n.js").Translate} t
 * @property {import("../i18n.js").Lang} lang
 * @property {import("../settings.js").Settings} settings
 * @property {(text: string) => void} write puts a text into the input, to be changed and sent
 * @property {(question: string) => void} ask sends it, and puts the keyboard where it is of use
 * @property {() => Starter[]} [starters] what is worth asking here
 * @property {HTMLElement} [above] stands above the input
 * @property {boolean} [embedded] in a drawer, where Escape closes
 * @property {(turnId: string) => string} addressOf where to come back to a turn
 * @typedef {Omit<Context, "write"|"ask">} Given what does not need the mounted conversation
 */
export {};
