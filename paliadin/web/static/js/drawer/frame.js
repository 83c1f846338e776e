/**
 * The drawer's frame: a button, and what it opens. In a wide window that stands beside the page, which stays usable; in
 * others it is a modal dialog, which keeps the focus inside. Either gives the focus back when it closes.
 */
import { h } from "../browser/dom.js";
import { icon } from "../browser/icons.js";
import { listenToKeys } from "../browser/keys.js";
import { createDrawerButton } from "./button.js";
import { createGrip } from "./grip.js";
import { createPush, PAGE_WIDTH } from "./push.js";

const WIDE = "(min-width: 900px)";
/** Pixels of the page that stay in sight where the drawer lies over it. */
const EDGE = 80;

/** @param {KeyboardEvent} event */
export const isShortcut = (event) =>
  event.key.toLowerCase() === "k" && (event.metaKey || event.ctrlKey) && !event.altKey && !event.shiftKey;

/**
 * @param {ShadowRoot} root
 * @param {import("../texts/i18n.js").Translate} t
 * @param {import("../browser/settings.js").Settings} settings
 * @param {object} actions
 * @param {HTMLElement} actions.toggle shows the list of conversations
 * @param {() => boolean} actions.pushes whether the page makes room, in a wide window
 * @param {() => void} actions.onOpen
 * @param {() => void} actions.onClose
 * @param {() => void} actions.focus moves the focus to where a question is written
 * @param {() => void} actions.newConversation
 */
export function createFrame(root, t, settings, actions) {
  const wide = matchMedia(WIDE);
  const push = createPush();
  const button = createDrawerButton(t, () => open());
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
  const header = h(
    "header",
    { class: "header", tabindex: -1 },
    actions.toggle,
    h("h1", { class: "brand" }, t("drawer.title")),
    anew,
    cross,
  );
  // A press anywhere in the drawer brings the focus into it: then Escape closes it.
  const place = h("div", { class: "drawer-place", tabindex: -1 });
  const dialog = h("dialog", { class: "drawer", "aria-label": t("drawer.title") });
  const grip = createGrip(dialog, t, settings, {
    room: () => (isPushing() ? PAGE_WIDTH : EDGE),
    onWidth: (width) => push.set(dialog.open && isPushing() ? width : 0),
  });
  dialog.append(grip.el, header, place);
  const el = h("aside", { "aria-label": t("drawer.title"), hidden: true }, button.news, button.el, dialog);
  root.append(el);
  /** It stands beside the page, or would if it were open. */
  let docked = wide.matches;
  /** What had the focus when it was opened. @type {Element|null} */
  let before = null;
  /** Events "close" to come that are no closing: the drawer has only changed its place. */
  let moves = 0;
  const listening = new AbortController();
  const { signal } = listening;

  const isPushing = () => docked && actions.pushes();
  const hasFocus = () => dialog.contains(root.activeElement);

  function show() {
    docked = wide.matches;
    dialog.classList.toggle("drawer-docked", docked);
    // Unlike show(), this leaves the focus where it is.
    if (docked) dialog.open = true;
    else dialog.showModal();
    grip.fit();
  }

  /** @param {boolean} [takesFocus] from the page, where that stays usable */
  function open(takesFocus = true) {
    if (dialog.open) return;
    before = root.activeElement ?? document.activeElement;
    show();
    settings.set("drawer.open", "yes");
    actions.onOpen();
    if (takesFocus || !docked) focus();
  }

  function focus() {
    actions.focus();
    if (!hasFocus() || root.activeElement === header) cross.focus(); // where that would open a keyboard on the screen
  }

  function close() {
    if (!dialog.open) return;
    const hadFocus = hasFocus();
    rememberClosed();
    dialog.close();
    grip.fit();
    if (hadFocus) giveFocusBack();
  }

  function giveFocusBack() {
    if (before instanceof HTMLElement) before.focus();
    if (hasFocus()) button.el.focus(); // that is gone, or hidden
  }

  // When the event "close" comes, the user may already be on the next page, which would open the drawer again.
  const rememberClosed = () => settings.set("drawer.open", "");
  dialog.addEventListener("cancel", ({ target }) => target === dialog && rememberClosed());
  dialog.addEventListener("close", ({ target }) => {
    if (target !== dialog) return; // a dialog inside of it
    if (moves > 0) return void (moves -= 1);
    rememberClosed();
    if (hasFocus()) giveFocusBack();
    actions.onClose();
  });
  // A modal dialog does this by itself.
  listenToKeys(dialog, (event) => {
    const inner = event.target instanceof Element && event.target.closest("dialog") !== dialog;
    if (event.key !== "Escape" || event.defaultPrevented || !docked || inner) return;
    event.preventDefault();
    close();
  });
  // A click beside the dialog closes it, unless it ends a drag that began inside.
  const isBeside = (/** @type {MouseEvent} */ event) =>
    event.target === dialog && event.clientX < dialog.getBoundingClientRect().left;
  let pressed = false;
  dialog.addEventListener("pointerdown", (event) => (pressed = isBeside(event)));
  dialog.addEventListener("click", (event) => pressed && isBeside(event) && close());

  /** Changes the place of an open drawer: what has the focus keeps it, and what is scrolled stays so. */
  function move() {
    const focused = hasFocus() ? root.activeElement : null;
    const scrolled = [...dialog.querySelectorAll("*")].map((each) => ({ each, top: each.scrollTop }));
    if (docked) dialog.open = false;
    else {
      moves += 1;
      dialog.close();
    }
    show();
    for (const { each, top } of scrolled) if (top) each.scrollTop = top;
    if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
    else if (!docked) focus();
  }

  function arrange() {
    if (dialog.open && docked !== wide.matches) return move();
    docked = wide.matches;
    grip.fit();
  }

  wide.addEventListener("change", arrange, { signal });
  addEventListener("resize", arrange, { signal });
  arrange();

  return {
    place,
    open,
    close,
    focus,
    hasFocus,
    mark: button.mark,
    /** To be called when `pushes` may have changed. */
    arrange,
    isOpen: () => dialog.open,
    /** Whether it is open and leaves the page usable. */
    isBeside: () => dialog.open && docked,
    /** @param {boolean} shown whether the page has the drawer at all */
    show(shown) {
      if (!shown) close();
      el.hidden = !shown;
    },
    remove() {
      listening.abort();
      push.set(0);
      el.remove();
    },
  };
}
