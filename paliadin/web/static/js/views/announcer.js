/**
 * Announces to a screen reader that Claude works, what it asks, and the answer once it is complete.
 * @typedef {import("./common/context.js").Context} Context
 * @typedef {import("../types.js").State} State
 * @typedef {import("../types.js").Turn} Turn
 * @typedef {import("../types.js").Interrupt} Interrupt
 */
import { h } from "../browser/dom.js";
import { dialogOf, openInterrupts, questionsOf } from "../state/interrupts.js";
import { requestLine } from "../state/permission-request.js";
import { answerText, isRunning, runningTurn } from "../state/turns.js";
import { clip } from "../texts/format.js";
import { explainFailure } from "../texts/i18n.js";

/** Characters of an answer that are announced; the rest is read in the conversation. */
const MAX_LENGTH = 700;

/** @param {Context} context */
export function createAnnouncer({ t, lang }) {
  const el = h("div", { class: "hidden", role: "status" });
  /** @type {string|undefined} */
  let watched;
  /** @type {Set<string>} */
  let announced = new Set();

  /** @param {string} text */
  const announce = (text) => (el.textContent = text);

  /** @param {Turn} turn that is over */
  async function outcome(turn) {
    if (turn.error) return t("live.failed", { text: explainFailure(t, lang, turn.error).title });
    if (turn.aborted) return t("live.stopped");
    const { plainText } = await import("../markdown/render.js"); // it is there already: the answer was drawn
    return t("live.done", { text: clip(plainText(clip(answerText(turn), 5 * MAX_LENGTH)), MAX_LENGTH) });
  }

  /** @param {Interrupt} interrupt */
  function request(interrupt) {
    if (interrupt.kind === "dialog") return t(`ask.there.${dialogOf(interrupt).asks}`);
    const questions = questionsOf(interrupt).map(({ question }) => question);
    if (interrupt.kind !== "permission") return `${t("ask.question")}: ${questions.join(" ")}`;
    const line = requestLine(interrupt, t);
    return interrupt.tool ? `${t("ask.permission")}: ${line}` : line;
  }

  return {
    el,
    /**
     * @param {State} state
     * @param {boolean} isCardFocused then it was read already
     */
    update({ turns }, isCardFocused) {
      const running = runningTurn(turns);
      const before = turns.find((turn) => turn.id === watched);
      if (before && !isRunning(before)) outcome(before).then(announce, reportError);
      if (watched !== undefined && !before && !running) announce(""); // it was refused; why is said elsewhere
      if (running && !before) announce(t("live.working"));
      watched = running?.id;
      const open = openInterrupts(turns).map(({ interrupt }) => interrupt);
      const added = open.filter(({ id }) => !announced.has(id));
      if (added.length && !isCardFocused) announce(added.map(request).join(" "));
      announced = new Set(open.map(({ id }) => id));
    },
  };
}
