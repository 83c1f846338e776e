/**
 * Mounts a whole conversation into an element or a shadow root: banners, turns, cards and the input.
 * @typedef {import("./common/context.js").Context} Context
 */
import { focused, h } from "../browser/dom.js";
import { icon } from "../browser/icons.js";
import { loader, openOne } from "../browser/load.js";
import { isLocal, runningTurn } from "../state/turns.js";
import { createAnnouncer } from "./announcer.js";
import { createBanners, createFailedAction } from "./banners.js";
import { createOpenCards } from "./cards/open-cards.js";
import { createComposer } from "./composer.js";
import { createQueueView } from "./queue.js";
import { readPlace, returnTo } from "./reading-place.js";
import { createStarterRow } from "./starter-row.js";
import { createStatus } from "./status.js";
import { stickToEnd } from "./stick-to-end.js";
import { canDrawTurns, loadTurns } from "./turn/safe-turn.js";
import { createTurnList } from "./turn-list.js";
import { awayHost } from "./unreachable-host.js";
import { createWelcome } from "./welcome.js";

const loadProse = loader(() => import("./turn/prose.js"));

/**
 * Whether nothing of a turn can arrive now.
 * @param {import("../types.js").State} state
 */
const isCutOff = (state) => state.connection === "lost" || awayHost(state) !== undefined;

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
 * @param {import("./reading-place.js").Place|null} [place] where the reader was when the conversation was open before
 */
