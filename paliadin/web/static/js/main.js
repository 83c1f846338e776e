/** The page: a header, and the conversation below it. */
import { createApi } from "./api.js";
import { mountChat } from "./chat.js";
import { createConversation } from "./conversation.js";
import { h } from "./dom.js";
import { LANGS, pickLang, translator } from "./i18n.js";
import { icon } from "./icons.js";
import { keepFresh } from "./poll.js";
import { settings } from "./settings.js";
import { THEMES, currentTheme, setTheme } from "./theme.js";

const conversation = createConversation({ api: createApi(), session: "main" });
const desktop = matchMedia("(pointer: fine)").matches;
let unmount = () => {};

/** @param {import("./i18n.js").Lang} lang */
function show(lang) {
  unmount();
  const t = translator(lang);
  const main = h("main");
  const header = createHeader(lang, t, () => chat.startAnew());
  document.documentElement.lang = lang;
  document.body.append(header, main);
  const chat = mountChat(main, { conversation, t, lang, settings });
  if (desktop) chat.focus();
  unmount = () => {
    chat.destroy();
    header.remove();
    main.remove();
  };
}

/**
 * @param {import("./i18n.js").Lang} lang
 * @param {import("./i18n.js").Translate} t
 * @param {() => void} startAnew
 */
function createHeader(lang, t, startAnew) {
  const other = LANGS.find((each) => each !== lang) ?? lang;
  const language = h("button", { type: "button", class: "icon-button", lang: other, title: translator(other)("app.language"), onclick: switchLang }, other.toUpperCase(), h("span", { class: "hidden" }, ` ${translator(other)("app.language")}`));
  const theme = h("button", { type: "button", class: "icon-button", onclick: () => nextTheme() });
  const anew = h("button", { type: "button", class: "quiet anew", "aria-label": t("app.new"), title: t("app.new"), onclick: startAnew }, icon("plus"), h("span", {}, t("app.new")));
  drawTheme();

  function switchLang() {
    settings.set("lang", other);
    show(other);
  }
  function nextTheme() {
    setTheme(THEMES[(THEMES.indexOf(currentTheme()) + 1) % THEMES.length] ?? "auto");
    drawTheme();
  }
  function drawTheme() {
    const now = currentTheme();
    theme.replaceChildren(icon(now));
    theme.setAttribute("aria-label", t(`app.theme.${now}`));
    theme.title = t(`app.theme.${now}`);
  }
  return h("header", { class: "header" }, h("h1", { class: "brand" }, h("span", { class: "mark", "aria-hidden": "true" }), t("app.title")), anew, language, theme);
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
keepFresh(conversation);
