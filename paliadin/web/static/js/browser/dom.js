/**
 * Makes an element. `onclick` and the like add listeners, `true` sets an attribute without a value, and `false`, `null`
 * and `undefined` set none. Text is always text: nothing here reads HTML.
 *
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, unknown>} [props]
 * @param {...(Node|string|null|undefined|false)} children
 * @returns {HTMLElementTagNameMap[Tag]}
 */
export function h(tag, props = {}, ...children) {
  const el = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (typeof value === "function") el.addEventListener(name.slice(2), /** @type {EventListener} */ (value));
    else if (value === true) el.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) el.setAttribute(name, String(value));
  }
  el.append(...children.filter((child) => child !== null && child !== undefined && child !== false));
  return el;
}

/**
 * Sets an element's children, unless they are the ones it has: putting a node back in its place loses focus and scroll.
 * @param {Element} parent
 * @param {Node[]} children
 */
export function place(parent, children) {
  const same = parent.childNodes.length === children.length && children.every((child, i) => parent.childNodes[i] === child);
  if (same) return;
  const keep = new Set(children);
  for (const node of [...parent.childNodes]) if (!keep.has(/** @type {ChildNode} */ (node))) node.remove();
  children.forEach((child, i) => {
    if (parent.childNodes[i] !== child) parent.insertBefore(child, parent.childNodes[i] ?? null);
  });
}

/**
 * Views of a list, one for each item, made once and updated only when the item is another object.
 * @template Item
 * @template {unknown} Extra
 * @param {Element} parent
 * @param {(item: Item) => string} keyOf
 * @param {(item: Item) => {el: HTMLElement, update: (item: Item, extra: Extra) => void}} create
 */
export function keyed(parent, keyOf, create) {
  /** @type {Map<string, {view: ReturnType<typeof create>, item: Item|null, extra: Extra|null}>} */
  let entries = new Map();
  /**
   * @param {Item[]} items
   * @param {Extra} extra
   */
  return (items, extra) => {
    const next = new Map(items.map((item) => {
      const key = keyOf(item);
      return [key, entries.get(key) ?? { view: create(item), item: null, extra: null }];
    }));
    entries = next;
    items.forEach((item) => {
      const entry = next.get(keyOf(item));
      if (!entry || (entry.item === item && entry.extra === extra)) return;
      entry.view.update(item, extra);
      Object.assign(entry, { item, extra });
    });
    place(parent, [...next.values()].map(({ view }) => view.el));
  };
}

/**
 * Text in which `code` is marked by backquotes.
 * @param {string} text
 * @returns {(Node|string)[]}
 */
export function withCode(text) {
  return text.split("`").map((piece, i) => (i % 2 ? h("code", {}, piece) : piece));
}
