/** The keys of the list: arrows move, F2 renames, Delete deletes, the menu key opens the menu. */
import { listenToKeys } from "../../browser/keys.js";

/**
 * @param {HTMLElement} el holds the items
 * @param {object} actions each is given the id of the item with the focus
 * @param {(id: string) => void} actions.rename
 * @param {(id: string) => void} actions.remove
 * @param {(id: string) => void} actions.openMenu
 * @param {() => void} actions.leave upwards from the first item
 */
export function listenToListKeys(el, { rename, remove, openMenu, leave }) {
  listenToKeys(el, (event) => {
    const item = event.target instanceof Element ? event.target.closest(".item") : null;
    if (!(item instanceof HTMLElement)) return;
    const id = item.dataset.id ?? "";
    const act = {
      ArrowDown: () => move(item, 1),
      ArrowUp: () => move(item, -1),
      Home: () => linkOf(items()[0])?.focus(),
      End: () => linkOf(items().at(-1))?.focus(),
      F2: () => rename(id),
      Delete: () => remove(id),
      ContextMenu: () => openMenu(id),
      F10: event.shiftKey ? () => openMenu(id) : undefined,
    }[event.key];
    if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    act();
  });

  /** @returns {HTMLElement[]} */
  const items = () => [...el.querySelectorAll(".item")].filter((item) => item instanceof HTMLElement);

  /**
   * @param {HTMLElement} item
   * @param {number} step
   */
  function move(item, step) {
    const all = items();
    const target = all[all.indexOf(item) + step];
    if (target) linkOf(target)?.focus();
    else if (step < 0) leave();
  }
}

/**
 * @param {Element|undefined} item
 * @returns {HTMLElement|null|undefined} what opens the conversation
 */
export const linkOf = (item) => item?.querySelector(".item-link");
