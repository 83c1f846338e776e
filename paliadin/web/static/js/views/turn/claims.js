/**
 * The claims of an answer: their marks in its text, and the box that says where each comes from. A claim without a
 * source, or whose calculation comes to something else, is marked, and a stop of the Tab key; all others show
 * themselves when pointed at, or chosen from the list.
 * @typedef {ReturnType<typeof createClaims>} Claims
 * @typedef {import("../../types.js").Claim} Claim
 * @typedef {import("../../types.js").ClaimSource} ClaimSource
 * @typedef {import("../../types.js").Turn} Turn
 * @typedef {import("../common/context.js").Context} Context
 * @typedef {import("./prose.js").Prose} Prose
 */
import { listenToKeys } from "../../browser/keys.js";
import { checkedClaims, isMarked } from "../../state/claims.js";
import { ofLines } from "../../texts/tool-verbs.js";
import { toolName } from "../../texts/tool-names.js";
import { markClaims } from "./claim-marks.js";
import { createClaimTip } from "./claim-tip.js";
import { describeOrigin, linesOf, shortWords } from "./claim-words.js";
import { goTo, leadToSource, turnOfSource } from "./source-place.js";
import { shortSummary } from "./tool-files.js";

/** How long the pointer rests on a claim before its box comes. */
const REST_MS = 250;
/** Claims of an answer at which the Tab key stops; the list has them all. */
const MAX_STOPS = 20;
/** What is pressed for itself, also where it is a claim. */
const PRESSED = "a, button, .file-link";

/**
 * @param {Context} context
 * @param {HTMLElement} answer
 * @param {(claim: Claim) => void} openList shows a claim in the list
 */
