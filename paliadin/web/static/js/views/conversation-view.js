/**
 * The conversation as one piece, mounted into any element or shadow root.
 * @typedef {import("./views/context.js").Context} Context
 */
import { h } from "./dom.js";
import { icon } from "./icons.js";
import { runningTurn } from "./turns.js";
import { createAnnouncer } from "./views/announcer.js";
import { createAsks } from "./views/asks.js";
import { createBanners } from "./views/banners.js";
import { createComposer } from "./views/composer.js";
import { confirm } from "./views/confirm.js";
import { createEmpty } from "./views/empty.js";
import { followEnd } from "./views/follow.js";
import { createList } from "./views/list.js";
import { createStatus } from "./views/status.js";
import { showTerminal } from "./views/terminal.js";

/**
 * Calls when the reader comes near the beginning of what is shown.
 * @param {HTMLElement} scroller
 * @param {HTMLElement} mark
 * @param {() => Promise<boolean>|false} call says whether more came
 */
function watchTop(scroller, mark, call) {
  const observer = new IntersectionObserver(onSight, { root: scroller, rootMargin: "600px 0px 0px" });
  observer.observe(mark);

  /** @param {IntersectionObserverEntry[]} entries */
  async function onSight(entries) {
    if (!entries.at(-1)?.isIntersecting || !(await call())) return;
    // What came may be short, so that the mark is in sight still: that is told only to who asks anew.
    observer.unobserve(mark);
    observer.observe(mark);
  }
  return () => observer.disconnect();
}

/**
 * @param {Element|ShadowRoot} root
 * @param {import("./views/context.js").Given} given
 */
export function mountChat(root, given) {
  const { conversation, t } = given;
  /** @type {Context} */
  const context = { ...given, write: (text) => composer.write(text), ask };
  const banners = createBanners(context, () => showTerminal(context, el));
  const list = createList(context, () => follow.hold(conversation.earlier));
  const empty = createEmpty(context);
  const status = createStatus(context);
  const asks = createAsks(context);
  const composer = createComposer(context);
  const announcer = createAnnouncer(context);
  const toEnd = h("button", { type: "button", class: "round to-end", hidden: true, "aria-label": t("list.bottom"), title: t("list.bottom") }, icon("down"));
  const content = h("div", { class: "column" }, list.el, empty.el);
  const scroller = h("section", { class: "scroller", tabindex: 0, "aria-label": t("list.label") }, content);
  const dock = h("div", { class: "dock" }, toEnd, h("div", { class: "column" }, status.el, asks.el, context.above, composer.el));
  const el = h("div", { class: "chat" }, banners.el, scroller, dock, announcer.el);
  root.append(el);
  const follow = followEnd(scroller, content, toEnd, () => !empty.el.hidden);
  list.watch(scroller);
  const unwatch = watchTop(scroller, list.earlier, () => conversation.get().showEarlier && follow.hold(conversation.earlier));

  /**
   * What was clicked to ask goes away. Where a keyboard would slide in, the conversation has the focus.
   * @param {string} question
   */
  function ask(question) {
    conversation.send(question);
    if (matchMedia("(pointer: fine)").matches) composer.focus();
    else scroller.focus();
  }

  let sending = false;

  const unlisten = conversation.listen((state) => {
    banners.update(state);
    empty.update(state, list.update(state));
    dock.hidden = !state.signedIn;
    status.update(runningTurn(state.turns));
    composer.update(state);
    announcer.update(state);
    if (asks.update(state)) composer.focus();
    // Whoever asks wants to see the answer, wherever they had scrolled.
    const sends = runningTurn(state.turns)?.phase === "sending";
    if (sends && !sending) follow.toEnd();
    sending = sends;
    follow.keep();
    const target = state.target && list.find(state.target);
    if (!target) return;
    conversation.arrived();
    follow.leave();
    target.scrollIntoView({ block: "start" });
    target.focus({ preventScroll: true });
  });
  composer.grow();

  return {
    el,
    focus: composer.focus,
    /** Asks first if an answer would be lost. */
    async startAnew() {
      const words = { title: t("reset.title"), text: t("reset.text"), yes: t("reset.confirm"), no: t("reset.cancel") };
      if (runningTurn(conversation.get().turns) && !(await confirm(el, words))) return;
      await conversation.reset();
      composer.focus();
    },
    /** What stands where there is no conversation may be another by now. */
    redraw: () => empty.update(conversation.get(), list.update(conversation.get())),
    destroy() {
      unlisten();
      unwatch();
      list.stop();
      status.update(undefined);
      follow.stop();
      el.remove();
    },
  };
}
