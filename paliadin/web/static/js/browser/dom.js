/**
 * Creates an element. A function sets a listener (`onclick`), `true` an attribute without a value; `false`, `null` and
 * `undefined` set no attribute. Strings become text nodes: nothing here parses HTML.
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
 * Sets an element's children and leaves those in place that are there already: a node that is inserted again loses its
 * focus and its scroll position.
 * @param {Element} parent
 * @param {Node[]} children
 */
export function setChildren(parent, children) {
  const same =
    parent.childNodes.length === children.length && children.every((child, i) => parent.childNodes[i] === child);
  if (same) return;
  const wanted = new Set(children);
  for (const node of [...parent.childNodes]) if (!wanted.has(/** @type {ChildNode} */ (node))) node.remove();
  children.forEach((child, i) => {
    if (parent.childNodes[i] !== child) parent.insertBefore(child, parent.childNodes[i] ?? null);
  });
}

/**
 * Keeps one view for each item of a list: created once, and updated only when the item is a different object.
 * @template Item
 * @template {unknown} Extra
 * @param {Element} parent
 * @param {(item: Item) => string} keyOf
 * @param {(item: Item) => {el: HTMLElement, update: (item: Item, extra: Extra) => void}} create
 */
export function keyedList(parent, keyOf, create) {
  /** @type {Map<string, {view: ReturnType<typeof create>, item: Item|null, extra: Extra|null}>} */
  let entries = new Map();
  /**
   * @param {Item[]} items
   * @param {Extra} extra
   */
  return (items, extra) => {
    const next = new Map(
      items.map((item) => {
        const key = keyOf(item);
        return [key, entries.get(key) ?? { view: create(item), item: null, extra: null }];
      }),
    );
    entries = next;
    items.forEach((item) => {
      const entry = next.get(keyOf(item));
      if (!entry || (entry.item === item && entry.extra === extra)) return;
      entry.view.update(item, extra);
      Object.assign(entry, { item, extra });
    });
    setChildren(
      parent,
      [...next.values()].map(({ view }) => view.el),
    );
  };
}

/**
 * Turns the pieces of a text that stand in backquotes into `<code>` elements.
 * @param {string} text
 * @returns {(Node|string)[]}
 */
export function codeSpans(text) {
  return text.split("`").map((piece, i) => (i % 2 ? h("code", {}, piece) : piece));
}

/**
 * Draws again only when the value is a different one than the last.
 * @template Value
 * @param {(value: Value) => HTMLElement[]} draw
 */
export function memoizeLast(draw) {
  /** @type {Value|undefined} */
  let lastValue;
  /** @type {HTMLElement[]} */
  let drawn = [];
  return (/** @type {Value} */ value) => {
    if (value !== lastValue) drawn = draw(value);
    lastValue = value;
    return drawn;
  };
}

/**
 * Whether the reader has selected something in an element.
 * @param {Element} el
 */
export function isSelected(el) {
  // In a drawer some browsers tell of a selection at its root only.
  const root = /** @type {Document & {getSelection?: () => Selection|null}} */ (el.getRootNode());
  const selection = root.getSelection?.() ?? document.getSelection();
  return Boolean(selection && !selection.isCollapsed && selection.containsNode(el, true));
}

/**
 * What has the focus, or null. In a drawer beside the page it is the page, even if nothing in it has the focus.
 * @param {Element} el
 */
export function focused(el) {
  const root = el.getRootNode();
  const active = root instanceof Document || root instanceof ShadowRoot ? root.activeElement : null;
  if (root instanceof ShadowRoot && !el.closest("dialog")?.matches(":modal")) return active ?? document.activeElement;
  return active !== document.body && active;
}
