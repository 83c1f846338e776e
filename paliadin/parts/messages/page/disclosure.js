/** Says, before the first question, what is sent where, and asks whether the reader agrees. */
import { h, memoizeLast } from "../../../js/browser/dom.js";
import { icon } from "../../../js/browser/icons.js";

/** What is sent, each a text of its own. */
const SENT = /** @type {const} */ (["consent.question", "consent.history", "consent.reader", "consent.found"]);

/**
 * @param {import("./piece.js").Surroundings} surroundings
 * @param {import("../../../js/views/common/pieces.js").Actions} actions
 * @returns {import("../../../js/views/common/pieces.js").Banner}
 */
export function createDisclosure({ t, api }, { act, moveOn }) {
  // By its text: an equal banner that is drawn anew would be read out again.
  const draw = memoizeLast((/** @type {string} */ consent) => [drawDisclosure(JSON.parse(consent))]);
  return ({ consent }) => (consent && !consent.agreed ? draw(JSON.stringify(consent)) : []);

  /** @param {NonNullable<import("../../../js/types.js").Health["consent"]>} consent */
  function drawDisclosure({ version, host, model }) {
    const agree = h(
      "button",
      {
        type: "button",
        class: "small primary",
        onclick: async () => {
          agree.disabled = true;
          const health = await act(() => api.post("consent", { version }));
          agree.disabled = false;
          if (health?.consent?.agreed) moveOn();
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
}
