/**
 * One question and its answer.
 * @typedef {import("./context.js").Context} Context
 * @typedef {import("../types.js").Turn} Turn
 * @typedef {ReturnType<typeof groupParts>[number]} Group
 */
import { h, keyed, place } from "../dom.js";
import { formatTime } from "../format.js";
import { icon } from "../icons.js";
import { maybe, plural } from "../i18n.js";
import { answerText, groupParts } from "../turns.js";
import { createChips } from "./chips.js";
import { createCopy } from "./copy.js";
import { createEvidence } from "./evidence.js";
import { createFeedback } from "./feedback.js";
import { drawNotice } from "./notice.js";
import { drawProblem } from "./problem.js";
import { createProse } from "./prose.js";
import { createSteps } from "./steps.js";

/**
 * @param {Context} context
 * @param {HTMLElement} el to be filled
 */
export function createTurn(context, el) {
  const { t } = context;
  const question = createQuestion(context);
  const parts = h("div", { class: "parts" });
  const chips = createChips(context);
  const outcome = h("div", { class: "outcome" });
  const evidence = createEvidence(context);
  /** @type {Turn} */
  let shown;
  const copy = createCopy(() => answerText(shown), t("turn.copy"), t);
  const link = createCopy(() => context.addressOf(shown.id), t("turn.link"), t, "link");
  const feedback = createFeedback(context);
  const actions = h("div", { class: "turn-actions" }, ...feedback.buttons, link, copy);
  const foot = h("div", { class: "turn-foot" }, evidence.el, actions, feedback.form);
  const answer = h("div", { class: "answer", role: "group", "aria-label": t("turn.answer") });
  answer.append(parts, outcome, chips.el, foot);
  const divider = h("p", { class: "divider" }, t("list.new"));
  el.append(divider, question.el, answer);
  const drawParts = keyed(parts, (/** @type {Group} */ group) => `${group.kind} ${group.id}`, (group) => createPart(context, group));

  return {
    /**
     * @param {Turn} turn
     * @param {string} beginning key of the turn with which a new conversation began
     */
    update(turn, beginning) {
      shown = turn;
      divider.hidden = turn.key !== beginning;
      const done = turn.phase === "done";
      question.update(turn);
      drawParts(groupParts(turn.parts), done);
      place(outcome, drawOutcome(context, turn));
      chips.update(turn.chips);
      evidence.update(turn);
      feedback.update(turn);
      copy.hidden = !answerText(turn);
      foot.hidden = !done;
    },
  };
}

/** @param {Context} context */
function createQuestion({ t, lang, write }) {
  const label = h("h2", { class: "hidden" }, t("turn.you"));
  const words = h("div", { class: "question-text" });
  const origin = h("p", { class: "question-origin" });
  const edit = h("button", { type: "button", class: "quiet small edit", "aria-label": t("turn.edit"), title: t("turn.edit"), onclick: () => write(words.textContent ?? "") }, icon("pencil"));
  const el = h("div", { class: "question" }, label, h("div", { class: "question-line" }, edit, words), origin);
  return {
    el,
    /** @param {Turn} turn */
    update({ question, origin: from, startedAt }) {
      el.hidden = !question;
      words.textContent = question;
      words.title = startedAt === null ? "" : formatTime(startedAt, lang);
      origin.textContent = maybe(t, `turn.origin.${from}`);
      origin.hidden = !origin.textContent;
    },
  };
}

/**
 * @param {Context} context
 * @param {Group} first
 * @returns {{el: HTMLElement, update: (group: Group, done: boolean) => void}}
 */
function createPart(context, first) {
  if (first.kind === "notice") return { el: drawNotice(context, first), update: () => {} };
  if (first.kind === "steps") {
    const steps = createSteps(context);
    return { el: steps.el, update: (group, done) => group.kind === "steps" && steps.update(group.tools, done || group.followed) };
  }
  const prose = createProse(context);
  return { el: prose.el, update: (group, done) => group.kind === "text" && prose.update(group.text, done) };
}

/**
 * @param {Context} context
 * @param {Turn} turn
 * @returns {HTMLElement[]}
 */
function drawOutcome(context, turn) {
  const { t, conversation } = context;
  const retry = turn.error?.retryable && turn.question ? () => conversation.send(turn.question) : null;
  return [
    ...(turn.notices.includes("selection_cut") ? [h("p", { class: "outcome-note" }, t("turn.cut"))] : []),
    ...(turn.aborted ? [h("p", { class: "outcome-note" }, t("turn.stopped"))] : []),
    ...(turn.error ? [drawProblem(context, turn.error, retry)] : []),
    ...(turn.backgroundTasks ? [h("p", { class: "outcome-note" }, plural(t, "turn.background", turn.backgroundTasks))] : []),
  ];
}
