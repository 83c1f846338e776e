/**
 * Says, before the first question, what is sent where, and asks whether the reader agrees: over the Messages API.
 * @typedef {import("./common/context.js").Context} Context
 * @typedef {NonNullable<import("../types.js").Health["consent"]>} Consent
 */
import { h } from "../browser/dom.js";
import { icon } from "../browser/icons.js";

/** What is sent, each a text of its own. */
const SENT = /** @type {const} */ (["consent.question", "consent.history", "consent.reader", "consent.found"]);

/**
 * @param {Context} context
 * @param {Consent} consent
 * @returns {HTMLElement}
 */
export function drawDisclosure({ conversation, t, moveOn }, { version, host, model }) {
  const agree = h(
    "button",
    {
      type: "button",
      class: "small primary",
      onclick: async () => {
        agree.disabled = true;
        await conversation.agree(version);
        agree.disabled = false;
        if (conversation.get().health?.consent?.agreed) moveOn();
      },
    },
    t("consent.agree"),
  );
  const id = "consent-title";
  return h(
    "section",
    { class: "banner consent", "aria-labelledby": id },
    icon("alert"),
    h(
      "div",
      {},
      h("p", {}, h("strong", { id }, t("consent.title", { host }))),
      h("p", {}, t("consent.text", { model })),
      h("ul", {}, ...SENT.map((key) => h("li", {}, t(key)))),
      h("p", {}, t("consent.rest")),
      agree,
    ),
  );
}
