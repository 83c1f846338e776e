/**
 * Prints the open conversation as a whole: what is not loaded is read first, and what is not drawn is drawn. The
 * browser's own command prints what is loaded.
 * @typedef {ReturnType<typeof import("./turn-list.js").createTurnList>} TurnList
 */
import { h } from "../browser/dom.js";
import { marking } from "./turn/turn.js";

/** How long is waited for the footnotes: where the reader has selected something, they do not come. */
const NOTES_MS = 5_000;

/**
 * @param {import("../conversation/conversation.js").Conversation} conversation
 * @param {TurnList} list
 * @param {import("./common/context.js").Context["printSheets"]} sheetsOf
 */
export async function printConversation(conversation, list, sheetsOf) {
  while (conversation.get().hasMore && (await conversation.loadEarlier()));
  list.drawAll();
  await Promise.race([Promise.all(marking), new Promise((resolve) => setTimeout(resolve, NOTES_MS))]);
  if (sheetsOf) await printAlone(list, sheetsOf);
  else print();
}

/**
 * Prints a copy, in a frame of its own: around a drawer there is the application's page.
 * @param {TurnList} list
 * @param {NonNullable<import("./common/context.js").Context["printSheets"]>} sheetsOf
 */
async function printAlone(list, sheetsOf) {
  const frame = h("iframe", { "aria-hidden": "true", tabindex: -1 });
  // Not hidden: some browsers print nothing of what has no place.
  Object.assign(frame.style, { position: "fixed", width: "0", height: "0", border: "0" });
  document.body.append(frame);
  const view = /** @type {(Window & typeof globalThis)|null} */ (frame.contentWindow);
  if (!view) return frame.remove();
  view.document.adoptedStyleSheets = await sheetsOf(view);
  list.addNotes();
  const copy = view.document.importNode(list.el, true);
  list.removeNotes();
  view.document.documentElement.lang = document.documentElement.lang;
  const column = h("div", { class: "column" }, copy); // placed as on the page, for the same styles
  view.document.body.append(h("main", {}, h("div", { class: "chat" }, h("div", { class: "scroller" }, column))));
  view.addEventListener("afterprint", () => frame.remove());
  view.focus();
  view.print();
}
