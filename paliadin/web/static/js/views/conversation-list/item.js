/**
 * Draws a conversation of the list: its title, its state, when something was last asked in it, and its menu.
 * @typedef {import("./context.js").ListContext} ListContext
 * @typedef {import("../../types.js").ConversationItem} Item
 * @typedef {{current: string, unread: Set<string>, people: number, here: string, words: string}} Extra `people`: how
 *   many the list is about; `here`: this machine; `words`: what is searched
 */
import { h, setChildren } from "../../browser/dom.js";
import { icon } from "../../browser/icons.js";
import { listenToKeys } from "../../browser/keys.js";
import { isBusy } from "../../state/conversations.js";
import { displayTitle, formatDay, nameOfOrigin, withoutMarkup } from "../../texts/conversation-names.js";
import { formatTime } from "../../texts/format.js";
import { markWords } from "../common/marked-words.js";

/** As the daemon allows. */
const MAX_TITLE = 200;

/**
 * @param {ListContext} context
 * @param {{openMenu: (item: Item, button: HTMLElement) => void, focusItem: (id: string) => void}} actions
 */
export function createItem({ list, t, lang, open, addressOf, embedded }, { openMenu, focusItem }) {
  /** @type {Item} */
  let shown;
  let drawn = "";
  const title = h("span", { class: "item-title", dir: "auto" });
  const mark = h("span", { class: "item-mark" });
  const time = h("time", { class: "item-time" });
  const excerpt = h("span", { class: "item-excerpt", dir: "auto", hidden: true });
  const labels = h("span", { class: "item-labels", hidden: true });
  const link = h(addressOf ? "a" : "button", {
    type: addressOf ? null : "button",
    class: "item-link",
    tabindex: -1,
    onclick,
  });
  link.append(h("span", { class: "item-line" }, mark, title, time), excerpt, labels);
  const more = h(
    "button",
    { type: "button", class: "icon-button item-more", tabindex: -1, "aria-haspopup": "menu", "aria-expanded": "false" },
    icon("more"),
  );
  more.addEventListener("click", () => openMenu(shown, more));
  const el = h("li", { class: "item" }, link, more);

  /** @param {MouseEvent} event */
  function onclick(event) {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return; // in another tab, if a link
    event.preventDefault();
    open(shown.id, shown.match?.turn_id);
  }

  /** Puts an input in place of the title. */
  function rename() {
    const input = h("input", {
      type: "text",
      class: "item-rename",
      dir: "auto",
      maxlength: MAX_TITLE,
      "aria-label": t("list.rename.label"),
      autocomplete: "off",
    });
    input.value = displayTitle(shown.title) || "";
    let over = false;

    /** @param {boolean} save */
    function finish(save) {
      if (over || (!save && !input.isConnected)) return;
      over = true;
      const had = input.matches(":focus");
      const name = input.value.trim();
      input.replaceWith(link);
      el.classList.remove("item-renaming");
      if (save && name && name !== shown.title) list.rename(shown.id, name);
      if (had) focusItem(shown.id);
    }
    input.addEventListener("blur", () => input.isConnected && finish(true));
    listenToKeys(input, (event) => {
      event.stopPropagation(); // the list has keys of its own
      if (!["Enter", "Escape"].includes(event.key)) return;
      event.preventDefault();
      finish(event.key === "Enter");
    });
    el.classList.add("item-renaming");
    link.replaceWith(input);
    input.focus();
    input.select();
  }

  /**
   * @param {Item} item
   * @param {Extra} extra
   */
  function drawItem(item, { words }) {
    shown = item;
    el.dataset.id = item.id;
    const name = displayTitle(item.title) || t("list.untitled");
    title.replaceChildren(...markWords(name, words));
    title.title = name;
    more.setAttribute("aria-label", t("list.menu", { title: name }));
    if (link instanceof HTMLAnchorElement) link.href = addressOf?.(item.id) ?? "";
    time.textContent = item.last_at ? formatDay(item.last_at, lang) : "";
    time.title = item.last_at ? formatTime(item.last_at, lang) : "";
    excerpt.hidden = !item.match?.excerpt;
    excerpt.replaceChildren(...markWords(displayTitle(withoutMarkup(item.match?.excerpt ?? "")), words));
  }

  /** @param {Extra} extra */
  function drawState({ current, unread }) {
    const isUnread = unread.has(shown.id);
    const kind =
      isBusy(shown) && shown.state !== "waiting" ? "busy" : (MARKS[shown.state] ?? (isUnread ? "unread" : ""));
    el.classList.toggle("item-unread", isUnread);
    if (shown.id === current) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
    if (mark.dataset.kind === kind) return;
    mark.dataset.kind = kind;
    const sign = kind === "waiting" ? "!" : kind === "failed" || kind === "unreachable" ? icon("alert") : "";
    mark.replaceChildren(
      h("span", { "aria-hidden": "true", class: "item-sign" }, sign),
      kind && h("span", { class: "hidden" }, `${t(/** @type {any} */ (`list.state.${kind}`))}: `),
    );
    mark.title = kind && t(/** @type {any} */ (`list.state.${kind}`));
  }

  /** @param {Extra} extra */
  function drawLabels({ people, here, words }) {
    const texts = [
      words && shown.archived ? t("list.put_away") : "",
      here && shown.host !== here ? (shown.host ?? "") : "",
      people > 1 ? (shown.person ?? "") : "",
      embedded ? "" : nameOfOrigin(shown.origin ?? ""),
    ].filter(Boolean);
    const branch = shown.branch_of && h("span", { class: "item-branch" }, icon("branch"), t("list.branch"));
    labels.hidden = texts.length === 0 && !branch;
    setChildren(labels, [
      ...(branch ? [branch] : []),
      ...texts.map((text) => h("span", { class: "item-label", dir: "auto" }, displayTitle(text))),
    ]);
  }

  return {
    el,
    rename,
    /**
     * @param {Item} item
     * @param {Extra} extra
     */
    update(item, extra) {
      // Whatever is opened or ends changes what is around all items, and most look the same as before.
      const { current, unread, people, here, words } = extra;
      const around = JSON.stringify([item.id === current, unread.has(item.id), people, here, words]);
      if (item === shown && around === drawn) return;
      drawItem(item, extra);
      drawn = around;
      drawState(extra);
      drawLabels(extra);
    },
  };
}

/** @type {Record<string, string>} */
const MARKS = { waiting: "waiting", failed: "failed", unreachable: "unreachable" };
