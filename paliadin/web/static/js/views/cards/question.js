/**
 * The card on which Claude asks one question or several: options with descriptions, and always a reply in own words.
 * @typedef {import("../common/context.js").Context} Context
 * @typedef {import("./card.js").SendReply} SendReply
 * @typedef {import("../../types.js").Interrupt} Interrupt
 * @typedef {import("../../types.js").Question} Question
 * @typedef {import("../../state/interrupts.js").Choice} Choice
 */
import { h } from "../../browser/dom.js";
import { isChosen, questionsOf, replyValue } from "../../state/interrupts.js";
import { createCard } from "./card.js";

/**
 * @param {Context} context
 * @param {Interrupt} interrupt
 * @param {SendReply} sendReply
 */
export function createQuestionCard(context, interrupt, sendReply) {
  const { t } = context;
  const questions = questionsOf(interrupt);
  const fields = questions.map((question, i) =>
    createField(context, question, `${interrupt.id}-${i}`, questions.length > 1),
  );
  const choices = () => fields.map((field) => field.choice());
  const hasChoices = questions.length > 1 || (questions[0]?.options.length ?? 0) > 0;
  const submit = h("button", { type: "submit", class: "primary", hidden: !hasChoices }, t("ask.reply"));
  const skip = h("button", { type: "button", class: "quiet", onclick: cancel }, t("ask.skip"));
  const card = createCard(context, {
    mark: "question",
    title: questions.length > 1 ? t("ask.questions", { count: questions.length }) : t("ask.question"),
    text: questions.length > 1 ? "" : (questions[0]?.question ?? ""),
    body: fields.map((field) => field.el),
    buttons: [submit, skip],
  });

  function check() {
    submit.disabled = !choices().every(isChosen);
  }
  function cancel() {
    card.disableWhile(sendReply({ interrupt_id: interrupt.id, cancel: true }));
  }

  card.el.addEventListener("input", check);
  card.el.addEventListener("submit", (event) => {
    event.preventDefault();
    card.disableWhile(sendReply({ interrupt_id: interrupt.id, value: replyValue(questions, choices()) }));
  });
  check();
  return card;
}

/**
 * @param {Context} context
 * @param {Question} question
 * @param {string} name
 * @param {boolean} oneOfMany then it shows its question, and a field for own words
 */
function createField({ t }, question, name, oneOfMany) {
  const type = question.multi ? "checkbox" : "radio";
  const boxes = question.options.map((option) => h("input", { type, name, value: option.label }));
  const otherBox = h("input", { type, name, value: "", "aria-label": t("ask.other") });
  const otherText = h("input", {
    type: "text",
    class: "other",
    placeholder: t("ask.other"),
    "aria-label": t("ask.other.label"),
    autocomplete: "off",
  });
  otherText.addEventListener("input", () => (otherBox.checked = otherText.value !== ""));
  otherBox.addEventListener("change", () => otherBox.checked && otherText.focus());

  const rows = boxes.map((box, i) => {
    const { label, description } = question.options[i] ?? { label: "", description: "" };
    const text = h("span", {}, label, description && h("small", {}, description));
    return h("label", { class: "choice" }, box, text);
  });
  const isOpen = boxes.length === 0;
  // Own words for a single question are written where everything is written: in the input below the card.
  const below = h("p", { class: "field-hint" }, t("ask.below"));
  const hint = t(question.multi ? "ask.many" : "ask.one");
  const legend = oneOfMany
    ? h("legend", {}, question.header && h("span", { class: "tag" }, question.header), question.question)
    : h("legend", { class: "hidden" }, question.question);
  const el = h("fieldset", { class: "field" }, legend, !isOpen && h("p", { class: "field-hint" }, hint), ...rows);
  el.append(oneOfMany ? h("div", { class: "choice choice-other" }, isOpen ? "" : otherBox, otherText) : below);

  return {
    el,
    /** @returns {Choice} */
    choice: () => ({
      labels: boxes.filter((box) => box.checked).map((box) => box.value),
      other: oneOfMany && (isOpen || otherBox.checked) ? otherText.value : "",
    }),
  };
}
