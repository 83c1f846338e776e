/** The page's header: a new conversation, search, sessions, monitoring, access, notifications, language and theme. */
import { h } from "../browser/dom.js";
import { icon } from "../browser/icons.js";
import { currentTheme, setTheme, THEMES } from "../browser/theme.js";
import { LANGS, translator } from "../texts/i18n.js";
import { canNotify, isNotifying } from "./notifications.js";

/**
 * @param {import("../views/common/context.js").BaseContext} context
 * @param {object} actions
 * @param {() => void} actions.newConversation
 * @param {() => void} actions.openSearch
 * @param {() => void} actions.openSessions
 * @param {() => void} actions.openAccess
 * @param {(lang: import("../texts/i18n.js").Lang) => void} actions.switchLanguage
 */
export function createHeader({ conversation, settings, lang, t }, actions) {
  const other = LANGS.find((each) => each !== lang) ?? lang;
  const languageName = h("span", { class: "hidden" }, ` ${translator(other)("app.language")}`);
  const language = h(
    "button",
    {
      type: "button",
      class: "icon-button",
      lang: other,
      title: translator(other)("app.language"),
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
  );
  const sessionName = conversation.session === "main" ? "" : conversation.session;
  const sessions = h(
    "button",
    {
      type: "button",
      class: "quiet sessions",
      "aria-label": t("sessions.title"),
      title: t("sessions.title"),
      onclick: actions.openSessions,
    },
    icon("screen"),
    sessionName && h("span", {}, sessionName),
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
  );
  const access = h(
    "button",
    {
      type: "button",
      class: "icon-button",
      "aria-label": t("access.title"),
      title: t("access.title"),
      onclick: actions.openAccess,
    },
    icon("key"),
  );
  const anew = h(
    "button",
    {
      type: "button",
      class: "quiet anew",
      "aria-label": t("app.new"),
      title: t("app.new"),
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
  );
  drawTheme();
  drawBell();

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
  return h("header", { class: "header" }, brand, anew, search, sessions, record, access, bell, language, theme);
}
