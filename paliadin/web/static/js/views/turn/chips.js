/**
 * The chips of an answer: they stand where its text speaks of them (inline-chips.js), or else below it.
 * @typedef {import("../common/context.js").Context} Context
 * @typedef {import("../../types.js").Chip} Chip
 */
import { h } from "../../browser/dom.js";
import { icon } from "../../browser/icons.js";
import { safeHref } from "../../markdown/safe-links.js";
import { parted } from "./chip-names.js";

/** @param {Context} context */
export function createChips(context) {
  const { t } = context;
  const list = h("ul", { "aria-label": t("chip.list") });
  const reasons = h("p", { class: "chip-reasons", "aria-hidden": "true" });
  const el = h("div", { class: "chips", hidden: true }, list, reasons);
  return {
    el,
    /**
     * @param {Chip[]} chips all of the answer
     * @param {Chip[]} placed those that stand in its text
     * @param {boolean} complete until then a chip may still find its place
     */
    update(chips, placed, complete) {
      const others = complete ? chips.filter((chip) => !placed.includes(chip)) : [];
      list.hidden = others.length === 0;
      list.replaceChildren(...others.map((chip) => h("li", {}, drawChip(chip, context))));
      reasons.textContent = ["chip.unverified", "chip.suggested"]
        .filter((reason) => chips.some((chip) => reasonOf(chip) === reason))
        .map((reason) => t(/** @type {"chip.unverified"|"chip.suggested"} */ (reason)))
        .join(" ");
      el.hidden = list.hidden && !reasons.textContent;
    },
  };
}

/**
 * What the reader should know of a chip: a path is only suggested by Claude, as a tool returns ids.
 * @param {Chip} chip
 */
function reasonOf({ href, id, verified }) {
  if (!id && !verified) return safeHref(href) ? "chip.suggested" : "chip.nowhere";
  if (!verified) return "chip.unverified";
  return safeHref(href) ? null : "chip.seen";
}

/**
 * Draws a chip: as a link, as an entry that a tool returned but that has no page, or as one that no tool returned.
 * In the drawer the link opens in the same tab, as the next page has the drawer, too; on the chat page in a new one.
 * @param {Chip} chip
 * @param {Pick<Context, "t"|"embedded">} context
 * @param {string} [said] the words around it: what they say already is not shown again
 */
export function drawChip(chip, { t, embedded }, said = "") {
  const { href, label, id, kind } = chip;
  const reason = reasonOf(chip);
  const isLink = reason === null || reason === "chip.suggested";
  const name = label || [kind, id].filter(Boolean).join(" ");
  const text = reason === null || reason === "chip.seen" ? withoutSaid(name, said) : [name];
  const mark =
    (reason === "chip.unverified" && t("chip.mark")) || (reason === "chip.suggested" && t("chip.mark.suggested"));
  const notes = [
    mark && h("span", { class: "chip-mark" }, mark),
    reason && h("span", { class: "hidden" }, ` ${t(reason)}`),
  ];
  if (isLink) {
    const newTab = !embedded && h("span", { class: "hidden" }, ` ${t("chip.new_tab")}`);
    return h(
      "a",
      {
        class: `chip ${reason ? "chip-suggested" : ""}`,
        href: safeHref(href),
        target: embedded ? "_self" : "_blank",
        rel: "noopener",
        title: reason ? t(reason) : name,
      },
      ...text,
      icon("arrow"),
      ...notes,
      newTab,
    );
  }
  const seen = reason === "chip.seen";
  const classes = `chip ${seen ? "chip-seen" : "chip-plain"}`;
  return h("span", { class: classes, title: t(reason) }, seen && icon("check"), ...text, ...notes);
}

/**
 * The name of a chip. Of what the words around it say, only a screen reader is told: they are just before their link.
 * @param {string} name
 * @param {string} said
 * @returns {(Node|string)[]}
 */
function withoutSaid(name, said) {
  const { known, news } = parted(name, said);
  return [...(known ? [h("span", { class: "hidden" }, known)] : []), ...(news ? [news] : [])];
}
