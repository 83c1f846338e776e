/** The sessions: each a Claude of its own, with a conversation of its own. */
import { ApiError } from "../api.js";
import { h } from "../dom.js";
import { explain } from "../i18n.js";
import { openDialog } from "./dialog.js";

/**
 * @param {import("./context.js").Given} context
 * @param {Element} parent
 */
export async function openSessions({ conversation, t, lang }, parent) {
  const state = h("p", { role: "status" }, t("list.loading"));
  const list = h("ul", { class: "found" });
  const name = h("input", { type: "text", "aria-label": t("sessions.name"), placeholder: t("sessions.name"), pattern: "[A-Za-z0-9_\\-]{1,64}", required: true, autocomplete: "off" });
  const make = h("button", { type: "submit", class: "primary" }, t("sessions.make"));
  const form = h("form", { class: "session-form" }, name, make);
  openDialog(parent, { title: t("sessions.title"), close: t("banner.close"), body: [state, list, form] });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(async () => {
      await conversation.makeSession(name.value);
      location.assign(addressOf(name.value));
    });
  });
  await attempt(async () => {
    const all = await conversation.sessions();
    state.textContent = "";
    list.replaceChildren(...all.map((session) => h("li", {}, entry(session))));
  });

  /** @param {() => Promise<void>} act */
  async function attempt(act) {
    try {
      await act();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      state.textContent = explain(t, lang, error.failure).title;
    }
  }

  /** @param {import("../types.js").Session} session */
  function entry({ name: label, state: now, ok, message, hint }) {
    const here = label === conversation.session;
    const { title, detail } = explain(t, lang, { code: now, message, hint, retryable: false });
    const words = ok ? t(`sessions.state.${now === "ready" ? "ready" : "busy"}`) : `${title} ${detail}`.trim();
    return h("a", { href: addressOf(label), "aria-current": here && "page" }, h("strong", {}, label), h("small", {}, words));
  }
}

/** @param {string} name */
const addressOf = (name) => new URL(name === "main" ? location.pathname : `?session=${encodeURIComponent(name)}`, location.href).href;
