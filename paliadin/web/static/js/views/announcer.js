/**
 * Tells a screen reader what happens: that work began, what is asked, the answer when it is whole. Never piece by piece.
 * @typedef {import("./context.js").Context} Context
 * @typedef {import("../types.js").State} State
 * @typedef {import("../types.js").Turn} Turn
 * @typedef {import("../types.js").Interrupt} Interrupt
 */
import { h } from "../dom.js";
import { clip, toolName, visible } from "../format.js";
import { explain } from "../i18n.js";
import { questionsOf, subject } from "../interrupts.js";
import { plainText } from "../markdown.js";
import { answerText, isRunning, runningTurn } from "../turns.js";

/** The rest is in the conversation, to be read there. */
const LENGTH = 700;

/** @param {Context} context */
export function createAnnouncer({ t, lang }) {
  const el = h("div", { class: "hidden", role: "status" });
  /** @type {string|undefined} */
  let watched;
  /** @type {Set<string>} */
  let asked = new Set();

  /** @param {string} text */
  const say = (text) => (el.textContent = text);

  /** @param {Turn} turn */
  function outcome(turn) {
    if (turn.error) return t("live.failed", { text: explain(t, lang, turn.error).title });
    return turn.aborted ? t("live.stopped") : t("live.done", { text: clip(plainText(clip(answerText(turn), 5 * LENGTH)), LENGTH) });
  }

  /** @param {Interrupt} interrupt */
  function asks(interrupt) {
    const { kind, tool } = interrupt;
    if (kind !== "permission") return `${t("ask.question")}: ${questionsOf(interrupt).map((each) => each.question).join(" ")}`;
    return `${tool ? t("ask.permission.tool", { tool: visible(toolName(tool)) }) : t("ask.permission")}: ${subject(interrupt)}`;
  }

  return {
    el,
    /** @param {State} state */
    update({ turns }) {
      const running = runningTurn(turns);
      const before = turns.find((turn) => turn.id === watched);
      if (before && !isRunning(before)) say(outcome(before));
      if (running && !before) say(t("live.working"));
      watched = running?.id;
      const news = running?.interrupts.filter(({ id }) => !asked.has(id)) ?? [];
      if (news.length) say(news.map(asks).join(" "));
      asked = new Set(running?.interrupts.map(({ id }) => id));
    },
  };
}
