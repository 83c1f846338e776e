/**
 * Draws a turn: its question, the parts of its answer, and what stands below.
 * @typedef {import("../common/context.js").Context} Context
 * @typedef {import("../common/pieces.js").Piece} Piece
 * @typedef {import("../../types.js").Turn} Turn
 * @typedef {ReturnType<typeof groupParts>[number]} Group
 */
import { h, keyedList, setChildren } from "../../browser/dom.js";
import { icon } from "../../browser/icons.js";
import { loader } from "../../browser/load.js";
import { checkedClaims } from "../../state/claims.js";
import { answerText, groupParts, isRunning } from "../../state/turns.js";
import { plural } from "../../texts/i18n.js";
import { createCopyButton } from "../common/copy-button.js";
import { createChips } from "./chips.js";
import { createEvidence } from "./evidence.js";
import { createFeedback } from "./feedback.js";
import { drawJoinedWords } from "./joined-words.js";
import { createProse } from "./prose.js";
import { createAskedQuestion } from "./question.js";
import { drawSettledInterrupt } from "./settled-interrupt.js";
import { createToolSteps } from "./tool-steps.js";
import { drawTurnError } from "./turn-error.js";

const loadClaimList = loader(() => import("./claim-list.js"));
/** @type {Set<Promise<void>>} the answers whose claims are being marked */
export const marking = new Set();

/**
 * @param {Context} context
 * @param {HTMLElement} el to be filled
 */
export function createTurnView(context, el) {
  const { t } = context;
  const question = createAskedQuestion(context);
  const parts = h("div", { class: "parts" });
  const chips = createChips(context);
  const outcome = h("div", { class: "outcome" });
  /** @type {Turn} */
  let shown;
  const copy = createCopyButton(() => answerText(shown), t("turn.copy"), t);
  const link = createCopyButton(() => context.addressOf(shown.id), t("turn.link"), t, "link");
  const feedback = createFeedback(context);
  const below = h("div");
  const again = h(
    "button",
    { type: "button", class: "quiet small copy again", "aria-label": t("turn.again"), title: t("turn.again") },
    icon("retry"),
  );
  again.addEventListener("click", () => context.branch?.(shown.id, shown.question, shown.attachments));
  const actions = h("div", { class: "turn-actions" }, again, ...feedback.buttons, link, copy);
  const answer = h("div", { class: "answer", role: "group", "aria-label": t("turn.answer") });
  const evidence = createEvidence(context);
  let isMarked = false;
  const foot = h("div", { class: "turn-foot" }, evidence.el, actions, feedback.form);
  answer.append(parts, outcome, below, chips.el, foot);
  const divider = h("p", { class: "divider" }, t("list.forgot"));
  el.append(divider, question.el, answer);
  /** @type {Map<string, import("./prose.js").Prose>} */
  const proses = new Map();
  const drawParts = keyedList(parts, keyOf, (group) => createPart(context, group, proses, () => shown.id));

  /** @param {string} messageId */
  function proseOf(messageId) {
    const part = shown.parts.find((one) => one.kind === "text" && one.messageId === messageId);
    return part && proses.get(part.id);
  }

  /** @param {Promise<void>} marked */
  function keepMarking(marked) {
    const kept = marked.catch(reportError).finally(() => marking.delete(kept));
    marking.add(kept);
  }

  /** Once: what is complete is not drawn again. */
  async function markClaims() {
    if (isMarked || shown.phase !== "done" || checkedClaims(shown.evidence?.claims).length === 0) return;
    isMarked = true;
    const { createListedClaims } = await loadClaimList();
    const claims = createListedClaims(context, answer, evidence.unfold);
    evidence.attach(claims);
    await claims.mark(shown, proseOf);
    evidence.redraw();
  }

  /** @type {Map<Piece, import("../common/pieces.js").Below>} */
  const added = new Map();

  /** Draws what parts have to show below the answer. @param {Piece[]} pieces */
  function showBelow(pieces) {
    for (const piece of pieces) {
      const view = added.get(piece) ?? piece.createBelow?.(context.conversation.signal);
      if (!view) continue;
      if (!added.has(piece)) below.append(view.el);
      added.set(piece, view);
      view.update(shown).catch(reportError);
    }
  }

  return {
    /**
     * @param {Turn} turn
     * @param {import("../common/context.js").Surroundings} around
     */
    update(turn, { divided, siblings, pieces }) {
      shown = turn;
      divider.hidden = turn.key !== divided;
      const done = turn.phase === "done";
      question.update(turn, siblings.get(turn.id));
      const groups = groupParts(turn.parts);
      drawParts(groups, isRunning(turn) ? groups.map(keyOf).at(-1) : null);
      setChildren(outcome, drawOutcome(context, turn));
      chips.update(turn.chips, placeChips(turn, proses), !isRunning(turn));
      evidence.update(turn);
      keepMarking(markClaims());
      showBelow(pieces);
      feedback.update(turn);
      copy.hidden = done && !answerText(turn);
      const isAsked = turn.question !== "" && turn.origin !== "agent";
      again.hidden = !context.branch || !isAsked || turn.error !== null; // below an error stands another one
      foot.classList.toggle("turn-foot-later", !done);
      foot.hidden = Boolean(turn.askedBy); // it has no answer
    },
  };
}

