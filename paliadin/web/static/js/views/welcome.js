/**
 * Fills the place of an empty conversation: with a welcome and example questions, how to sign in, or "loading".
 * @typedef {import("./common/context.js").Context} Context
 * @typedef {import("../types.js").State} State
 */
import { codeSpans, h, memoizeLast, setChildren } from "../browser/dom.js";
import { drawExampleQuestions, drawStarters, NO_QUESTIONS } from "./common/starters.js";

/** @param {Context} context */
export function createWelcome(context) {
  const { conversation, t, lang, member, pieces, fillInput, ask, showList } = context;
  const starters = h("div", { class: "starters", role: "group", "aria-label": t("empty.demo") });
  const caption = h("p", { class: "starters-caption" }, t("empty.demo"));
  const about = h("p", {});
  const sees = h("p", { class: "sees" });
  const welcome = h("div", { class: "empty" }, logo(), h("h2", {}, t("empty.title")), about, sees, caption, starters);
  const retry = h(
    "button",
    { type: "button", class: "primary", onclick: () => conversation.refresh() },
    t("login.retry"),
  );
  // Of a page that was opened by its path, at the daemon's own address: this browser finds no other.
  const isByPath = location.protocol === "http:" && location.pathname.startsWith("/~");
  const command = isByPath ? "paliadin open --by-path" : "paliadin open";
  const login = h(
    "div",
    { class: "empty" },
    logo(),
    h("h2", {}, t("login.title")),
    h("p", {}, ...codeSpans(member ? t("login.text.member") : t("login.text", { command }))),
    retry,
  );
  const toList = h(
    "button",
    { type: "button", class: "primary to-list", hidden: !showList, onclick: showList },
    t("missing.list"),
  );
  const missing = h(
    "div",
    { class: "empty", role: "alert" },
    logo(),
    h("h2", {}, t("missing.title")),
    h("p", {}, t("missing.text")),
    toList,
  );
  const loading = h("div", { class: "empty" }, h("p", { class: "shimmer" }, t("list.loading")));
  const el = h("div", { class: "empty-place" });
  const drawPageStarters = memoizeLast((/** @type {import("./common/context.js").Starter[]} */ all) =>
    drawStarters(all, { fillInput, ask }),
  );
  const drawQuestions = memoizeLast((/** @type {string[]} */ all) => drawExampleQuestions(all, ask));

  return {
    el,
    /**
     * @param {State} state
     * @param {boolean} empty no turn is shown
     */
    update(state, empty) {
      el.hidden = state.signedIn && !state.missing && !empty;
      const here = pieces.of(state.health);
      const isMember = member || state.health?.person?.role === "member";
      const { health } = state;
      const own = health && here.map((piece) => piece.text?.(health)).find(Boolean);
      const [memberText = t("empty.text.member")] = here.flatMap((piece) => piece.memberText ?? []);
      about.textContent = isMember ? memberText : own || t("empty.text");
      sees.textContent = here.flatMap((piece) => piece.sees ?? []).join(" ");
      sees.hidden = sees.textContent === "";
      const starts = context.starters?.() ?? [];
      setChildren(
        starters,
        starts.length ? drawPageStarters(starts) : drawQuestions(state.health?.demo_questions?.[lang] ?? NO_QUESTIONS),
      );
      caption.hidden = starters.childElementCount === 0;
      if (!state.signedIn) setChildren(el, [login]);
      else if (state.missing) setChildren(el, [missing]);
      else setChildren(el, [state.ready && !pieces.areLoading(state.health) ? welcome : loading]);
    },
  };
}

function logo() {
  return h("span", { class: "mark", "aria-hidden": "true" });
}
