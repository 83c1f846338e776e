/**
 * The list of an answer's claims in its evidence, first those that do not add up, then those without a source. Each
 * leads to its place in the text and to its source. It is drawn when it is unfolded. This module and what it needs are
 * loaded with the first such answer.
 * @typedef {ReturnType<typeof createListedClaims>} ListedClaims
 * @typedef {import("./claims.js").Claims} Claims
 * @typedef {import("../../types.js").Claim} Claim
 * @typedef {import("../common/context.js").Context} Context
 */
import { h } from "../../browser/dom.js";
import { isDoubtful } from "../../state/claims.js";
import { plural } from "../../texts/i18n.js";
import { createClaims } from "./claims.js";
import { goTo } from "./source-place.js";

/** Shown at once; a click shows as many more. */
const PAGE = 25;

/**
 * @param {Context} context
 * @param {HTMLElement} answer
 * @param {() => void} unfold the evidence, with the list
 */
export function createListedClaims(context, answer, unfold) {
  const claims = createClaims(context, answer, (claim) => {
    unfold();
    const entry = list.entryOf(claim);
    if (entry) goTo(entry.querySelector("button") ?? entry);
  });
  const list = createClaimList(context, claims);
  answer.append(claims.tip);
  return {
    el: list.el,
    draw: list.update,
    mark: claims.mark,
    drawNotes: (/** @type {Claim[]} */ all) => drawNotes(all, claims),
  };
}

/**
 * The claims as footnotes for paper, numbered here and in the text.
 * @param {Claim[]} checked
 * @param {Claims} claims
 */
function drawNotes(checked, claims) {
  const notes = [...group(checked)].map(([claim, same], i) => {
    for (const each of same) claims.number(each, i + 1);
    return h("li", {}, h("bdi", {}, claims.wordsOf(claim)), ": ", h("bdi", {}, claims.describe(claim)));
  });
  return h("ol", { class: "print-notes" }, ...notes);
}

/**
 * @param {Context} context
 * @param {Claims} claims
 */
function createClaimList({ t }, claims) {
  const list = h("ul", { "aria-label": t("claims.title") });
  const more = h("button", { type: "button", class: "quiet small", onclick: () => draw() });
  const el = h("div", { class: "claim-list" }, h("p", {}, t("claims.title")), list, more);
  /** @type {Claim[]} */
  let left = [];
  /** @type {Map<Claim, HTMLElement>} */
  const entries = new Map();
  /** @type {Map<Claim, Claim[]>} the first of those that say and mean the same, with all of them */
  let repeated = new Map();

  function draw() {
    const first = list.childElementCount;
    const drawn = left.splice(0, PAGE);
    for (const claim of drawn) {
      const entry = drawEntry(claim);
      for (const same of repeated.get(claim) ?? []) entries.set(same, entry);
      list.append(entry);
    }
    more.hidden = left.length === 0;
    more.textContent = plural(t, "claims.more", left.length);
    const next = list.children[first]?.querySelector("button");
    if (first > 0 && next) next.focus();
  }

  /** @param {Claim} claim */
  function drawEntry(claim) {
    const times = repeated.get(claim)?.length ?? 1;
    const words = h("bdi", {}, claims.wordsOf(claim));
    const origin = claims.describe(claim);
    const show = () => claims.goToText(claim);
    const toText = claims.isInText(claim)
      ? h("button", { type: "button", class: "link", title: t("claims.to_text"), onclick: show }, words)
      : words;
    const lead = claims.leadOf(claim);
    const toSource = lead
      ? h(
          "button",
          {
            type: "button",
            class: "link",
            title: t("claims.to_source"),
            onclick: (/** @type {MouseEvent} */ { currentTarget }) => lead(/** @type {HTMLElement} */ (currentTarget)),
          },
          origin,
        )
      : origin;
    const hidden = h("span", { class: "hidden" }, ": ");
    return h(
      "li",
      { class: `claim-entry claim-entry-${claim.status}` },
      toText,
      times > 1 && h("span", { class: "claim-entry-times" }, t("claims.times", { count: times })),
      hidden,
      h("span", { class: "claim-entry-origin" }, toSource),
    );
  }

  return {
    el,
    /** @param {Claim[]} shown */
    update(shown) {
      repeated = group(shown);
      const first = [...repeated.keys()];
      left = [...first].sort((a, b) => rank(a) - rank(b)); // of one rank in the answer's order
      list.replaceChildren();
      entries.clear();
      draw();
    },
    /** @param {Claim} claim */
    entryOf(claim) {
      while (left.length > 0 && !entries.has(claim)) draw();
      return entries.get(claim) ?? null;
    },
  };
}

/**
 * Puts those together that say the same and stand the same way.
 * @param {Claim[]} claims
 * @returns {Map<Claim, Claim[]>}
 */
function group(claims) {
  /** @type {Map<string, Claim[]>} */
  const same = new Map();
  for (const claim of claims) {
    const key = JSON.stringify([claim.kind, claim.text, claim.status, claim.rule, claim.calculation, claim.sources]);
    same.set(key, [...(same.get(key) ?? []), claim]);
  }
  return new Map([...same.values()].flatMap((all) => (all[0] ? [[all[0], all]] : [])));
}

/** @param {Claim} claim */
const rank = (claim) => (claim.status === "differs" ? 0 : isDoubtful(claim) ? 1 : 2);
