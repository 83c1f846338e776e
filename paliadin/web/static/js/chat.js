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

/**
 * @param {Element|ShadowRoot} root
 * @param {Context} context
 */
export function mountChat(root, context) {
  const { conversation, t } = context;
  const banners = createBanners(context);
  const list = createList(context, () => follow.hold(conversation.earlier));
  const empty = createEmpty(context);
  const status = createStatus(context);
  const asks = createAsks(context);
  const composer = createComposer(context);
  const announcer = createAnnouncer(context);
  const toEnd = h("button", { type: "button", class: "round to-end", hidden: true, "aria-label": t("list.bottom"), title: t("list.bottom") }, icon("down"));
  const content = h("div", { class: "column" }, list.el, empty.el);
  const scroller = h("section", { class: "scroller", tabindex: 0, "aria-label": t("list.label") }, content);
  const dock = h("div", { class: "dock" }, toEnd, h("div", { class: "column" }, status.el, asks.el, composer.el));
  const el = h("div", { class: "chat" }, banners.el, scroller, dock, announcer.el);
  root.append(el);
  const follow = followEnd(scroller, content, toEnd);

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
  });
  composer.grow();

  return {
    focus: composer.focus,
    /** Asks first if an answer would be lost. */
    async startAnew() {
      const words = { title: t("reset.title"), text: t("reset.text"), yes: t("reset.confirm"), no: t("reset.cancel") };
      if (runningTurn(conversation.get().turns) && !(await confirm(el, words))) return;
      await conversation.reset();
      composer.focus();
    },
    destroy() {
      unlisten();
      status.update(undefined);
      follow.stop();
      el.remove();
    },
  };
}
