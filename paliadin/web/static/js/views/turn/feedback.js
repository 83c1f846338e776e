/**
 * Lets the reader rate an answer: thumb up or down, and a comment if they like. Where the daemon keeps no words, it
 * would not keep that one either.
 * @typedef {import("../common/context.js").Context} Context
 * @typedef {import("../../types.js").Turn} Turn
 */
import { h } from "../../browser/dom.js";
import { icon } from "../../browser/icons.js";
import { keepsWords } from "../../conversation/kept-turns.js";

/** @param {Context} context */
export function createFeedback({ conversation, t }) {
  /** @type {Turn} */
  let shown;
  const up = thumb("up");
  const down = thumb("down");
  const word = h("input", {
    type: "text",
    class: "reason",
    dir: "auto",
    maxlength: 1000,
    autocomplete: "off",
    placeholder: t("feedback.word"),
    "aria-label": t("feedback.word"),
  });
  const send = h("button", { type: "submit", class: "small" }, t("feedback.send"));
  const form = h("form", { class: "feedback", hidden: true }, word, send);

  /** @param {"up"|"down"} verdict */
  function thumb(verdict) {
    const press = async () => {
      const now = shown.feedback.verdict === verdict ? null : verdict;
      form.hidden = now === null || !keepsWords(conversation.get());
      await conversation.rate(shown.id, { verdict: now, word: now ? shown.feedback.word : "" });
      if (!form.hidden) word.focus();
    };
    return h(
      "button",
      {
        type: "button",
        class: "quiet small copy",
        "aria-label": t(`feedback.${verdict}`),
        title: t(`feedback.${verdict}`),
        onclick: press,
      },
      icon(verdict === "up" ? "up" : "thumbdown"),
    );
  }

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const { verdict } = shown.feedback;
    if (await conversation.rate(shown.id, { verdict, word: word.value.trim() })) form.hidden = true;
  });

  return {
    buttons: [up, down],
    form,
    /** @param {Turn} turn */
    update(turn) {
      shown = turn;
      up.setAttribute("aria-pressed", String(turn.feedback.verdict === "up"));
      down.setAttribute("aria-pressed", String(turn.feedback.verdict === "down"));
      if (!form.matches(":focus-within")) word.value = turn.feedback.word;
    },
  };
}
