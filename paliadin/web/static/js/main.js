/** The chat page: a header, and the conversation below it. */
import { h } from "./browser/dom.js";
import { settings } from "./browser/settings.js";
import { currentTheme, setTheme } from "./browser/theme.js";
import { createConversation } from "./conversation/conversation.js";
import { pollWhileVisible } from "./conversation/polling.js";
import { createApi } from "./daemon/api.js";
import { createHeader } from "./page/header.js";
import { startNotifications } from "./page/notifications.js";
import { openInterrupts } from "./state/interrupts.js";
import { pickLang, translator } from "./texts/i18n.js";
import { mountConversation } from "./views/conversation-view.js";
import { openAccess } from "./views/dialogs/access.js";
import { openSearch } from "./views/dialogs/search.js";
import { openSessions } from "./views/dialogs/sessions.js";

const session = new URLSearchParams(location.search).get("session") || "main";
const conversation = createConversation({ api: createApi(), session });
const hasMouse = matchMedia("(pointer: fine)").matches;
let t = translator("en");
let unmount = () => {};

/** @param {string} turnId */
const addressOf = (turnId) => new URL(`#turn=${turnId}`, location.href).href;

/**
 * Draws the page in a language.
 * @param {import("./texts/i18n.js").Lang} lang
 */
function show(lang) {
  unmount();
  t = translator(lang);
  const context = { conversation, t, lang, settings, addressOf };
  const main = h("main");
  const header = createHeader(context, {
    newConversation: () => view.startAnew(),
    openSearch: () => openSearch(context, view.el),
    openSessions: () => openSessions(context, view.el),
    openAccess: () => openAccess(context, view.el),
    switchLanguage(other) {
      settings.set("lang", other);
      show(other);
    },
  });
  document.documentElement.lang = lang;
  document.body.append(header, main);
  const view = mountConversation(main, context);
  if (hasMouse) view.focus();
  unmount = () => {
    view.destroy();
    header.remove();
    main.remove();
  };
}

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.isComposing || document.querySelector("dialog[open]")) return;
  conversation.stop();
});

conversation.listen(({ turns }) => {
  document.title = openInterrupts(turns).length > 0 ? "● Paliadin" : "Paliadin";
});

setTheme(currentTheme());
show(pickLang([settings.get("lang"), ...navigator.languages]));
startNotifications(conversation, settings, () => t);
pollWhileVisible(conversation).then(goToTurn);
addEventListener("hashchange", goToTurn);

/** Scrolls to the turn that an address such as /paliadin#turn=… names, each time it is opened. */
function goToTurn() {
  const turnId = /^#turn=([0-9a-f-]{36})$/.exec(location.hash)?.[1];
  if (!turnId) return;
  history.replaceState(null, "", location.pathname + location.search);
  conversation.reveal(turnId);
}
