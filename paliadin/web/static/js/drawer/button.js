/** The button that opens the drawer. Its badge tells, while the drawer is closed, what happens in it. */
import { h } from "../browser/dom.js";
import { icon } from "../browser/icons.js";

export const SHORTCUT = /mac|iphone|ipad/i.test(navigator.platform) ? "⌘K" : "Ctrl+K";

/** @typedef {import("../state/marks.js").DrawerMark} DrawerMark */

/** Each has a shape of its own. */
const SIGNS = {
  working: () => [h("i", {}), h("i", {}), h("i", {})],
  finished: () => [icon("check")],
  asks: () => ["?"],
};

/**
 * @param {import("../texts/i18n.js").Translate} t
 * @param {() => void} open
 */
export function createDrawerButton(t, open) {
  const badge = h("span", { class: "drawer-badge", hidden: true });
  const el = h("button", { type: "button", class: "drawer-button", onclick: open }, icon("assistant"), badge);
  const news = h("p", { class: "hidden", role: "status" });
  /** @type {DrawerMark} */
  let shown = "";
  let worked = false;
  // A press would take away the selection in the page.
  el.addEventListener("pointerdown", (event) => event.preventDefault());
  name("");

  /** @param {string} state */
  function name(state) {
    const label = [t("drawer.open", { key: SHORTCUT }), state].filter(Boolean).join(". ");
    el.setAttribute("aria-label", label);
    el.title = label;
  }

  return {
    el,
    news,
    /** @param {DrawerMark} mark */
    mark(mark) {
      if (mark === shown) return;
      const text = mark && t(`drawer.${mark}`);
      name(text);
      badge.hidden = !mark;
      badge.dataset.mark = mark;
      badge.replaceChildren(...(mark ? SIGNS[mark]() : []));
      // Said once, when it happens: not again on each page.
      news.textContent = mark && mark !== "working" && worked ? `${t("drawer.title")}: ${text}` : "";
      worked = mark === "working" || (worked && !mark);
      shown = mark;
    },
  };
}
