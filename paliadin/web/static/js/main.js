/** The page: a header, and the conversation below it. */
import { createApi } from "./api.js";
import { mountChat } from "./chat.js";
import { createConversation } from "./conversation.js";
import { h } from "./dom.js";
import { createHeader } from "./header.js";
import { pickLang, translator } from "./i18n.js";
import { notifyEnds } from "./notify.js";
import { keepFresh } from "./poll.js";
import { settings } from "./settings.js";
import { currentTheme, setTheme } from "./theme.js";
import { openSearch } from "./views/search.js";
import { openSessions } from "./views/sessions.js";

const session = new URLSearchParams(location.search).get("session") || "main";
const conversation = createConversation({ api: createApi(), session });
const desktop = matchMedia("(pointer: fine)").matches;
let t = translator("en");
let unmount = () => {};

/** @param {string} turnId */
const addressOf = (turnId) => new URL(`#turn=${turnId}`, location.href).href;

/** @param {import("./i18n.js").Lang} lang */
function show(lang) {
  unmount();
  t = translator(lang);
  const context = { conversation, t, lang, settings, addressOf };
  const main = h("main");
  const header = createHeader(context, {
    anew: () => chat.startAnew(),
    search: () => openSearch(context, chat.el),
    sessions: () => openSessions(context, chat.el),
    speak(other) {
      settings.set("lang", other);
      show(other);
    },
  });
  document.documentElement.lang = lang;
  document.body.append(header, main);
  const chat = mountChat(main, context);
  if (desktop) chat.focus();
  unmount = () => {
    chat.destroy();
    header.remove();
    main.remove();
  };
}

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || event.isComposing || document.querySelector("dialog[open]")) return;
  conversation.stop();
});

conversation.listen(({ turns }) => {
  const asked = turns.some((turn) => turn.interrupts.length > 0);
  document.title = asked ? "● Paliadin" : "Paliadin";
});

setTheme(currentTheme());
show(pickLang([settings.get("lang"), ...navigator.languages]));
notifyEnds(conversation, settings, () => t);
keepFresh(conversation).then(goToTurn);
addEventListener("hashchange", goToTurn);

/** Of an address such as /paliadin#turn=…, also a second time. */
function goToTurn() {
  const turnId = /^#turn=([0-9a-f-]{36})$/.exec(location.hash)?.[1];
  if (!turnId) return;
  history.replaceState(null, "", location.pathname + location.search);
  conversation.reveal(turnId);
}
