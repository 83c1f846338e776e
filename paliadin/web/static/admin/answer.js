/** A turn's answer, drawn as the chat page draws it. Without a script it stands there as it was written. */
import { pickLang, translator } from "../js/i18n.js";
import { createProse } from "../js/views/prose.js";

for (const written of document.querySelectorAll("[data-markdown]")) {
  const prose = createProse({ t: translator(pickLang([document.documentElement.lang])) });
  prose.update(written.textContent ?? "", true);
  written.replaceWith(prose.el);
}
