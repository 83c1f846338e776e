/** The drawer's list of conversations: a panel over the open one, behind a button in the header. */
import { h } from "../browser/dom.js";
import { icon } from "../browser/icons.js";
import { listenToKeys } from "../browser/keys.js";

/**
 * @param {object} options
 * @param {HTMLElement} options.list
 * @param {import("../texts/i18n.js").Translate} options.t
 * @param {() => void} options.onShow
 */
export function createListPanel({ list, t, onShow }) {
  const el = h("div", { class: "drawer-list", hidden: true }, list);
  const unread = h("span", { class: "unread-mark", hidden: true });
  const button = h(
    "button",
    { type: "button", class: "icon-button list-toggle", onclick: flip },
    icon("sidebar"),
    unread,
  );
  draw();

  function draw() {
    const label = t(el.hidden ? "list.show" : "list.hide");
    button.setAttribute("aria-expanded", String(!el.hidden));
    button.setAttribute("aria-label", label);
    button.title = label;
  }

  /** @param {boolean} shown */
  function show(shown) {
    el.hidden = !shown;
    draw();
    if (shown) onShow();
  }

  function flip() {
    show(el.hidden === true);
  }

  // Else it would close the drawer.
  listenToKeys(el, (event) => {
    if (event.key !== "Escape" || event.defaultPrevented) return;
    event.preventDefault();
    event.stopPropagation();
    show(false);
    button.focus();
  });

  /** Something has finished or asks in another conversation. @param {boolean} marked */
  const mark = (marked) => (unread.hidden = !marked);

  return { el, button, mark, hide: () => show(false), show: () => show(true) };
}
