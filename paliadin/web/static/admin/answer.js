/** Draws a turn's answer as the chat page does. Where that fails, or without a script, its Markdown stays as written. */
import { loadTranslator, pickLang } from "../js/texts/i18n.js";
import { createProse } from "../js/views/turn/prose.js";

const lang = pickLang([document.documentElement.lang]);
const t = await loadTranslator(lang);
for (const element of document.querySelectorAll("[data-markdown]")) {
  const prose = createProse({ t, lang });
  try {
    prose.update(element.textContent ?? "", true);
    element.replaceWith(prose.el);
  } catch (error) {
    reportError(error);
  }
}
