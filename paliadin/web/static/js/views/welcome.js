/**
 * What stands where there is no conversation: a welcome, or how to get in.
 * @typedef {import("./context.js").Context} Context
 * @typedef {import("../types.js").State} State
 */
import { h, place, withCode } from "../dom.js";
import { NONE, cached, drawQuestions } from "./banners.js";

/** @param {Context} context */
export function createEmpty({ conversation, t, lang, write, ask, starters: given }) {
  const starters = h("div", { class: "starters", role: "group", "aria-label": t("empty.demo") });
  const caption = h("p", { class: "starters-caption" }, t("empty.demo"));
  const welcome = h("div", { class: "empty" }, mark(), h("h2", {}, t("empty.title")), h("p", {}, t("empty.text")), caption, starters);
  const retry = h("button", { type: "button", class: "primary", onclick: () => conversation.refresh() }, t("login.retry"));
  const login = h("div", { class: "empty" }, mark(), h("h2", {}, t("login.title")), h("p", {}, ...withCode(t("login.text"))), retry);
  const loading = h("div", { class: "empty" }, h("p", { class: "shimmer" }, t("list.loading")));
  const el = h("div", { class: "empty-place" });
  const drawStarters = cached((/** @type {import("./context.js").Starter[]} */ all) => all.map(drawStarter));

  /** @param {import("./context.js").Starter} starter */
  function drawStarter({ label, prompt }) {
    // A prompt that ends in a blank is to be completed.
    const act = () => (/\s$/.test(prompt) ? write(prompt) : ask(prompt));
    return h("button", { type: "button", class: "starter", onclick: act }, label);
  }
  const questions = cached((/** @type {string[]} */ all) => drawQuestions(all, ask));

  return {
    el,
    /**
     * @param {State} state
     * @param {boolean} blank nothing is shown of any turn
     */
    update(state, blank) {
      el.hidden = state.signedIn && !blank;
      const own = given?.() ?? [];
      place(starters, own.length ? drawStarters(own) : questions(state.health?.demo_questions?.[lang] ?? NONE));
      caption.hidden = starters.childElementCount === 0;
      if (!state.signedIn) place(el, [login]);
      else place(el, [state.ready ? welcome : loading]);
    },
  };
}

function mark() {
  return h("span", { class: "mark", "aria-hidden": "true" });
}
