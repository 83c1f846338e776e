/**
 * What concerns the page as a whole: no connection, a part that is not well, the demo's model, an action that failed.
 * @typedef {import("./context.js").Context} Context
 * @typedef {import("../types.js").State} State
 */
import { h, place, withCode } from "../dom.js";
import { explain } from "../i18n.js";
import { icon } from "../icons.js";
import { runningTurn, visibleTurns } from "../turns.js";
import { createAway } from "./away.js";

/** @type {string[]} */
export const NONE = [];

/**
 * @param {Context} context
 * @param {() => void} look at the terminal
 */
export function createBanners(context, look) {
  const { conversation, t } = context;
  const el = h("div", { class: "banners" });
  const retry = h("button", { type: "button", class: "small", onclick: () => conversation.reconnect() }, t("link.retry"));
  const lost = h("div", { class: "banner warn", role: "alert" }, icon("alert"), h("p", {}, t("link.lost")), retry);
  const demo = createDemo(context);
  const away = createAway(context);
  const problem = cached((/** @type {NonNullable<State["problem"]>} */ failure) => drawFailure(context, failure));
  const health = cached((/** @type {NonNullable<State["health"]>} */ state) => drawHealth(context, state, look));

  return {
    el,
    /** @param {State} state */
    update(state) {
      if (!state.signedIn) return place(el, []);
      const lostHost = state.health?.parts?.find((part) => part.retry_at);
      away.update(state.ready ? lostHost : undefined);
      place(el, [
        ...(state.link === "lost" ? [lost] : []),
        ...(state.ready && lostHost ? [away.el] : []),
        ...(state.ready && state.health ? health(state.health) : []),
        ...(state.ready && state.health?.scripted ? [demo.el] : []),
        ...(state.problem ? problem(state.problem) : []),
      ]);
      demo.update(state);
    },
  };
}

/**
 * @param {Context} context
 * @param {NonNullable<State["health"]>} health
 * @param {() => void} look
 */
function drawHealth({ t, lang, embedded }, { parts = [] }, look) {
  return parts.filter((part) => !part.ok && !part.retry_at).map((part) => {
    const message = part.message || t("health.part", { name: part.name, state: part.state });
    const words = drawWords(t, lang, { code: part.state, message, hint: part.hint ?? "", retryable: false });
    const button = part.name === "claude" && !embedded && h("button", { type: "button", class: "small", onclick: look }, t("terminal.look"));
    return h("div", { class: "banner warn", role: "status" }, icon("alert"), words, button);
  });
}

/**
 * @param {Context["t"]} t
 * @param {Context["lang"]} lang
 * @param {NonNullable<State["problem"]>} failure
 */
function drawWords(t, lang, failure) {
  const { title, detail, hint } = explain(t, lang, failure);
  return h("p", {}, h("strong", {}, ...withCode(title)), " ", detail && h("span", { class: "told" }, detail), ...withCode(` ${hint}`));
}

/**
 * @param {Context} context
 * @param {NonNullable<State["problem"]>} failure
 */
function drawFailure({ conversation, t, lang }, failure) {
  const close = h("button", { type: "button", class: "icon-button", "aria-label": t("banner.close"), onclick: conversation.dismiss }, icon("cross"));
  return [h("div", { class: "banner bad", role: "alert" }, icon("alert"), drawWords(t, lang, failure), close)];
}

/**
 * The example questions are in the empty conversation first, and here once there is something above.
 * @param {Context} context
 */
function createDemo({ ask, t, lang }) {
  const list = h("div", { class: "demo-questions" });
  const more = h("details", {}, h("summary", {}, t("demo.questions"), icon("chevron")), list);
  const el = h("div", { class: "banner demo" }, h("p", {}, h("strong", {}, t("demo.title")), " ", h("span", { class: "demo-text" }, t("demo.text"))), more);
  const buttons = cached((/** @type {string[]} */ questions) =>
    drawQuestions(questions, (question) => {
      more.open = false;
      ask(question);
    }),
  );
  return {
    el,
    /** @param {State} state */
    update(state) {
      const questions = state.health?.demo_questions?.[lang] ?? NONE;
      more.hidden = questions.length === 0 || visibleTurns(state).length === 0;
      place(list, buttons(questions));
      list.toggleAttribute("inert", Boolean(runningTurn(state.turns)));
    },
  };
}

/**
 * @param {string[]} questions
 * @param {(question: string) => void} ask
 * @returns {HTMLElement[]}
 */
export function drawQuestions(questions, ask) {
  return questions.map((question) => h("button", { type: "button", class: "starter", onclick: () => ask(question) }, question));
}

/**
 * @template Value
 * @param {(value: Value) => HTMLElement[]} draw
 */
export function cached(draw) {
  /** @type {Value|undefined} */
  let last;
  /** @type {HTMLElement[]} */
  let drawn = [];
  return (/** @type {Value} */ value) => {
    if (value !== last) drawn = draw(value);
    last = value;
    return drawn;
  };
}
