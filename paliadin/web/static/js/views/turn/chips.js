/**
 * @typedef {import("./context.js").Context} Context
 * @typedef {import("../types.js").Chip} Chip
 */
import { h } from "../dom.js";
import { icon } from "../icons.js";
import { safeHref } from "../links.js";

/** @param {Context} context */
export function createChips(context) {
  const { t } = context;
  const list = h("ul", { "aria-label": t("chip.list") });
  const reasons = h("p", { class: "chip-reasons", "aria-hidden": "true" });
  const el = h("div", { class: "chips", hidden: true }, list, reasons);
  return {
    el,
    /** @param {Chip[]} chips */
    update(chips) {
      el.hidden = chips.length === 0;
      if (list.childElementCount === chips.length) return;
      list.replaceChildren(...chips.map((chip) => h("li", {}, drawChip(chip, context))));
      reasons.textContent = chips.some((chip) => !chip.verified) ? t("chip.unverified") : "";
    },
  };
}

/**
 * A link; or an entry that a tool returned but that has no page; or one that no tool returned.
 * From the drawer it leads on in the same page, which has the drawer, too; the chat page stays where it is.
 * @param {Chip} chip
 * @param {Context} context
 */
function drawChip({ href, label, id, kind, verified }, { t, embedded }) {
  const address = verified ? safeHref(href) : null;
  const words = label || [kind, id].filter(Boolean).join(" ");
  if (address) {
    const told = !embedded && h("span", { class: "hidden" }, ` ${t("chip.new_tab")}`);
    return h("a", { class: "chip", href: address, target: embedded ? "_self" : "_blank", rel: "noopener" }, words, icon("arrow"), told);
  }
  const seen = verified && Boolean(id);
  const reason = t(seen ? "chip.seen" : verified ? "chip.nowhere" : "chip.unverified");
  const mark = !verified && h("span", { class: "chip-mark" }, t("chip.mark"));
  const look = `chip ${seen ? "chip-seen" : "chip-plain"}`;
  return h("span", { class: look, title: reason }, seen && icon("check"), words, mark, h("span", { class: "hidden" }, reason));
}
