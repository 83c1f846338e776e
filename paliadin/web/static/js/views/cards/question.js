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
import { drawPreviews } from "./previews.js";
import { createMoreBelow } from "./more-below.js";

const LAST_KEY = 9;

/**
 * @param {Context} context
 * @param {Interrupt} interrupt
 * @param {SendReply} sendReply
 * @returns {import("./card.js").Card}
 */
export function createQuestionCard(context, interrupt, sendReply) {
  const { t } = context;
  const questions = questionsOf(interrupt);
  const several = questions.length > 1;
  const fields = questions.map((question, i) =>
    createField(
      context,
      question,
      `${interrupt.id}-${i}`,
      several ? t("ask.nth", { number: i + 1, count: questions.length }) : "",
    ),
  );
  const choices = () => fields.map((field) => field.choice());
  const open = () => choices().findIndex((choice) => !isChosen(choice));
  const hasChoices = several || (questions[0]?.options.length ?? 0) > 0;
  const submit = h("button", { type: "submit", class: "primary", hidden: !hasChoices }, t("ask.reply"));
  const skip = h("button", { type: "button", class: "quiet", onclick: cancel }, t("ask.skip"));
  const elements = fields.map((field) => field.el);
  const body = h("div", {}, ...elements);
  const card = createCard(context, {
    mark: "question",
    title: [several ? t("ask.questions", { count: questions.length }) : t("ask.question")],
    text: several ? "" : (questions[0]?.question ?? ""),
    body: [body],
    hint: createMoreBelow(elements, show, t),
    buttons: [submit, skip],
  });

  /** Lets the button look as if it could not be pressed while a reply is missing: pressed, it says which. */
  function check() {
    submit.ariaDisabled = open() < 0 ? null : "true";
    card.say("");
  }
  function cancel() {
    card.disableWhile(sendReply({ interrupt_id: interrupt.id, cancel: true }));
  }
  /** @param {number} index of a question */
  function show(index) {
    elements[index]?.scrollIntoView({ block: "start" });
    elements[index]?.querySelector("input")?.focus({ preventScroll: true });
  }
  function reply() {
    const missing = open();
    if (missing < 0) {
      card.disableWhile(sendReply({ interrupt_id: interrupt.id, value: replyValue(questions, choices()) }));
      return;
    }
    show(missing);
    card.say(several ? t("ask.open", { number: missing + 1 }) : t("ask.choose"));
  }

  card.el.addEventListener("input", check);
  card.el.addEventListener("submit", (event) => {
    event.preventDefault();
    if (hasChoices) reply();
  });
  check();
  return {
    el: card.el,
    /** Chooses, and sends nothing: in the question that has the focus, or in the first without a reply. */
    press(event) {
      const focusedAt = elements.findIndex((each) => each.matches(":focus-within"));
      const box = fields[focusedAt < 0 ? Math.max(open(), 0) : focusedAt]?.boxes[Number(event.key) - 1];
      if (!box || card.isSending()) return;
      event.preventDefault();
      if (event.repeat) return;
      box.click();
      box.focus();
    },
  };
}

/**
 * @param {Context} context
 * @param {Question} question
 * @param {string} name
 * @param {string} place which one of several it is: then it shows its question, and a field for own words
 */
function createField(context, question, name, place) {
  const { t } = context;
  const type = question.multi ? "checkbox" : "radio";
  const boxes = question.options.map((option) => h("input", { type, name, value: option.label }));
  const otherBox = h("input", { type, name, value: "", "aria-label": t("ask.other") });
  const otherText = h("input", {
    type: "text",
    class: "other",
    dir: "auto",
    placeholder: t("ask.other"),
    "aria-label": t("ask.other.label"),
    autocomplete: "off",
  });
  otherText.addEventListener("input", () => (otherBox.checked = otherText.value !== ""));
  otherBox.addEventListener("change", () => otherBox.checked && otherText.focus());

  const rows = boxes.map((box, i) => {
    const { label, description } = question.options[i] ?? { label: "", description: "" };
    const text = h("span", { dir: "auto" }, label, description && h("small", { dir: "auto" }, description));
    const key = i < LAST_KEY && h("kbd", { "aria-hidden": "true" }, `${i + 1}`);
    return h("label", { class: "choice" }, box, text, key);
  });
  const isOpen = boxes.length === 0;
  // Own words for a single question are written where everything is written: in the input below the card.
  const below = h("p", { class: "field-hint" }, t("ask.below"));
  const hint = t(question.multi ? "ask.many" : "ask.one");
  const tag = question.header && h("span", { class: "tag", dir: "auto" }, question.header);
  // The card itself is named by a single question.
  const legend = place
    ? h("legend", { dir: "auto" }, h("span", { class: "field-place", dir: "auto" }, place), tag, question.question)
    : !isOpen && h("legend", { class: "field-hint" }, hint);
  const el = h(
    "fieldset",
    { class: "field" },
    legend,
    !isOpen && place && h("p", { class: "field-hint" }, hint),
    drawPreviews(context, question.options, rows, boxes),
  );
  el.append(place ? h("div", { class: "choice choice-other" }, isOpen ? "" : otherBox, otherText) : below);

  return {
    el,
    boxes,
    /** @returns {Choice} */
    choice: () => ({
      labels: boxes.filter((box) => box.checked).map((box) => box.value),
      other: place && (isOpen || otherBox.checked) ? otherText.value : "",
    }),
  };
}
