/** Shows the screen of Claude's terminal in a dialog, and what state it is in. */
import { codeSpans, h } from "../../browser/dom.js";
import { ApiError } from "../../daemon/api.js";
import { explainFailure } from "../../texts/i18n.js";
import { openDialog } from "./dialog.js";

/**
 * @param {import("../common/context.js").Context} context
 * @param {Element} parent
 */
export async function openTerminal({ conversation, t, lang }, parent) {
  const screen = h("pre", { class: "terminal", tabindex: 0, role: "group", "aria-label": t("terminal.title") });
  const state = h("p", { role: "status" }, t("list.loading"));
  openDialog(parent, {
    title: t("terminal.title"),
    close: t("banner.close"),
    body: [state, screen],
    className: "wide",
  });
  try {
    const { ok, state: code, message, hint, screen: text } = await conversation.look();
    const { title, detail, hint: advice } = explainFailure(t, lang, { code, message, hint, retryable: false });
    state.replaceChildren(...codeSpans(ok ? t("terminal.well") : `${title} ${detail} ${advice}`));
    screen.textContent = text ?? "";
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    state.textContent = explainFailure(t, lang, error.failure).title;
  }
  screen.hidden = !screen.textContent;
}
