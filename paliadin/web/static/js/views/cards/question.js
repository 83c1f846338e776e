/**
 * Claude asks one question or several: choices with descriptions, and always room for an answer of one's own.
 * @typedef {import("./context.js").Context} Context
 * @typedef {import("./card.js").Answer} Answer
 * @typedef {import("../types.js").Interrupt} Interrupt
 * @typedef {import("../types.js").Question} Question
 * @typedef {import("../interrupts.js").Choice} Choice
 */
import { h } from "../dom.js";
import { answerValue, isAnswered, questionsOf } from "../interrupts.js";
import { createCard } from "./card.js";

/**
 * @param {Context} context
 * @param {Interrupt} interrupt
 * @param {Answer} answer
 */
export function createQuestion(context, interrupt, answer) {
  const { t } = context;
  const questions = questionsOf(interrupt);
  const fields = questions.map((question, i) => createField(context, question, `${interrupt.id}-${i}`, questions.length > 1));
  const choices = () => fields.map((field) => field.choice());
  const choice = questions.length > 1 || (questions[0]?.options.length ?? 0) > 0;
  const submit = h("button", { type: "submit", class: "primary", hidden: !choice }, t("ask.answer"));
  const skip = h("button", { type: "button", class: "quiet", onclick: cancel }, t("ask.skip"));
  const card = createCard(context, {
    mark: "question",
    title: questions.length > 1 ? t("ask.questions", { count: questions.length }) : t("ask.question"),
    text: questions.length > 1 ? "" : questions[0]?.question ?? "",
    body: fields.map((field) => field.el),
    buttons: [submit, skip],
  });

  function check() {
    submit.disabled = !choices().every(isAnswered);
  }
  function cancel() {
    card.wait(answer({ interrupt_id: interrupt.id, cancel: true }));
  }

  card.el.addEventListener("input", check);
  card.el.addEventListener("submit", (event) => {
    event.preventDefault();
    card.wait(answer({ interrupt_id: interrupt.id, value: answerValue(questions, choices()) }));
  });
  check();
  return card;
}

/**
 * @param {Context} context
 * @param {Question} question
 * @param {string} name
 * @param {boolean} titled it is one of several, so it says which
 */
function createField({ t }, question, name, titled) {
  const type = question.multi ? "checkbox" : "radio";
  const boxes = question.options.map((option) => h("input", { type, name, value: option.label }));
  const otherBox = h("input", { type, name, value: "", "aria-label": t("ask.other") });
  const otherText = h("input", { type: "text", class: "other", placeholder: t("ask.other"), "aria-label": t("ask.other.label"), autocomplete: "off" });
  otherText.addEventListener("input", () => (otherBox.checked = otherText.value !== ""));
  otherBox.addEventListener("change", () => otherBox.checked && otherText.focus());

  const rows = boxes.map((box, i) => {
    const { label, description } = question.options[i] ?? { label: "", description: "" };
    const words = h("span", {}, label, description && h("small", {}, description));
    return h("label", { class: "choice" }, box, words);
  });
  const open = boxes.length === 0;
  // A single question is answered in words where everything is written: in the input below the card.
  const below = h("p", { class: "field-hint" }, t("ask.below"));
  const hint = t(question.multi ? "ask.many" : "ask.one");
  const legend = titled
    ? h("legend", {}, question.header && h("span", { class: "tag" }, question.header), question.question)
    : h("legend", { class: "hidden" }, question.question);
  const el = h("fieldset", { class: "field" }, legend, !open && h("p", { class: "field-hint" }, hint), ...rows);
  el.append(titled ? h("div", { class: "choice choice-other" }, open ? "" : otherBox, otherText) : below);

  return {
    el,
    /** @returns {Choice} */
    choice: () => ({
      labels: boxes.filter((box) => box.checked).map((box) => box.value),
      other: titled && (open || otherBox.checked) ? otherText.value : "",
    }),
  };
}
