/** The page's header: what concerns the page, and not one answer. */
import { h } from "./dom.js";
import { LANGS, translator } from "./i18n.js";
import { icon } from "./icons.js";
import { canNotify, isNotifying } from "./notify.js";
import { THEMES, currentTheme, setTheme } from "./theme.js";

/**
 * @param {import("./views/context.js").Given} context
 * @param {{anew: () => void, search: () => void, sessions: () => void, speak: (lang: import("./i18n.js").Lang) => void}} does
 */
export function createHeader({ conversation, settings, lang, t }, does) {
  const other = LANGS.find((each) => each !== lang) ?? lang;
  const spoken = h("span", { class: "hidden" }, ` ${translator(other)("app.language")}`);
  const language = h("button", { type: "button", class: "icon-button", lang: other, title: translator(other)("app.language"), onclick: () => does.speak(other) }, other.toUpperCase(), spoken);
  const theme = h("button", { type: "button", class: "icon-button", onclick: nextTheme });
  const bell = h("button", { type: "button", class: "icon-button bell", hidden: !canNotify(), onclick: toggleBell }, icon("bell"));
  const named = conversation.session === "main" ? "" : conversation.session;
  const sessions = h("button", { type: "button", class: "quiet sessions", "aria-label": t("sessions.title"), title: t("sessions.title"), onclick: does.sessions }, icon("screen"), named && h("span", {}, named));
  const search = h("button", { type: "button", class: "icon-button search", "aria-label": t("search.title"), title: t("search.title"), onclick: does.search }, icon("search"));
  const anew = h("button", { type: "button", class: "quiet anew", "aria-label": t("app.new"), title: t("app.new"), onclick: does.anew }, icon("plus"), h("span", {}, t("app.new")));
  const record = h("a", { class: "icon-button record", href: `/admin/paliadin?lang=${lang}`, "aria-label": t("app.record"), title: t("app.record") }, icon("chart"));
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

  const brand = h("h1", { class: "brand" }, h("span", { class: "mark", "aria-hidden": "true" }), h("span", {}, t("app.title")));
  return h("header", { class: "header" }, brand, anew, search, sessions, record, bell, language, theme);
}
