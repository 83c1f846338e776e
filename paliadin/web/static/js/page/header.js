/**
 * The page's header: the list, the open conversation's title, a new conversation, search, monitoring, access,
 * notifications, language and theme.
 */
import { h } from "../browser/dom.js";
import { icon } from "../browser/icons.js";
import { currentTheme, setTheme, THEMES } from "../browser/theme.js";
import { openItem } from "../state/conversations.js";
import { displayTitle } from "../texts/conversation-names.js";
import { LANGS } from "../texts/i18n.js";
import { canNotify, isNotifying } from "./notifications.js";
import { NEW_KEY } from "./shortcuts.js";

/**
 * @param {object} context
 * @param {import("../conversation/conversation-list.js").ConversationList} context.list
 * @param {import("../browser/settings.js").Settings} context.settings
 * @param {import("../texts/i18n.js").Lang} context.lang
 * @param {import("../texts/i18n.js").Translate} context.t
 * @param {string} context.name of who is signed in, or ""
 * @param {boolean} context.isMember
 * @param {object} actions
 * @param {HTMLElement} actions.toggle shows and hides the list
 * @param {() => void} actions.newConversation
 * @param {() => void} actions.openSearch
 * @param {() => void} actions.openAccess
 * @param {(lang: import("../texts/i18n.js").Lang) => void} actions.switchLanguage
 */
export function createHeader({ list, settings, lang, t, name, isMember }, actions) {
  const other = LANGS.find((each) => each !== lang) ?? lang;
  /** A word beside an icon, in a wide window. @param {import("../texts/i18n.js").Key} key */
  const word = (key) => h("span", { class: "icon-word" }, t(key));
  const languageName = h("span", { class: "hidden" }, ` ${t("app.language")}`);
  const language = h(
    "button",
    {
      type: "button",
      class: "icon-button",
      lang: other,
      title: t("app.language"),
      onclick: () => actions.switchLanguage(other),
    },
    other.toUpperCase(),
    languageName,
  );
  const theme = h("button", { type: "button", class: "icon-button", onclick: nextTheme });
  const bell = h(
    "button",
    { type: "button", class: "icon-button bell", hidden: !canNotify(), onclick: toggleBell },
    icon("bell"),
    word("app.word.notify"),
  );
  const search = h(
    "button",
    {
      type: "button",
      class: "icon-button search",
      "aria-label": t("search.title"),
      title: t("search.title"),
      onclick: actions.openSearch,
    },
    icon("search"),
    word("app.word.search"),
  );
  const accessTitle = isMember ? `${t("app.word.access")}: ${t("access.as", { name })}` : t("app.access");
  const access = h(
    "button",
    {
      type: "button",
      class: "icon-button",
      "aria-label": accessTitle,
      title: accessTitle,
      onclick: actions.openAccess,
    },
    icon("key"),
    word("app.word.access"),
  );
  const anew = h(
    "button",
    {
      type: "button",
      class: "quiet anew",
      "aria-label": t("app.new"),
      title: t("app.new.key", { key: NEW_KEY }),
      onclick: actions.newConversation,
    },
    icon("plus"),
    h("span", {}, t("app.new")),
  );
  const record = h(
    "a",
    {
      class: "icon-button record",
      href: `admin/paliadin?lang=${lang}`,
      "aria-label": t("app.record"),
      title: t("app.record"),
    },
    icon("chart"),
    word("app.word.record"),
  );
  drawTheme();
  drawBell();

  function nextTheme() {
    setTheme(THEMES[(THEMES.indexOf(currentTheme()) + 1) % THEMES.length] ?? "auto");
    drawTheme();
  }

  function drawTheme() {
    const now = currentTheme();
    theme.replaceChildren(icon(now), word(`app.word.${now}`));
    theme.setAttribute("aria-label", t(`app.theme.${now}`));
    theme.title = t(`app.theme.${now}`);
  }

  async function toggleBell() {
    const on = !isNotifying(settings) && (await Notification.requestPermission()) === "granted";
    settings.set("notify", on ? "on" : "");
    drawBell();
  }

  function drawBell() {
    const on = isNotifying(settings);
    bell.setAttribute("aria-pressed", String(on));
    bell.setAttribute("aria-label", t("notify.toggle"));
    bell.title = t(on ? "notify.on" : "notify.off");
  }

  const brand = h(
    "h1",
    { class: "brand" },
    h("span", { class: "mark", "aria-hidden": "true" }),
    h("span", {}, t("app.title")),
  );
  const title = h("p", { class: "header-title", dir: "auto" });
  const unlisten = list.listen((state) => {
    const name = displayTitle(openItem(state)?.title ?? "");
    if (title.textContent !== name) title.textContent = name;
    title.title = name;
  });
  const el = h("header", { class: "header" }, actions.toggle, brand, title);
  if (name) el.append(h("p", { class: "header-person", dir: "auto", title: name }, name));
  el.append(anew, search);
  if (!isMember) el.append(record); // the dashboard is the owner's
  el.append(access, bell, language, theme);
  return {
    el,
    remove() {
      unlisten();
      el.remove();
    },
  };
}
