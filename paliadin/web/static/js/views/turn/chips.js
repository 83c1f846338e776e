/**
 * The chips below an answer.
 * @typedef {import("../common/context.js").Context} Context
 * @typedef {import("../../types.js").Chip} Chip
 */
import { h } from "../../browser/dom.js";
import { icon } from "../../browser/icons.js";
import { safeHref } from "../../markdown/safe-links.js";

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
 * Draws a chip: as a link, as an entry that a tool returned but that has no page, or as one that no tool returned.
 * In the drawer the link opens in the same tab, as the next page has the drawer, too; on the chat page in a new one.
 * @param {Chip} chip
 * @param {Context} context
 */
function drawChip({ href, label, id, kind, verified }, { t, embedded }) {
  const address = verified ? safeHref(href) : null;
  const text = label || [kind, id].filter(Boolean).join(" ");
  if (address) {
    const newTab = !embedded && h("span", { class: "hidden" }, ` ${t("chip.new_tab")}`);
    return h(
      "a",
      { class: "chip", href: address, target: embedded ? "_self" : "_blank", rel: "noopener" },
      text,
      icon("arrow"),
      newTab,
    );
  }
  const seen = verified && Boolean(id);
  const reason = t(seen ? "chip.seen" : verified ? "chip.nowhere" : "chip.unverified");
  const mark = !verified && h("span", { class: "chip-mark" }, t("chip.mark"));
  const classes = `chip ${seen ? "chip-seen" : "chip-plain"}`;
  return h(
    "span",
    { class: classes, title: reason },
    seen && icon("check"),
    text,
    mark,
    h("span", { class: "hidden" }, reason),
  );
}
