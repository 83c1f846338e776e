/**
 * @typedef {import("./context.js").Context} Context
 * @typedef {import("../types.js").Chip} Chip
 */
import { h } from "../dom.js";
import { icon } from "../icons.js";
import { safeHref } from "../links.js";

/** @param {Context} context */
export function createChips({ t }) {
  const el = h("ul", { class: "chips", "aria-label": t("chip.list"), hidden: true });
  return {
    el,
    /** @param {Chip[]} chips */
    update(chips) {
      el.hidden = chips.length === 0;
      if (el.childElementCount === chips.length) return;
      el.replaceChildren(...chips.map((chip) => h("li", {}, drawChip(chip, t))));
    },
  };
}

/**
 * A link; or an entry that a tool returned but that has no page; or one that no tool returned.
 * @param {Chip} chip
 * @param {Context["t"]} t
 */
function drawChip({ href, label, id, kind, verified }, t) {
  const address = verified ? safeHref(href) : null;
  const words = label || [kind, id].filter(Boolean).join(" ");
  if (address) return h("a", { class: "chip", href: address }, words, icon("arrow"));
  const seen = verified && Boolean(id);
  const reason = t(seen ? "chip.seen" : verified ? "chip.nowhere" : "chip.unverified");
  const mark = !verified && h("span", { class: "chip-mark" }, t("chip.mark"));
  const look = `chip ${seen ? "chip-seen" : "chip-plain"}`;
  return h("span", { class: look, title: reason }, seen && icon("check"), words, mark, h("span", { class: "hidden" }, reason));
}