/**
 * @param {Turn} turn
 * @param {Map<string, import("./prose.js").Prose>} proses
 * @returns {import("../../types.js").Chip[]} those that stand in the text
 */
function placeChips({ parts, chips }, proses) {
  const placed = parts.map((part) => {
    if (part.kind !== "text") return [];
    const own = chips.filter(({ message_id }) => message_id === part.messageId);
    return proses.get(part.id)?.putChips(own) ?? [];
  });
  return placed.flat();
}

/** @param {Group} group */
const keyOf = (group) => `${group.kind} ${group.id}`;

/**
 * Whether more may come to a text that stands last. What is confirmed ends with a line, or with the whole text.
 * @param {import("../../types.js").TextPart} part
 */
const isGrowing = ({ text, length, shownLength }) => shownLength > length || text.endsWith("\n");

/**
 * @param {Context} context
 * @param {Group} first
 * @param {Map<string, import("./prose.js").Prose>} proses those of the texts are added
 * @param {() => string} turnIdOf
 * @returns {{el: HTMLElement, update: (group: Group, last: string|null|undefined) => void}} `last`: key of the last
 *   part, null once the answer is complete
 */
function createPart(context, first, proses, turnIdOf) {
  if (first.kind === "joined") return { el: drawJoinedWords(context, first.text), update: () => {} };
  if (first.kind === "settled") return { el: drawSettledInterrupt(context, first), update: () => {} };
  if (first.kind === "steps") {
    const steps = createToolSteps(context, turnIdOf);
    return {
      el: steps.el,
      update: (group, last) => group.kind === "steps" && steps.update(group.tools, last === null || group.followed),
    };
  }
  const prose = createProse(context);
  proses.set(first.id, prose);
  return {
    el: prose.el,
    update: (group, last) =>
      group.kind === "text" && prose.update(group.shown, last === null, keyOf(group) === last && isGrowing(group)),
  };
}

const HOUR_MS = 3_600_000;

/**
 * How many questions the reader may still ask in this hour, once they are few; only the last turn shows it (turn.css).
 * @param {Context} context
 * @param {Turn} turn
 */
function drawQuestionsLeft({ t }, { notices, startedAt }) {
  const count = notices.find((each) => /^questions_left:\d+$/.test(each))?.split(":")[1];
  const isThisHour = Math.floor((startedAt ?? 0) / HOUR_MS) === Math.floor(Date.now() / HOUR_MS);
  if (count === undefined || !isThisHour) return [];
  const words = count === "0" ? t("turn.left.none") : plural(t, "turn.left", Number(count));
  return [h("p", { class: "outcome-note questions-left" }, words)];
}

/**
 * @param {Context} context
 * @param {Turn} turn
 * @returns {HTMLElement[]}
 */
function drawOutcome(context, turn) {
  const { t, conversation } = context;
  const retry =
    turn.error?.retryable && turn.question ? () => conversation.send(turn.question, turn.attachments) : null;
  return [
    ...(turn.notices.includes("selection_cut") ? [h("p", { class: "outcome-note" }, t("turn.cut"))] : []),
    ...drawQuestionsLeft(context, turn),
    ...(turn.notices.includes("history_cut") ? [h("p", { class: "outcome-note" }, t("turn.history_cut"))] : []),
    ...(turn.aborted
      ? [h("p", { class: "outcome-note" }, t(turn.unconfirmed ? "turn.stopped.unconfirmed" : "turn.stopped"))]
      : []),
    ...(turn.error ? [drawTurnError(context, turn.error, retry)] : []),
    ...(turn.backgroundTasks
      ? [h("p", { class: "outcome-note" }, plural(t, "turn.background", turn.backgroundTasks))]
      : []),
  ];
}
