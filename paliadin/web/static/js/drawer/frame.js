/**
 * The drawer's frame: a button, and a dialog at the right that keeps the focus inside and gives it back when it closes.
 */
import { h } from "../browser/dom.js";
import { icon } from "../browser/icons.js";

/** In pixels; a step is what an arrow key adds. */
const WIDTH = 420;
const MIN_WIDTH = 320;
const STEP = 20;

/** @param {KeyboardEvent} event */
export const isShortcut = (event) =>
  event.key.toLowerCase() === "k" && (event.metaKey || event.ctrlKey) && !event.altKey && !event.shiftKey;

export const SHORTCUT = /mac|iphone|ipad/i.test(navigator.platform) ? "⌘K" : "Ctrl+K";

/**
 * @param {ShadowRoot} root
 * @param {import("../texts/i18n.js").Translate} t
 * @param {import("../browser/settings.js").Settings} settings
 * @param {{toggle: HTMLElement, onOpen: () => void, onClose: () => void, newConversation: () => void}} actions `toggle`
 *   shows the list of conversations
 */
export function createFrame(root, t, settings, actions) {
  const label = t("drawer.open", { key: SHORTCUT });
  const button = h(
    "button",
    { type: "button", class: "drawer-button", hidden: true, "aria-label": label, title: label, onclick: open },
    icon("assistant"),
  );
  // A press would take away the selection in the page.
  button.addEventListener("pointerdown", (event) => event.preventDefault());
  const anew = h(
    "button",
    {
      type: "button",
      class: "quiet",
      "aria-label": t("app.new"),
      title: t("app.new"),
      onclick: actions.newConversation,
    },
    icon("plus"),
  );
  const cross = h(
    "button",
    { type: "button", class: "icon-button", "aria-label": t("drawer.close"), title: t("drawer.close"), onclick: close },
    icon("cross"),
  );
  const grip = h("div", {
    class: "drawer-grip",
    role: "separator",
    tabindex: 0,
    "aria-orientation": "vertical",
    "aria-label": t("drawer.resize"),
    "aria-valuemin": MIN_WIDTH,
  });
  const header = h(
    "header",
    { class: "header" },
    actions.toggle,
    h("h1", { class: "brand" }, t("drawer.title")),
    anew,
    cross,
  );
  const place = h("div", { class: "drawer-place" });
  const dialog = h("dialog", { class: "drawer", "aria-label": t("drawer.title") }, grip, header, place);
  root.append(button, dialog);
  resize(Number(settings.get("drawer.width")) || WIDTH);

  function open() {
    if (dialog.open) return;
    dialog.showModal();
    settings.set("drawer.open", "yes");
    actions.onOpen();
  }

  function close() {
    if (!dialog.open) return;
    rememberClosed();
    dialog.close();
  }

  // When the event "close" comes, the user may already be on the next page, which would open the drawer again.
  const rememberClosed = () => settings.set("drawer.open", "");
  dialog.addEventListener("cancel", ({ target }) => target === dialog && rememberClosed());
  dialog.addEventListener("close", ({ target }) => {
    if (target !== dialog) return; // a dialog inside of it
    rememberClosed();
    actions.onClose();
  });
  // A click beside the dialog closes it, unless it ends a drag that began inside.
  const isBeside = (/** @type {MouseEvent} */ event) =>
    event.target === dialog && event.clientX < dialog.getBoundingClientRect().left;
  let pressed = false;
  dialog.addEventListener("pointerdown", (event) => (pressed = isBeside(event)));
  dialog.addEventListener("click", (event) => pressed && isBeside(event) && close());

  /** @param {number} width */
  function resize(width) {
    const maxWidth = Math.max(MIN_WIDTH, innerWidth - 80);
    const now = Math.round(Math.min(Math.max(width, MIN_WIDTH), maxWidth));
    dialog.style.setProperty("--drawer-width", `${now}px`);
    grip.setAttribute("aria-valuenow", String(now));
    grip.setAttribute("aria-valuemax", String(maxWidth));
    return now;
  }

  /** @param {number} width */
  const resizeAndRemember = (width) => settings.set("drawer.width", String(resize(width)));

  grip.addEventListener("pointerdown", (event) => grip.setPointerCapture(event.pointerId));
  grip.addEventListener(
    "pointermove",
    (event) => grip.hasPointerCapture(event.pointerId) && resizeAndRemember(innerWidth - event.clientX),
  );
  grip.addEventListener("dblclick", () =>
    resizeAndRemember(dialog.getBoundingClientRect().width > WIDTH ? WIDTH : innerWidth),
  );
  grip.addEventListener("keydown", (event) => {
    const now = dialog.getBoundingClientRect().width;
    const width = { ArrowLeft: now + STEP, ArrowRight: now - STEP, Home: MIN_WIDTH, End: innerWidth }[event.key];
    if (width === undefined) return;
    event.preventDefault();
    resizeAndRemember(width);
  });

  return {
    place,
    open,
    close,
    isOpen: () => dialog.open,
    /** @param {boolean} shown whether the page has the drawer at all */
    show(shown) {
      button.hidden = !shown;
      if (!shown) close();
    },
    remove() {
      button.remove();
      dialog.remove();
    },
  };
}
