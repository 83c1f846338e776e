/**
 * The context that every view is given. Types only.
 * @typedef {"previous"|"next"} Arrow leads to another question that was asked at the same place
 * @typedef {{label: string, prompt: string}} Starter a question that an empty conversation offers
 * @typedef {object} Context
 * @property {import("../../conversation/conversation.js").Conversation} conversation
 * @property {import("../../texts/i18n.js").Translate} t
 * @property {import("../../texts/i18n.js").Lang} lang
 * @property {import("../../browser/settings.js").Settings} settings
 * @property {(text: string) => void} fillInput puts a text into the input, to be changed and sent
 * @property {() => void} sendAsText sends what stands in the input, which begins with a slash, as a question
 * @property {(question: string) => void} ask sends a question and moves the focus out of what was clicked
 * @property {() => void} moveOn moves the focus out of what was clicked, which goes away
 * @property {() => Starter[]} [starters] those of the page that the user is looking at
 * @property {HTMLElement} [aboveInput] shown above the input
 * @property {boolean} [embedded] in a drawer, which Escape closes; on the page Escape stops the turn
 * @property {{name: string}} [member] who is signed in at the page, if it is not the owner
 * @property {(turnId: string) => string} addressOf the address that leads back to a turn
 * @property {import("../../conversation/conversation-list.js").ConversationList} [list]
 * @property {(turnId: string, question: string, files: import("../../types.js").Attachment[]) => Promise<boolean>}
 *   [branch] asks in a new conversation that knows what came before the turn; whether the daemon has made it
 * @property {(attachmentId: string) => string} [addressOfFile] where an attached file can be seen, on the page
 * @property {(turnId: string, name: string) => string} [addressOfPicture] where a picture that a tool returned can be
 *   seen, on the page
 * @property {(turnId: string, name: string) => Promise<Blob>} [readPicture] such a one, in a drawer; throws ApiError
 * @property {(place: import("../../state/conversations.js").Place, arrow: Arrow) => void} [openPlace] the focus goes
 *   to the same arrow there
 * @property {{makeNew: () => void, chooseModel: (wanted?: string) => void, chooseMode: (wanted?: string) => void,
 *   print: () => void}} [actions] of commands, on the page
 * @property {(view: Window & typeof globalThis) => Promise<CSSStyleSheet[]>} [printSheets] the style sheets of a window
 *   in which the conversation is printed alone; in a drawer, around which there is another page
 * @property {() => Promise<import("../../types.js").Offers>} [askOffers] what this Claude has
 * @property {(change: import("../../types.js").ConversationChange) => Promise<void>} [choose] its model or its mode;
 *   throws ApiError
 * @property {import("./pieces.js").Pieces} pieces that parts bring
 * @property {() => void} [showList] where a conversation that does not exist leads
 * @property {import("../../conversation/files.js").Files} [files] in Claude's folder; for the owner, not in a drawer
 * @property {(path: string, line: number|null) => void} [openFile] shows a file of Claude's folder
 * @property {() => void} openTerminal shows the screen of Claude's terminal
 * @property {(markdown: string) => Promise<HTMLElement>} drawProse draws it as answers are drawn
 * @property {() => void} [leaveEnd] to be called before the page leads elsewhere: the end is not kept in sight
 * @typedef {object} Surroundings what stands around the turns
 * @property {import("./pieces.js").Piece[]} pieces that parts bring to this conversation
 * @property {string} divided key of the turn above which Claude forgot all that was before, `END`, or ""
 * @property {Map<string, import("../../state/conversations.js").Siblings>} siblings by the turn's id
 * @typedef {"fillInput"|"ask"|"moveOn"|"sendAsText"|"openFile"|"leaveEnd"|"drawProse"|"openTerminal"} OfTheView
 * @typedef {Omit<Context, OfTheView>} BaseContext what is known before the conversation is mounted
 */
export {};