export function mountConversation(root, base, place = null) {
  const { conversation, t } = base;
  /** @type {Context} */
  const context = {
    ...base,
    fillInput: (text) => composer.write(text),
    sendAsText: () => composer.sendAsText(),
    ask,
    moveOn,
    openTerminal: () =>
      void openOne(
        () => import("./dialogs/terminal.js"),
        ({ openTerminal }) => openTerminal(context, el),
      ),
    async drawProse(text) {
      const { createProse } = await loadProse();
      const prose = createProse(context);
      prose.update(text, true);
      return prose.el;
    },
  };
  context.leaveEnd = () => void follow.leave();
  if (base.files)
    context.openFile = (path, line) =>
      void openOne(
        () => import("./dialogs/file-view.js"),
        ({ openFileView }) => openFileView(context, el, path, line),
      ).catch(reportError);
  const banners = createBanners(context, context.openTerminal);
  const list = createTurnList(context, () => follow.hold(conversation.loadEarlier));
  const welcome = createWelcome(context);
  const starters = createStarterRow(context);
  const status = createStatus(context);
  const cards = createOpenCards(context);
  const failedAction = createFailedAction(context);
  const composer = createComposer(context);
  const queue = createQueueView(context, composer);
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
    h(
      "div",
      { class: "column" },
      ...[status.el, cards.el, queue.el, starters.el, context.aboveInput, failedAction.el, composer.el],
    ),
  );
  const el = h("div", { class: "chat" }, banners.el, scroller, dock, announcer.el);
  composer.takeDropsOn(el);
  root.append(el);
  const follow = stickToEnd(scroller, content, toEnd, () => !welcome.el.hidden);
  list.watch(scroller);
  const unwatch = watchTop(
    scroller,
    list.earlier,
    () => conversation.get().hasMore && follow.hold(conversation.loadEarlier),
  );

  /** Sends a question. @param {string} question */
  function ask(question) {
    conversation.send(question);
    moveOn();
  }

  /**
   * Moves the focus, since the button that was clicked goes away: to the input, or to the conversation where the input
   * would open an on-screen keyboard.
   */
  function moveOn() {
    if (matchMedia("(pointer: fine)").matches) composer.focus();
    else scroller.focus();
  }

  /** @param {import("../types.js").State} state */
  function drawStarters(state) {
    const isEmpty = list.update(state);
    welcome.update(state, isEmpty);
    starters.update(state, isEmpty);
  }

  let wasSending = false;
  let arrowToFocus = "";
  /** Something was typed since the focus came here. */
  let isTyped = false;
  el.addEventListener("focusin", () => (isTyped = false));
  el.addEventListener("input", () => (isTyped = true));

  /** Whether the user has begun to write while a turn was looked for: what is typed next must not go elsewhere. */
  function isWriting() {
    const active = focused(el);
    if (active instanceof HTMLTextAreaElement && el.contains(active)) return isTyped;
    return active instanceof HTMLInputElement || active instanceof HTMLTextAreaElement;
  }

  const unlistenList = base.list?.listen(() => {
    const state = conversation.get();
    list.update(state);
    status.update(runningTurn(state.turns), isCutOff(state));
  });
  const unlisten = conversation.listen(show);
  const unlistenPieces = base.pieces.listen(() => show(conversation.get()));

  /** @param {import("../types.js").State} state */
  function show(state) {
    if (state.turns.length > 0 && !canDrawTurns())
      loadTurns().then(() => el.isConnected && show(conversation.get()), reportError);
    banners.update(state);
    drawStarters(state);
    dock.hidden = !state.signedIn || state.missing;
    // A branch is not made while a turn runs: its conversation has to stand still.
    el.classList.toggle("chat-running", Boolean(runningTurn(state.turns)));
    queue.update(state);
    status.update(runningTurn(state.turns), isCutOff(state));
    failedAction.update(state);
    composer.update(state);
    if (cards.update(state)) composer.focus();
    announcer.update(state, cards.el.matches(":focus-within"));
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
    const arrow = arrowToFocus && target.querySelector(arrowToFocus);
    if (!isWriting()) (arrow instanceof HTMLElement ? arrow : target).focus({ preventScroll: true });
    arrowToFocus = "";
  }
  /** The browser's own command prints what is loaded; ours reads the rest first. */
  const beforePrint = () => {
    list.drawAll();
    list.addNotes();
  };
  if (!context.embedded) {
    addEventListener("beforeprint", beforePrint);
    addEventListener("afterprint", list.removeNotes);
  }
  el.addEventListener("input", () => loadTurns().catch(reportError), { once: true }); // an answer will come
  composer.grow();
  const unlistenKeys = cards.listenForKeys(el);
  if (returnTo(place, scroller, list.find)) follow.leave();

  return {
    el,
    /** Puts the keyboard where the next question is written, unless that would open one on the screen. */
    focus() {
      if (matchMedia("(pointer: fine)").matches) composer.focus();
    },
    /**
     * Gives the focus, once the turn is in sight that is about to be shown, to an arrow of its question: this one, or
     * at the last branch the other one.
     * @param {import("./common/context.js").Arrow} arrow
     */
    focusArrow(arrow) {
      const other = `:has(.siblings-${arrow}:disabled) button`;
      arrowToFocus = `.siblings-${arrow}:not(:disabled), .siblings${other}:not(:disabled)`;
    },
    /** Puts it there in any case; where nothing can be asked, into the conversation. */
    skipToInput: () => (dock.hidden ? scroller.focus() : composer.focus()),
    /** To be called when it is shown: what is hidden has no height. */
    grow: composer.grow,
    /** Prints the whole conversation. */
    async print() {
      await loadTurns();
      const { printConversation } = await import("./print.js");
      await printConversation(conversation, list, context.printSheets);
    },
    /** Puts a text into the input. */
    write: composer.write,
    /** @returns {import("./reading-place.js").Place|null} where the reader is; null at the end */
    place: () => (follow.isFollowing() ? null : readPlace(scroller, list.elements())),
    /** To be called when the starters may have changed. */
    redrawStarters: () => drawStarters(conversation.get()),
    destroy() {
      removeEventListener("beforeprint", beforePrint);
      removeEventListener("afterprint", list.removeNotes);
      unlisten();
      unlistenPieces();
      unlistenList?.();
      unlistenKeys();
      unwatch();
      list.stop();
      status.update(undefined, false);
      follow.stop();
      composer.destroy();
      el.remove();
    },
  };
}