export function createClaims(context, answer, openList) {
  const { t, conversation } = context;
  const tip = createClaimTip(answer, t("claims.to_source"));
  /** @type {Map<Claim, HTMLElement[]>} */
  const parts = new Map();
  /** @type {WeakMap<Element, Claim>} */
  const claimOf = new WeakMap();
  /** @type {Turn|null} */
  let turn = null;
  let stops = 0;
  let timer = 0;

  /**
   * @param {Claim} claim
   * @param {HTMLElement[]} marks
   */
  function onMark(claim, marks) {
    parts.set(claim, marks);
    marks.forEach((mark) => claimOf.set(mark, claim));
    const [first, ...others] = marks;
    if (!isMarked(claim) || !first || first.closest(PRESSED)) return;
    makeButton(first, claim);
    first.tabIndex = stops < MAX_STOPS ? 0 : -1;
    stops += 1;
    others.forEach((mark) => mark.setAttribute("aria-hidden", "true"));
  }

  /**
   * @param {HTMLElement} mark
   * @param {Claim} claim
   */
  function makeButton(mark, claim) {
    mark.setAttribute("role", "button");
    mark.setAttribute("aria-label", `${wordsOf(claim)}, ${describe(claim)}`);
  }

  /**
   * The words of a claim as the answer shows them: its text may have Markdown in it.
   * @param {Claim} claim
   */
  function wordsOf(claim) {
    const shown = parts.get(claim)?.map((mark) => mark.textContent);
    return shortWords(shown?.join("") ?? claim.text);
  }

  /** @param {ClaimSource} source */
  function nameOf({ origin, call, turn_id }) {
    if (origin !== "call") return "";
    const maker = turn_id ? conversation.get().turns.find(({ id }) => id === turn_id) : turn;
    const tool = maker?.parts.find((part) => part.kind === "tool" && part.id === call);
    if (tool?.kind !== "tool") return "";
    const place = shortSummary(tool, LONGEST_PLACE);
    if (place && ofLines.includes(tool.name)) return place; // a file's name says that it was read
    return t("claims.tool", { tool: toolName(tool.name, t) }) + (place && ` (${place})`);
  }

  /** @param {Claim} claim */
  const describe = (claim) => describeOrigin(claim, nameOf, t);

  /**
   * What leads to a claim's first source that is on the page.
   * @param {Claim} claim
   * @returns {((from: HTMLElement) => void)|null}
   */
  function leadOf(claim) {
    for (const source of claim.sources) {
      const there = turnOfSource(answer, source);
      const isShown = source.origin === "question" || (source.origin === "call" && nameOf(source) !== "");
      if (there && isShown) return (from) => void leadToSource(context, there, wordsOf(claim), source, from);
    }
    return null;
  }

  /** @param {EventTarget|null} target */
  const markAt = (target) => {
    const mark = target instanceof Element ? target.closest(".claim") : null;
    return mark instanceof HTMLElement && claimOf.has(mark) ? mark : null;
  };

  /** @param {HTMLElement} mark */
  function show(mark) {
    const claim = claimOf.get(mark);
    if (!claim) return;
    const all = parts.get(claim) ?? [mark];
    const lead = leadOf(claim);
    tip.show(mark, all, { origin: describe(claim), lines: linesOf(claim), lead: lead && (() => lead(mark)) });
  }

  /** @param {HTMLElement} mark */
  function activate(mark) {
    const claim = claimOf.get(mark);
    if (!claim) return;
    tip.hide();
    const lead = leadOf(claim);
    if (lead) lead(mark);
    else openList(claim);
  }

  answer.addEventListener("pointerover", ({ target, pointerType }) => {
    const mark = markAt(target);
    if (!mark || pointerType === "touch" || tip.isAt(mark)) return;
    clearTimeout(timer);
    timer = window.setTimeout(() => show(mark), REST_MS);
  });
  answer.addEventListener("pointerout", ({ target }) => {
    if (!markAt(target)) return;
    clearTimeout(timer);
    tip.hideSoon();
  });
  answer.addEventListener("focusin", ({ target }) => {
    const mark = markAt(target);
    if (mark) show(mark);
  });
  answer.addEventListener("focusout", ({ target }) => markAt(target) && tip.hideSoon());
  answer.addEventListener("click", (event) => {
    const mark = markAt(event.target);
    if (!mark || mark.closest(PRESSED) || String(document.getSelection())) return;
    const isTouch = event instanceof PointerEvent && event.pointerType === "touch";
    if (isTouch) show(mark);
    else activate(mark);
  });
  listenToKeys(answer, (event) => {
    const mark = event.key === "Enter" || event.key === " " ? markAt(event.target) : null;
    if (!mark) return;
    event.preventDefault();
    activate(mark);
  });

  return {
    tip: tip.el,
    describe,
    /** Numbers a claim in the text, for paper. @param {Claim} claim @param {number} number */
    number: (claim, number) => parts.get(claim)?.at(-1)?.setAttribute("data-evidence", `${number}`),
    wordsOf,
    leadOf,
    /** @param {Claim} claim */
    isInText: (claim) => parts.has(claim),
    /** @param {Claim} claim */
    goToText(claim) {
      const mark = parts.get(claim)?.[0];
      if (!mark) return;
      context.leaveEnd?.();
      if (!mark.closest(PRESSED)) makeButton(mark, claim);
      goTo(mark);
    },
    /**
     * Marks the claims of a turn that is over.
     * @param {Turn} shown
     * @param {(messageId: string) => Prose|undefined} proseOf
     */
    async mark(shown, proseOf) {
      turn = shown;
      const claims = checkedClaims(shown.evidence?.claims);
      // A claim without a source is marked also where it stands in another one.
      const inOrder = [...claims].sort((a, b) => rank(a) - rank(b) || b.end - b.start - (a.end - a.start));
      for (const id of new Set(claims.map(({ message_id }) => message_id))) {
        const prose = proseOf(id);
        const own = inOrder.filter(({ message_id }) => message_id === id);
        if (prose) await prose.mark((text, blocks) => markClaims(own, text, blocks, onMark));
      }
    },
  };
}

/** @param {Claim} claim */
const rank = (claim) => (isMarked(claim) ? 0 : 1);

const LONGEST_PLACE = 48; // characters
