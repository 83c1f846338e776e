/**
 * The drawer's frame: a button, and a dialog at the right side that keeps the focus within and gives it back.
 */
import { h } from "../dom.js";
import { icon } from "../icons.js";

const WIDTH = 420;
const NARROWEST = 320;
const STEP = 20;

/** @param {KeyboardEvent} event */
export const isShortcut = (event) => event.key.toLowerCase() === "k" && (event.metaKey || event.ctrlKey) && !event.altKey && !event.shiftKey;

export const SHORTCUT = /mac|iphone|ipad/i.test(navigator.platform) ? "⌘K" : "Ctrl+K";

/**
 * @param {ShadowRoot} root
 * @param {import("../i18n.js").Translate} t
 * @param {import("../settings.js").Settings} settings
 * @param {{opened: () => void, closed: () => void, anew: () => void}} does
 */
export function createFrame(root, t, settings, does) {
  const label = t("drawer.open", { key: SHORTCUT });
  const button = h("button", { type: "button", class: "drawer-button", hidden: true, "aria-label": label, title: label, onclick: open }, icon("assistant"));
  // Pressing it must not undo what is selected in the page.
  button.addEventListener("pointerdown", (event) => event.preventDefault());
  const anew = h("button", { type: "button", class: "quiet", "aria-label": t("app.new"), title: t("app.new"), onclick: does.anew }, icon("plus"));
  const close = h("button", { type: "button", class: "icon-button", "aria-label": t("drawer.close"), title: t("drawer.close"), onclick: shut }, icon("cross"));
  const grip = h("div", { class: "drawer-grip", role: "separator", tabindex: 0, "aria-orientation": "vertical", "aria-label": t("drawer.resize"), "aria-valuemin": NARROWEST });
  const header = h("header", { class: "header" }, h("h1", { class: "brand" }, t("drawer.title")), anew, close);
  const place = h("div", { class: "drawer-place" });
  const dialog = h("dialog", { class: "drawer", "aria-label": t("drawer.title") }, grip, header, place);
  root.append(button, dialog);
  resize(Number(settings.get("drawer.width")) || WIDTH);

  function open() {
    if (dialog.open) return;
    dialog.showModal();
    settings.set("drawer.open", "yes");
    does.opened();
  }

  function shut() {
    if (!dialog.open) return;
    dialog.close();
  }

  dialog.addEventListener("close", ({ target }) => {
    if (target !== dialog) return; // a dialog within
    settings.set("drawer.open", "");
    does.closed();
  });
  // On the scrim, and not at the end of a drag that began within.
  const beside = (/** @type {MouseEvent} */ event) => event.target === dialog && event.clientX < dialog.getBoundingClientRect().left;
  let pressed = false;
  dialog.addEventListener("pointerdown", (event) => (pressed = beside(event)));
  dialog.addEventListener("click", (event) => pressed && beside(event) && shut());

  /** @param {number} width */
  function resize(width) {
    const widest = Math.max(NARROWEST, innerWidth - 80);
    const now = Math.round(Math.min(Math.max(width, NARROWEST), widest));
    dialog.style.setProperty("--drawer-width", `${now}px`);
    grip.setAttribute("aria-valuenow", String(now));
    grip.setAttribute("aria-valuemax", String(widest));
    return now;
  }

  /** @param {number} width */
  const keep = (width) => settings.set("drawer.width", String(resize(width)));

  grip.addEventListener("pointerdown", (event) => grip.setPointerCapture(event.pointerId));
  grip.addEventListener("pointermove", (event) => grip.hasPointerCapture(event.pointerId) && keep(innerWidth - event.clientX));
  grip.addEventListener("dblclick", () => keep(dialog.getBoundingClientRect().width > WIDTH ? WIDTH : innerWidth));
  grip.addEventListener("keydown", (event) => {
    const now = dialog.getBoundingClientRect().width;
    const width = { ArrowLeft: now + STEP, ArrowRight: now - STEP, Home: NARROWEST, End: innerWidth }[event.key];
    if (width === undefined) return;
    event.preventDefault();
    keep(width);
  });

  return {
    place,
    open,
    shut,
    isOpen: () => dialog.open,
    /** @param {boolean} shown whether the drawer is there at all */
    show(shown) {
      button.hidden = !shown;
      if (!shown) shut();
    },
    remove() {
      button.remove();
      dialog.remove();
    },
  };
}
