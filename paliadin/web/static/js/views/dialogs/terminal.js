/** What Claude's terminal shows, to be looked at and not touched. */
import { ApiError } from "../api.js";
import { h, withCode } from "../dom.js";
import { explain } from "../i18n.js";
import { openDialog } from "./dialog.js";

/**
 * @param {import("./context.js").Context} context
 * @param {Element} parent
 */
export async function showTerminal({ conversation, t, lang }, parent) {
  const screen = h("pre", { class: "terminal", tabindex: 0, role: "group", "aria-label": t("terminal.title") });
  const state = h("p", { role: "status" }, t("list.loading"));
  openDialog(parent, { title: t("terminal.title"), close: t("banner.close"), body: [state, screen], look: "wide" });
  try {
    const session = (await conversation.sessions()).find(({ name }) => name === conversation.session);
    const words = session && explain(t, lang, { code: session.state, message: session.message, hint: session.hint, retryable: false });
    state.replaceChildren(...withCode(session?.ok ? t("terminal.well") : `${words?.title ?? ""} ${words?.detail ?? ""} ${words?.hint ?? ""}`));
    screen.textContent = session?.screen ?? "";
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    state.textContent = explain(t, lang, error.failure).title;
  }
  screen.hidden = !screen.textContent;
}
