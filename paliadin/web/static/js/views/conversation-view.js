/**
 * Mounts a whole conversation into an element or a shadow root: banners, turns, cards and the input.
 * @typedef {import("./common/context.js").Context} Context
 */
import { h } from "../browser/dom.js";
import { icon } from "../browser/icons.js";
import { isLocal, runningTurn } from "../state/turns.js";
import { createAnnouncer } from "./announcer.js";
import { createBanners } from "./banners.js";
import { createOpenCards } from "./cards/open-cards.js";
import { createComposer } from "./composer.js";
import { askToConfirm } from "./dialogs/confirm.js";
import { openTerminal } from "./dialogs/terminal.js";
import { createStatus } from "./status.js";
import { stickToEnd } from "./stick-to-end.js";
import { createTurnList } from "./turn-list.js";
import { awayHost } from "./unreachable-host.js";
import { createWelcome } from "./welcome.js";

/**
 * Loads more when the reader comes near the top.
 * @param {HTMLElement} scroller
 * @param {HTMLElement} mark stands at the top
 * @param {() => Promise<boolean>|false} load whether more was loaded
 * @returns {() => void} stops watching
 */
function watchTop(scroller, mark, load) {
  const observer = new IntersectionObserver(onSight, { root: scroller, rootMargin: "600px 0px 0px" });
  observer.observe(mark);

  /** @param {IntersectionObserverEntry[]} entries */
  async function onSight(entries) {
    if (!entries.at(-1)?.isIntersecting || !(await load())) return;
    // If the mark is still in sight, because little was loaded, only a new observation reports it.
    observer.unobserve(mark);
    observer.observe(mark);
  }
  return () => observer.disconnect();
}

/**
 * @param {Element|ShadowRoot} root
 * @param {import("./common/context.js").BaseContext} base
 */
export function mountConversation(root, base) {
  const { conversation, t } = base;
  /** @type {Context} */
  const context = { ...base, fillInput: (text) => composer.write(text), ask };
  const banners = createBanners(context, () => openTerminal(context, el));
  const list = createTurnList(context, () => follow.hold(conversation.loadEarlier));
  const welcome = createWelcome(context);
  const status = createStatus(context);
  const cards = createOpenCards(context);
  const composer = createComposer(context);
  const announcer = createAnnouncer(context);
  const toEnd = h(
    "button",
    { type: "button", class: "round to-end", hidden: true, "aria-label": t("list.bottom"), title: t("list.bottom") },
    icon("down"),
  );
  const content = h("div", { class: "column" }, list.el, welcome.el);
  const scroller = h("section", { class: "scroller", tabindex: 0, "aria-label": t("list.label") }, content);
  const dock = h(
    "div",
    { class: "dock" },
    toEnd,
    h("div", { class: "column" }, status.el, cards.el, context.aboveInput, composer.el),
  );
  const el = h("div", { class: "chat" }, banners.el, scroller, dock, announcer.el);
  root.append(el);
  const follow = stickToEnd(scroller, content, toEnd, () => !welcome.el.hidden);
  list.watch(scroller);
  const unwatch = watchTop(
    scroller,
    list.earlier,
    () => conversation.get().showEarlier && follow.hold(conversation.loadEarlier),
  );

  /**
   * Sends a question and moves the focus, since the button that was clicked goes away: to the input, or to the
   * conversation where the input would open an on-screen keyboard.
   * @param {string} question
   */
  function ask(question) {
    conversation.send(question);
    if (matchMedia("(pointer: fine)").matches) composer.focus();
    else scroller.focus();
  }

  let wasSending = false;

  const unlisten = conversation.listen((state) => {
    banners.update(state);
    welcome.update(state, list.update(state));
    dock.hidden = !state.signedIn;
    status.update(runningTurn(state.turns), state.connection === "lost" || awayHost(state) !== undefined);
    composer.update(state);
    announcer.update(state);
    if (cards.update(state)) composer.focus();
    // The user wants to see the answer, wherever they have scrolled.
    const isSending = state.turns.some(isLocal);
    if (isSending && !wasSending) follow.toEnd();
    wasSending = isSending;
    follow.keep();
    const target = state.revealId && list.find(state.revealId);
    if (!target) return;
    conversation.finishReveal();
    follow.leave();
    target.scrollIntoView({ block: "start" });
    target.focus({ preventScroll: true });
  });
  composer.grow();

  return {
    el,
    focus: composer.focus,
    /** Begins a new conversation. While Claude is answering, the user is asked first. */
    async startAnew() {
      const texts = { title: t("reset.title"), text: t("reset.text"), yes: t("reset.confirm"), no: t("reset.cancel") };
      if (runningTurn(conversation.get().turns) && !(await askToConfirm(el, texts))) return;
      await conversation.reset();
      composer.focus();
    },
    /** To be called when the starters may have changed. */
    redrawWelcome: () => welcome.update(conversation.get(), list.update(conversation.get())),
    destroy() {
      unlisten();
      unwatch();
      list.stop();
      status.update(undefined, false);
      follow.stop();
      el.remove();
    },
  };
}
