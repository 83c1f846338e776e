/** A dialog that lists the sessions, each a Claude and a conversation of its own, and creates new ones. */
import { h } from "../../browser/dom.js";
import { explainFailure } from "../../texts/i18n.js";
import { attemptIn, openDialog } from "./dialog.js";

/**
 * @param {import("../common/context.js").BaseContext} context
 * @param {Element} parent
 */
export async function openSessions(context, parent) {
  const { conversation, t, lang } = context;
  const state = h("p", { role: "status" }, t("list.loading"));
  const attempt = attemptIn(context, state);
  const list = h("ul", { class: "found" });
  const name = h("input", {
    type: "text",
    "aria-label": t("sessions.name"),
    placeholder: t("sessions.name"),
    pattern: "[A-Za-z0-9_\\-]{1,64}",
    title: t("sessions.name.format"),
    required: true,
    autocomplete: "off",
  });
  const make = h("button", { type: "submit", class: "primary" }, t("sessions.make"));
  const form = h("form", { class: "session-form" }, name, make);
  openDialog(parent, { title: t("sessions.title"), close: t("banner.close"), body: [state, list, form] });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    attempt(async () => {
      await conversation.makeSession(name.value);
      location.assign(addressOfSession(name.value));
    });
  });
  await attempt(async () => {
    const all = await conversation.sessions();
    state.textContent = "";
    list.replaceChildren(...all.map((session) => h("li", {}, drawSession(session))));
  });

  /** @param {import("../../types.js").Session} session */
  function drawSession({ name: label, state: code, ok, message, hint }) {
    const isCurrent = label === conversation.session;
    const { title, detail } = explainFailure(t, lang, { code, message, hint, retryable: false });
    const stateText = ok ? t(`sessions.state.${code === "ready" ? "ready" : "busy"}`) : `${title} ${detail}`.trim();
    return h(
      "a",
      { href: addressOfSession(label), "aria-current": isCurrent && "page" },
      h("strong", {}, label),
      h("small", {}, stateText),
    );
  }
}

/** @param {string} name */
const addressOfSession = (name) =>
  new URL(name === "main" ? location.pathname : `?session=${encodeURIComponent(name)}`, location.href).href;
