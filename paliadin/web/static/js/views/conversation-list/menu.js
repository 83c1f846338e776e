/** A menu below a button: the arrow keys move in it, Escape closes it and gives the focus back. */
import { h } from "../../browser/dom.js";
import { listenToKeys } from "../../browser/keys.js";

/** Pixels between the menu and the edge of the window. */
const EDGE = 8;

/**
 * @typedef {{label: string, act: () => void, className?: string, checked?: boolean}} MenuEntry
 * @param {HTMLElement} parent
 */
export function createMenu(parent) {
  const el = h("div", { class: "menu", role: "menu", popover: "auto" });
  parent.append(el);
  /** @type {HTMLElement|null} */
  let opener = null;

  el.addEventListener("toggle", (event) => {
    if (/** @type {ToggleEvent} */ (event).newState === "open") return;
    opener?.setAttribute("aria-expanded", "false");
    opener = null;
  });
  listenToKeys(el, (event) => {
    event.stopPropagation();
    const entries = [...el.querySelectorAll("button")];
    const at = entries.findIndex((entry) => entry.matches(":focus"));
    const target = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (event.key === "Escape" || event.key === "Tab") {
      event.preventDefault();
      close();
    } else if (target !== undefined) {
      event.preventDefault();
      entries.at(target % entries.length)?.focus();
    }
  });

  function close() {
    const button = opener;
    el.hidePopover();
    button?.focus();
  }

  /** @param {HTMLElement} button */
  function place(button) {
    const { left, right, top, bottom } = button.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = el;
    const x = left + width + EDGE > innerWidth ? right - width : left;
    const y = bottom + height + EDGE > innerHeight ? top - height : bottom;
    el.style.left = `${Math.max(EDGE, x)}px`;
    el.style.top = `${Math.max(EDGE, y)}px`;
  }

  return {
    /**
     * @param {HTMLElement} button
     * @param {string} label
     * @param {MenuEntry[]} entries
     */
    open(button, label, entries) {
      if (opener === button) return close();
      el.replaceChildren(
        ...entries.map(({ label: text, act, className = "" }) =>
          h(
            "button",
            { type: "button", role: "menuitem", tabindex: -1, class: className, onclick: () => run(act) },
            text,
          ),
        ),
      );
      el.setAttribute("aria-label", label);
      el.showPopover();
      opener = button;
      button.setAttribute("aria-expanded", "true");
      place(button);
      el.querySelector("button")?.focus();
    },
  };

  /** @param {() => void} act */
  function run(act) {
    close();
    act();
  }
}
