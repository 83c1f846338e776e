/**
 * The list of an answer's claims in its evidence, those without a source first. Each leads to its place in the text and
 * to its source. It is drawn when it is unfolded.
 * @typedef {import("../../types.js").Claim} Claim
 * @typedef {import("../common/context.js").Context} Context
 */
import { h } from "../../browser/dom.js";
import { plural } from "../../texts/i18n.js";

/** Shown at once; a click shows as many more. */
const PAGE = 25;

/**
 * @param {Context} context
 * @param {import("./claims.js").Claims} claims
 */
export function createClaimList({ t }, claims) {
  const list = h("ul", { "aria-label": t("claims.title") });
  const more = h("button", { type: "button", class: "quiet small", onclick: () => draw() });
  const el = h("div", { class: "claim-list" }, h("p", {}, t("claims.title")), list, more);
  /** @type {Claim[]} */
  let left = [];
  /** @type {Map<Claim, HTMLElement>} */
  const entries = new Map();

  function draw() {
    const first = list.childElementCount;
    const drawn = left.splice(0, PAGE);
    for (const claim of drawn) {
      const entry = drawEntry(claim);
      entries.set(claim, entry);
      list.append(entry);
    }
    more.hidden = left.length === 0;
    more.textContent = plural(t, "claims.more", left.length);
    const next = list.children[first]?.querySelector("button");
    if (first > 0 && next) next.focus();
  }

  /** @param {Claim} claim */
  function drawEntry(claim) {
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
      hidden,
      h("span", { class: "claim-entry-origin" }, toSource),
    );
  }

  return {
    el,
    /** @param {Claim[]} shown */
    update(shown) {
      left = [...shown.filter(isUnsupported), ...shown.filter((claim) => !isUnsupported(claim))];
      list.replaceChildren();
      entries.clear();
      el.hidden = left.length === 0;
      draw();
    },
    /** @param {Claim} claim */
    entryOf(claim) {
      while (left.includes(claim)) draw();
      return entries.get(claim) ?? null;
    },
  };
}

/** @param {Claim} claim */
const isUnsupported = ({ status }) => status === "unsupported";
