/**
 * The conversations of a drawer: the list, and the one that is open. Which one that was, is remembered for the
 * application's origin.
 */
import { settings } from "../browser/settings.js";
import { createConversationList } from "../conversation/conversation-list.js";
import { createFeed } from "../conversation/feed.js";
import { createOpenConversation } from "../conversation/open-conversation.js";
import { ROOT } from "../daemon/root.js";
import { drawerMark, marksOthers } from "../state/marks.js";
import { isLocal, runningTurn } from "../state/turns.js";
import { mountConversation } from "../views/conversation-view.js";
import { createListView } from "../views/conversation-list/list.js";
import { createListPanel } from "./list-panel.js";
import { printSheets } from "./styles.js";

const REMEMBERED = "drawer.session";

/**
 * @typedef {import("../conversation/conversation.js").Conversation} Conversation
 * @typedef {import("../views/common/context.js").BaseContext} BaseContext
 * @typedef {import("../views/reading-place.js").Place} Place
 * @param {object} options
 * @param {import("../daemon/api.js").Api} options.api
 * @param {import("../texts/i18n.js").Translate} options.t
 * @param {import("../texts/i18n.js").Lang} options.lang
 * @param {string} options.session the one that the page names, or ""
 * @param {() => import("../types.js").PageContext} options.pageContext
 * @param {Omit<BaseContext, "conversation"|"t"|"lang"|"settings"|"list"|"addressOf">} options.base
 * @param {(conversation: Conversation) => void} options.onOpen
 * @param {() => boolean} options.isShown whether the drawer is open, in a page that is visible
 * @param {(mark: import("../state/marks.js").DrawerMark) => void} options.onMark
 */
export function createDrawerConversations({ api, t, lang, session, pageContext, base, onOpen, isShown, onMark }) {
  const place = document.createElement("div");
  place.className = "drawer-conversation";
  const list = createConversationList({ api, settings, inDrawer: true, isShown: () => isShown() || leaving });
  const feed = createFeed({ api, list, isShown });
  /** @type {ReturnType<typeof mountConversation>|null} */
  let view = null;
  /** @type {import("../conversation/open-conversation.js").OpenConversation<Place>} */
  const opened = createOpenConversation({
    api,
    settings,
    list,
    feed,
    context: pageContext,
    leave: () => view?.place() ?? null,
    show,
  });
  const open = (/** @type {string} */ id, /** @type {string} */ turnId = "") => go(id, turnId);
  const listView = createListView({
    list,
    t,
    lang,
    make: () => make(),
    open,
    replace,
    print: printOpen,
    embedded: true,
  });
  for (const each of [place, listView.el]) listView.undoIn(each);
  const panel = createListPanel({ list: listView.el, t, onShow: () => listView.focusSearch() });
  /** The drawer was closed just now: what had ended by then was seen. */
  let leaving = false;
  let stopped = false;
  list.listen(drawMarks);

  function drawMarks() {
    const state = list.get();
    if (stopped || !opened.current()) return;
    onMark(drawerMark(state, opened.current().get().turns));
    panel.mark(marksOthers(state));
  }

  /** Reads the list at once. */
  async function settle() {
    await list.refresh();
    if (stopped) return;
    if (!unfinished(opened.current().get())) leaving = false;
    feed.look();
  }

  /** @param {Conversation} conversation */
  function watchTurns(conversation) {
    let running = "";
    conversation.listen((state) => {
      const now = unfinished(state)?.id ?? "";
      if (now !== running) {
        if (now) leaving = false;
        settle();
      }
      running = now;
      drawMarks();
    });
  }

  /**
   * @param {Conversation} conversation
   * @param {Place|null} before
   */
  function show(conversation, before) {
    view?.destroy();
    view = mountConversation(
      place,
      {
        ...base,
        conversation,
        t,
        lang,
        settings,
        list,
        branch,
        openPlace: (where, arrow) => {
          go(where.session, where.turnId);
          view?.focusArrow(arrow);
        },
        showList: panel.show,
        printSheets: (view) => printSheets(view, base.pieces.styles()),
        readPicture: api.picture,
        addressOf: (turnId) => addressOfTurn(list.get().current || conversation.session, turnId),
      },
      before,
    );
    watchTurns(conversation);
    onOpen(conversation);
  }

  /**
   * @param {string} id
   * @param {string} [turnId]
   */
  async function go(id, turnId) {
    panel.hide();
    const reading = read(id, turnId);
    view?.focus();
    await reading;
  }

  /**
   * @param {string} id
   * @param {string} [turnId]
   */
  function read(id, turnId) {
    const chosen = id === list.get().current ? opened.current().session : id;
    if (!session) settings.set(REMEMBERED, chosen === "main" ? "" : chosen);
    return opened.open(chosen, turnId);
  }

  /**
   * Opens a conversation, or a new one, in place of the open one that was taken away.
   * @param {string} session
   */
  async function replace(session) {
    const id = session || (await list.make())?.id;
    if (id) await read(id);
  }

  function printOpen() {
    view?.print().catch(reportError);
  }

  async function make() {
    const id = await opened.make();
    if (id) await go(id);
  }

  /**
   * @param {string} turnId
   * @param {string} question
   * @param {import("../types.js").Attachment[]} attachments
   */
  async function branch(turnId, question, attachments) {
    const item = await list.make({ branch_of: turnId });
    if (!item) return false;
    await go(item.id);
    if (!(await opened.current().send(question, attachments))) view?.write(question);
    return true;
  }

  /** Opens the one that the page names, or the one that was open last; that may have been deleted. */
  async function start() {
    const remembered = session || settings.get(REMEMBERED) || "main";
    await opened.open(remembered);
    if (opened.current()?.get().missing && !session && remembered !== "main") await opened.open("main");
  }

  start();
  void list.refresh();

  return {
    place,
    panel,
    make,
    current: opened.current,
    focus: () => view?.focus(),
    redrawStarters: () => view?.redrawStarters(),
    /** To be called when the drawer is opened and closed. @param {boolean} shown */
    onShown(shown) {
      if (shown) {
        view?.grow();
        void list.refresh();
        feed.look();
      } else {
        panel.hide();
        leaving = !runningTurn(opened.current().get().turns);
        settle();
      }
    },
    stop() {
      stopped = true;
      feed.stop();
      listView.stop();
      view?.destroy();
      opened.close();
    },
  };
}

/** @param {import("../types.js").State} state */
const unfinished = ({ turns }) => turns.find((turn) => turn.phase !== "done" && !isLocal(turn));

/**
 * @param {string} session
 * @param {string} turnId
 */
function addressOfTurn(session, turnId) {
  const query = session === "main" ? "" : `?session=${encodeURIComponent(session)}`;
  return new URL(`paliadin${query}#turn=${turnId}`, ROOT).href;
}
