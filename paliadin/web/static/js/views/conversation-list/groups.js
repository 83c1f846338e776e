/**
 * Draws conversations under the day on which something was last asked in them. One of them takes part in the order of
 * the Tab key; the arrow keys lead from there to the others.
 * @typedef {import("./context.js").ListContext} ListContext
 * @typedef {import("../../types.js").ConversationItem} Item
 * @typedef {import("../../state/conversations.js").Group} Group
 * @typedef {import("./item.js").Extra} Extra
 */
import { h, keyedList } from "../../browser/dom.js";
import { groupByDay } from "../../state/conversations.js";
import { formatMonth } from "../../texts/conversation-names.js";
import { translateIfKnown } from "../../texts/i18n.js";
import { createItem } from "./item.js";
import { linkOf } from "./keyboard.js";

let count = 0;

/**
 * @param {ListContext} context
 * @param {Parameters<typeof createItem>[1]} actions
 */
export function createGroups(context, actions) {
  const { t, lang } = context;
  const el = h("div", { class: "groups" });
  /** @type {Map<string, ReturnType<typeof createItem>>} */
  const views = new Map();
  /** @type {Group[]} */
  let groups = [];
  let reachable = "";
  let drawn = PIECE;
  let drawingMore = 0;
  const draw = keyedList(el, (/** @type {Group} */ group) => group.key, createGroup);

  /** @param {string} key of a group */
  const nameOf = (key) => translateIfKnown(t, `list.group.${key}`) || formatMonth(key, lang);

  /** @param {Group} group */
  function createGroup({ key }) {
    const id = `list-group-${(count += 1)}`;
    const heading = key !== FOUND && h("h2", { class: "group-title", id }, nameOf(key));
    const items = h("ul", { "aria-labelledby": key === FOUND ? null : id });
    const drawItems = keyedList(items, (/** @type {Item} */ item) => item.id, create);
    return {
      el: h("section", { class: "group" }, heading, items),
      update: (/** @type {Group} */ group, /** @type {Extra} */ extra) => drawItems(group.items, extra),
    };
  }

  /** @param {Item} item */
  function create({ id }) {
    const view = createItem(context, actions);
    views.set(id, view);
    return view;
  }

  /** @param {string} id */
  const find = (id) => el.querySelector(`[data-id="${CSS.escape(id)}"]`) ?? undefined;

  /** @param {string} id */
  function reach(id) {
    for (const [of, index] of /** @type {const} */ ([
      [reachable, -1],
      [id, 0],
    ]))
      for (const each of find(of)?.querySelectorAll(".item-link, .item-more") ?? [])
        each.setAttribute("tabindex", `${index}`);
    reachable = id;
  }

  el.addEventListener("focusin", ({ target }) => {
    const item = target instanceof Element ? target.closest(".item") : null;
    if (item instanceof HTMLElement) reach(item.dataset.id ?? "");
  });

  return {
    el,
    find,
    /** @returns {Item[]} in the order in which they are shown */
    order: () => groups.flatMap((group) => group.items),
    /** @param {string} id */
    rename: (id) => views.get(id)?.rename(),
    /** @returns {string} id of the item that has the focus, or "" */
    focused() {
      const item = el.querySelector(".item:focus-within");
      return item instanceof HTMLElement ? (item.dataset.id ?? "") : "";
    },
    update,
  };

  /**
   * Draws the list; a long one piece by piece, so that nothing else has to wait.
   * @param {Item[]} items
   * @param {Extra} extra
   * @param {boolean} flat without days
   */
  function update(items, extra, flat) {
    cancelAnimationFrame(drawingMore);
    const near = [...items.filter((item) => item.pinned), ...items.filter((item) => !item.pinned)].slice(0, drawn);
    groups = flat ? [{ key: FOUND, items: items.slice(0, drawn) }] : groupByDay(near);
    draw(groups, extra);
    const ids = new Set(groups.flatMap((group) => group.items.map((item) => item.id)));
    for (const id of views.keys()) if (!ids.has(id)) views.delete(id);
    const wanted = [reachable, extra.current].find((id) => ids.has(id)) ?? [...ids][0];
    if (wanted && linkOf(find(wanted))?.tabIndex !== 0) reach(wanted);
    if (items.length <= drawn) return;
    drawingMore = requestAnimationFrame(() => {
      drawn += PIECE;
      update(items, extra, flat);
    });
  }
}

/** How many conversations are drawn at once. */
const PIECE = 60;

/** The key of the one group that has no day. */
const FOUND = "found";
