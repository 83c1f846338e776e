/**
 * The banners above the conversation (no connection, a part that is not well, the demo), and the one above the input:
 * an action that failed.
 * @typedef {import("./common/context.js").Context} Context
 * @typedef {import("../types.js").State} State
 */
import { codeSpans, h, memoizeLast, setChildren } from "../browser/dom.js";
import { icon } from "../browser/icons.js";
import { runningTurn } from "../state/turns.js";
import { explainFailure } from "../texts/i18n.js";
import { drawExampleQuestions, NO_QUESTIONS } from "./common/starters.js";
import { awayHost, createUnreachableHost } from "./unreachable-host.js";

/**
 * @param {Context} context
 * @param {() => void} openTerminal
 */
export function createBanners(context, openTerminal) {
  const { conversation, t, pieces, moveOn } = context;
  const el = h("div", { class: "banners" });
  const retry = h(
    "button",
    { type: "button", class: "small", onclick: () => conversation.reconnect() },
    t("link.retry"),
  );
  const lost = h("div", { class: "banner warn", role: "alert" }, icon("alert"), h("p", {}, t("link.lost")), retry);
  const demo = createDemo(context);
  const unreachableHost = createUnreachableHost(context);
  const health = memoizeLast((/** @type {NonNullable<State["health"]>} */ state) =>
    drawHealth(context, state, openTerminal),
  );

  /** @type {Map<import("./common/pieces.js").Piece, import("./common/pieces.js").Banner>} */
  const ofPieces = new Map();
  /** @param {NonNullable<State["health"]>} report */
  const drawPieces = (report) =>
    pieces.of(report).flatMap((piece) => {
      const draw = ofPieces.get(piece) ?? piece.createBanner?.({ act: conversation.act, moveOn });
      if (!draw) return [];
      ofPieces.set(piece, draw);
      return draw(report);
    });

  return {
    el,
    /** @param {State} state */
    update(state) {
      if (!state.signedIn) return setChildren(el, []);
      const awayPart = awayHost(state);
      unreachableHost.update(state.ready ? awayPart : undefined);
      setChildren(el, [
        ...(state.connection === "lost" ? [lost] : []),
        ...(state.ready && awayPart ? [unreachableHost.el] : []),
        ...(state.ready && state.health ? health(state.health) : []),
        ...(state.ready && state.health?.scripted ? [demo.el] : []),
        ...(state.ready && state.health ? drawPieces(state.health) : []),
      ]);
      demo.update(state);
    },
  };
}

/**
 * Says where the user looks, beside the input, that what was asked for was not done.
 * @param {Context} context
 */
export function createFailedAction(context) {
  const el = h("div", {});
  const draw = memoizeLast((/** @type {NonNullable<State["failedAction"]>} */ failure) =>
    drawFailure(context, failure),
  );
  return {
    el,
    /** @param {State} state */
    update: ({ failedAction }) => setChildren(el, failedAction ? draw(failedAction) : []),
  };
}

/**
 * @param {Context} context
 * @param {NonNullable<State["health"]>} health
 * @param {() => void} openTerminal
 */
function drawHealth({ t, lang, embedded, member }, { parts = [] }, openTerminal) {
  return parts
    .filter((part) => (!part.ok && !part.retry_at) || (isBudgetWarning(part) && !member))
    .map((part) => {
      const message = part.message || t("health.part", { name: part.name, state: part.state });
      const failure = { code: part.state, message, hint: part.hint ?? "", retryable: false };
      const text = drawFailureText(t, lang, failure, Boolean(member));
      const button =
        part.name === "claude" &&
        !WITHOUT_TERMINAL.has(part.state) &&
        !embedded &&
        !member &&
        h("button", { type: "button", class: "small", onclick: openTerminal }, t("terminal.look"));
      return h("div", { class: "banner warn", role: "status" }, icon("alert"), text, button);
    });
}

/** What no terminal shows: the Messages API has none, and a Claude that is too old is not started. */
const WITHOUT_TERMINAL = new Set(["no_api_key", "no_worker", "claude_too_old"]);

/** A budget that is nearly spent: questions are still taken. @param {import("../types.js").HealthPart} part */
const isBudgetWarning = ({ name, state }) => name === "budget" && state === "budget_low";

/**
 * @param {Context["t"]} t
 * @param {Context["lang"]} lang
 * @param {NonNullable<State["failedAction"]>} failure
 * @param {boolean} [forMember]
 */
function drawFailureText(t, lang, failure, forMember) {
  const { title, detail, hint } = explainFailure(t, lang, failure, forMember);
  return h(
    "p",
    {},
    h("strong", {}, ...codeSpans(title)),
    " ",
    detail && h("span", { class: "banner-detail" }, detail),
    ...codeSpans(` ${hint}`),
  );
}

/**
 * @param {Context} context
 * @param {NonNullable<State["failedAction"]>} failure
 */
function drawFailure({ conversation, t, lang, sendAsText, member }, failure) {
  const close = h(
    "button",
    { type: "button", class: "icon-button", "aria-label": t("banner.close"), onclick: conversation.dismissFailure },
    icon("cross"),
  );
  const asText =
    /_command$|^command_elsewhere$/.test(failure.code) &&
    h("button", { type: "button", class: "small", onclick: sendAsText }, t("command.as_text"));
  const text = drawFailureText(t, lang, failure, Boolean(member));
  return [h("div", { class: "banner bad", role: "alert" }, icon("alert"), text, asText, close)];
}

/**
 * Creates the demo's banner. It holds the example questions once the conversation is not empty; until then that does.
 * @param {Context} context
 */
function createDemo({ ask, t, lang }) {
  const words = h("span", { class: "demo-text" });
  const list = h("div", { class: "demo-questions" });
  const more = h("details", {}, h("summary", {}, t("demo.questions"), icon("chevron")), list);
  const el = h("div", { class: "banner demo" }, h("p", {}, h("strong", {}, t("demo.title")), " ", words), more);
  const buttons = memoizeLast((/** @type {string[]} */ questions) =>
    drawExampleQuestions(questions, (question) => {
      more.open = false;
      ask(question);
    }),
  );
  let wasRunning = false;

  return {
    el,
    /** @param {State} state */
    update(state) {
      const running = Boolean(runningTurn(state.turns));
      if (running && !wasRunning) more.open = false; // also where another question was asked
      wasRunning = running;
      words.textContent = t(state.health?.relay === "messages" ? "demo.text.messages" : "demo.text");
      const questions = state.health?.demo_questions?.[lang] ?? NO_QUESTIONS;
      more.hidden = questions.length === 0 || state.turns.length === 0;
      setChildren(list, buttons(questions));
      list.toggleAttribute("inert", running);
    },
  };
}
