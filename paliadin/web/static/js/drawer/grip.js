/** The drawer's left edge, which sets its width: dragged, by a double click, or with the arrow keys, Home and End. */
import { h } from "../browser/dom.js";
import { listenToKeys } from "../browser/keys.js";

/** In pixels; a step is what an arrow key adds. */
const WIDTH = 420;
const MIN_WIDTH = 320;
const STEP = 20;

/**
 * @param {HTMLElement} drawer
 * @param {import("../texts/i18n.js").Translate} t
 * @param {import("../browser/settings.js").Settings} settings
 * @param {object} place
 * @param {() => number} place.room pixels of the window that the drawer leaves free
 * @param {(width: number) => void} place.onWidth
 */
export function createGrip(drawer, t, settings, { room, onWidth }) {
  const el = h("div", {
    class: "drawer-grip",
    role: "separator",
    tabindex: 0,
    "aria-orientation": "vertical",
    "aria-label": t("drawer.resize"),
    "aria-valuemin": MIN_WIDTH,
  });
  let wanted = Number(settings.get("drawer.width")) || WIDTH;

  /** The wanted width, as far as the window has it. */
  function fit() {
    const maxWidth = Math.max(MIN_WIDTH, innerWidth - room());
    const width = Math.round(Math.min(Math.max(wanted, MIN_WIDTH), maxWidth));
    drawer.style.setProperty("--drawer-width", `${width}px`);
    el.setAttribute("aria-valuenow", String(width));
    el.setAttribute("aria-valuemax", String(maxWidth));
    onWidth(width);
    return width;
  }

  /** @param {number} width */
  function resize(width) {
    wanted = width;
    wanted = fit();
    settings.set("drawer.width", String(wanted));
  }

  el.addEventListener("pointerdown", (event) => el.setPointerCapture(event.pointerId));
  el.addEventListener("pointermove", (event) => {
    if (el.hasPointerCapture(event.pointerId)) resize(drawer.getBoundingClientRect().right - event.clientX);
  });
  el.addEventListener("dblclick", () => resize(drawer.getBoundingClientRect().width > WIDTH ? WIDTH : innerWidth));
  listenToKeys(el, (event) => {
    const now = drawer.getBoundingClientRect().width;
    const width = { ArrowLeft: now + STEP, ArrowRight: now - STEP, Home: MIN_WIDTH, End: innerWidth }[event.key];
    if (width === undefined) return;
    event.preventDefault();
    resize(width);
  });

  return { el, fit };
}
