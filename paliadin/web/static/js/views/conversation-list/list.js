/**
 * The list of conversations: a button for a new one, the search, the conversations by day, and the archive.
 * @typedef {import("./context.js").ListContext} ListContext
 * @typedef {import("../../types.js").ListState} ListState
 * @typedef {import("../../types.js").ConversationItem} Item
 */
import { h } from "../../browser/dom.js";
import { icon } from "../../browser/icons.js";
import { listenToKeys } from "../../browser/keys.js";
import { loader } from "../../browser/load.js";
import { isUnread, neighbourOf } from "../../state/conversations.js";
import { displayTitle } from "../../texts/conversation-names.js";
import { listenToUndo } from "../common/undo-key.js";
import { createGroups } from "./groups.js";
import { linkOf, listenToListKeys } from "./keyboard.js";
import { createToast } from "./toast.js";

/** @param {ListContext} context */
export function createListView(context) {
  const { list, t, open, make, replace, print, newKey } = context;
  const el = h("nav", { class: "conversations", "aria-label": t("list.title") });
  const loadMenu = loader(() => import("./menu.js").then(({ createMenu }) => createMenu(el)));
  const keys = newKey && t("app.new.key", { key: newKey });
  const anew = h(
    "button",
    { type: "button", class: "list-new", title: keys, onclick: begin },
    icon("plus"),
    t("app.new"),
  );
  const input = h("input", {
    type: "text",
    role: "searchbox",
    dir: "auto",
    "aria-label": t("list.search"),
    placeholder: t("list.search"),
    autocomplete: "off",
  });
  const clear = h(
    "button",
    { type: "button", class: "icon-button", "aria-label": t("list.clear"), title: t("list.clear"), hidden: true },
    icon("cross"),
  );
  const found = h("p", { class: "list-note", role: "status" });
  const heading = h("h2", { class: "list-heading", hidden: true }, t("list.archived"));
  const groups = createGroups(context, { openMenu, focusItem });
  const archived = h("button", { type: "button", class: "quiet list-archived", onclick: toggleArchived });
  const scroller = h("div", { class: "list-scroller" }, heading, found, groups.el, archived);
  const toast = createToast(context, undo);
  const search = h("div", { class: "list-search" }, icon("search"), input, clear);
  el.append(h("div", { class: "list-head" }, anew, search));
  el.append(scroller, toast.el);

  async function begin() {
    if (!list.get().ready) await list.refresh(); // the hosts are not known yet
    const { hosts } = list.get();
    if (hosts.length < 2) return make();
    openMenuAt(
      anew,
      t("list.where"),
      hosts.map((host, i) => ({ label: i ? host : t("list.here", { host }), act: () => make(host) })),
    );
  }

  /**
   * @param {HTMLElement} button
   * @param {string} label
   * @param {import("./menu.js").MenuEntry[]} entries
   */
  function openMenuAt(button, label, entries) {
    loadMenu().then((menu) => menu.open(button, label, entries), reportError);
  }

  function toggleArchived() {
    list.showArchived(!list.get().archived);
    input.value = "";
    clear.hidden = true;
  }

  /** @param {string} id */
  const itemOf = (id) => shownItems(list.get()).find((item) => item.id === id);

  /**
   * @param {Item} item
   * @param {HTMLElement} button
   */
  function openMenu({ id, title, pinned, archived: put }, button) {
    openMenuAt(button, t("list.menu", { title: displayTitle(title) || t("list.untitled") }), [
      { label: t("list.rename"), act: () => groups.rename(id) },
      { label: t(pinned ? "list.unpin" : "list.pin"), act: () => list.pin(id, !pinned) },
      ...(id === list.get().current ? [{ label: t("list.print"), act: print }] : []),
      ...(put
        ? [{ label: t("list.unarchive"), act: () => goAway(id, list.unarchive) }]
        : [{ label: t("list.archive"), act: () => goAway(id, list.archive) }]),
      { label: t("list.delete"), act: () => goAway(id, list.remove), className: "menu-bad" },
    ]);
  }

  /**
   * Takes an item out of what is shown. The focus goes to the one that comes in its place; so does the page, if the
   * conversation was open.
   * @param {string} id
   * @param {(id: string) => Promise<unknown>} act
   */
  function goAway(id, act) {
    const state = list.get();
    const next = neighbourOf(groups.order(), id);
    const away = act(id);
    if (next) focusItem(next);
    else input.focus();
    if (state.current !== id || act === list.unarchive) return;
    away.then(() => {
      const { toast: shown } = list.get();
      if (shown?.id !== id || !shown.wasOpen) return;
      focusNext = ""; // the answer may come before the frame that would take the focus from the page's input
      replace(next);
    });
  }

  async function undo() {
    const back = await list.undo();
    if (back?.wasOpen) replace(back.id);
    else if (back) focusItem(back.id);
  }

  /** @type {string} */
  let focusNext = "";
  /** @param {string} id gets the focus now, or once it is drawn */
  function focusItem(id) {
    focusNext = id;
    requestAnimationFrame(giveFocus);
  }

  function giveFocus() {
    const item = focusNext && groups.find(focusNext);
    if (!item) return;
    focusNext = "";
    linkOf(item)?.focus();
  }

  listenToListKeys(groups.el, {
    rename: (id) => groups.rename(id),
    remove: (id) => goAway(id, list.remove),
    openMenu(id) {
      const button = groups.find(id)?.querySelector(".item-more");
      const item = itemOf(id);
      if (item && button instanceof HTMLElement) openMenu(item, button);
    },
    leave: () => input.focus(),
  });
  /** @param {string} query */
  function type(query) {
    if (input.value !== query) input.value = query;
    clear.hidden = query === "";
    list.search.type(query);
  }

  clear.addEventListener("click", () => {
    type("");
    input.focus();
  });
  input.addEventListener("input", () => type(input.value));
  listenToKeys(input, async (event) => {
    if (event.key === "ArrowDown") {
      event.preventDefault();
      linkOf(groups.el.querySelector(".item") ?? undefined)?.focus();
    } else if (event.key === "Escape" && input.value) {
      event.preventDefault();
      event.stopPropagation();
      type("");
    } else if (event.key === "Enter") {
      event.preventDefault();
      const first = input.value.trim() && (await list.search.first());
      if (!first) return;
      input.blur(); // the focus goes to what was found
      open(first.id, first.match?.turn_id);
    }
  });

  /** @param {ListState} state */
  function drawNote({ ready, query, found: results, archived: put, items }) {
    const searching = query.trim() !== "";
    const text = searching
      ? results
        ? results.length === 0 && t("search.none")
        : t("search.works")
      : put?.length === 0
        ? t("list.archived.none")
        : ready && !put && items.length === 0 && t("list.none");
    if (found.textContent !== (text || "")) found.textContent = text || "";
    heading.hidden = searching || !put;
    archived.hidden = searching || !ready;
    archived.textContent = t(put ? "list.back" : "list.archived");
  }

  const unlisten = list.listen((state) => {
    el.hidden = !state.signedIn;
    const items = shownItems(state);
    const words = state.query.trim();
    const hadFocus = groups.focused();
    groups.update(
      items,
      {
        current: state.current,
        unread: new Set(items.filter((item) => isUnread(item, state.seen)).map((item) => item.id)),
        people: new Set(items.map((item) => item.person ?? "")).size,
        here: state.hosts[0] ?? "",
        words,
      },
      words !== "",
    );
    drawNote(state);
    toast.update(state.toast);
    if (hadFocus && !groups.focused() && !focusNext && groups.find(hadFocus)) focusItem(hadFocus);
    giveFocus();
  });

  return {
    el,
    focusSearch() {
      input.focus();
      input.select();
    },
    /**
     * Undoes by its key what was taken away last.
     * @param {HTMLElement} target where the key is heard
     */
    undoIn: (target) => listenToUndo(target, () => list.mayUndo() && (undo(), true)),
    stop: unlisten,
  };
}

/** @param {ListState} state */
const shownItems = ({ items, archived, query, found }) => (query.trim() ? (found ?? []) : (archived ?? items));
