/**
 * @typedef {import("./context.js").Context} Context
 * @typedef {import("../types.js").Chip} Chip
 */
import { h } from "../dom.js";
import { icon } from "../icons.js";
import { safeHref } from "../links.js";

/** @param {Context} context */
export function createChips({ t }) {
  const list = h("ul", { "aria-label": t("chip.list") });
  const reasons = h("p", { class: "chip-reasons", "aria-hidden": "true" });
  const el = h("div", { class: "chips", hidden: true }, list, reasons);
  return {
    el,
    /** @param {Chip[]} chips */
    update(chips) {
      el.hidden = chips.length === 0;
      if (list.childElementCount === chips.length) return;
      list.replaceChildren(...chips.map((chip) => h("li", {}, drawChip(chip, t))));
      reasons.textContent = chips.some((chip) => !chip.verified) ? t("chip.unverified") : "";
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
