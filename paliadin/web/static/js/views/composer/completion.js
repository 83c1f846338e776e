/**
 * A list of what may be meant while something is typed into a text field: files behind `@`, say. The focus stays in the
 * field, which tells a screen reader of the chosen option (the pattern of a combobox).
 *
 * @template Item
 * @typedef {object} Source what is completed, and how
 * @property {RegExp} pattern matches the text before the cursor, up to its end; group `start` is what stands in front
 *   of what is replaced, group `query` what is searched for
 * @property {string} label the name of the list
 * @property {(query: string, signal: AbortSignal) => Promise<Result<Item>>} search the best first
 * @property {(item: Item) => (Node|false)[]} draw
 * @property {(item: Item) => {text: string, open?: boolean}} insert what takes the place of what was typed; `open`: the
 *   cursor stays behind it, and the list is searched again
 * @property {(item: Item) => boolean} [run] does what the option stands for instead, and takes what was typed away
 * @property {(item: Item) => boolean} [isBarred] it is shown, and cannot be chosen
 * @property {(item: Item, query: string) => boolean} [isWhole] nothing is left to complete: Enter sends the text
 */
/**
 * @template Item
 * @typedef {object} Result
 * @property {Item[]} items
 * @property {string} [note] is shown where there are none
 * @property {Promise<{items: Item[], note?: string}>} [later] what takes its place
 */
import { h } from "../../browser/dom.js";
import { listenToKeys } from "../../browser/keys.js";

/** Characters before the cursor that are looked at. */
const LOOKED_AT = 500;
let lists = 0;

/**
 * @param {HTMLTextAreaElement} input
 * @param {() => Source<any>[]} sources those that can be used now
 * @param {object} options
 * @param {(text: string, cursor: number) => void} options.write replaces the whole text
 * @param {() => boolean} options.isOff nothing is completed now
 * @param {(count: number) => string} options.announce says how many options there are
 */
export function createCompletion(input, sources, { write, isOff, announce }) {
  lists += 1;
  const id = `completion-${lists}`;
  const list = h("ul", { class: "completion-list", role: "listbox", id });
  const note = h("p", { class: "completion-note", hidden: true });
  const box = h("div", { class: "completion", hidden: true }, list, note);
  const status = h("p", { class: "hidden", role: "status" });
  const el = h("div", { class: "completion-place" }, box, status);
  /** @type {{source: Source<any>, from: number, query: string}|null} what is being typed */
  let typed = null;
  /** @type {any[]} */
  let items = [];
  let chosen = 0;
  let isCurrent = false;
  let pickWhenThere = false;
  /** Where something begins that the user does not want completed. */
  let dismissedAt = -1;
  /** @type {AbortController|null} */
  let searching = null;

  function update() {
    const match = isOff() || input.selectionStart !== input.selectionEnd ? null : matchAt(input, sources());
    if (match?.from !== dismissedAt) dismissedAt = -1;
    if (!match || dismissedAt >= 0) return close();
    if (typed && typed.from === match.from && typed.query === match.query && typed.source === match.source) return;
    typed = match;
    search(match);
  }

  /** @param {NonNullable<typeof typed>} match */
  async function search(match) {
    searching?.abort();
    const controller = new AbortController();
    searching = controller;
    isCurrent = false;
    /** @type {Result<any>} */
    const result = await match.source.search(match.query, controller.signal).catch(() => ({ items: [] }));
    if (controller.signal.aborted || typed !== match) return; // it comes late: something else is typed now
    items = result.items;
    isCurrent = true;
    show(match.source, result.note ?? "");
    result.later?.then((later) => {
      if (typed !== match) return;
      const before = items[chosen];
      items = later.items;
      show(match.source, later.note ?? "", items.indexOf(before));
    });
    const mayPick = pickWhenThere && items.length > 0;
    pickWhenThere = false;
    if (mayPick) pick(0);
  }

  /**
   * @param {Source<any>} source
   * @param {string} text
   * @param {number} [choice]
   */
  function show(source, text, choice = 0) {
    list.setAttribute("aria-label", source.label);
    list.replaceChildren(...items.map((item, i) => drawOption(source, item, i)));
    list.hidden = items.length === 0;
    note.textContent = items.length ? "" : text;
    note.hidden = !note.textContent;
    box.hidden = list.hidden && note.hidden;
    status.textContent = items.length ? announce(items.length) : text;
    if (list.hidden) return leaveField();
    input.setAttribute("role", "combobox");
    input.setAttribute("aria-autocomplete", "list");
    input.setAttribute("aria-expanded", "true");
    input.setAttribute("aria-controls", id);
    choose(Math.max(choice, 0));
  }

  /**
   * @param {Source<any>} source
   * @param {any} item
   * @param {number} i
   */
  function drawOption(source, item, i) {
    const option = h(
      "li",
      {
        role: "option",
        id: `${id}-${i}`,
        "aria-selected": "false",
        "aria-disabled": source.isBarred?.(item) ? "true" : null,
      },
      ...source.draw(item).filter((node) => node !== false),
    );
    option.addEventListener("mousedown", (event) => event.preventDefault()); // the focus stays in the field
    option.addEventListener("click", () => pick(i));
    return option;
  }

  /** @param {number} i */
  function choose(i) {
    list.children[chosen]?.setAttribute("aria-selected", "false");
    chosen = (i + items.length) % items.length;
    const option = list.children[chosen];
    option?.setAttribute("aria-selected", "true");
    input.setAttribute("aria-activedescendant", option?.id ?? "");
    if (!(option instanceof HTMLElement)) return;
    // Not scrollIntoView, which may scroll the page as well.
    const below = option.offsetTop + option.offsetHeight - list.clientHeight;
    list.scrollTop = Math.min(Math.max(list.scrollTop, below), option.offsetTop);
  }

  /** @param {number} i */
  function pick(i) {
    if (!typed || !isCurrent || !(i in items)) return;
    const { source, from } = typed;
    if (source.isBarred?.(items[i])) return;
    if (source.run?.(items[i])) return close();
    const { text, open } = source.insert(items[i]);
    // It stands there already: the list would come back with it, and Enter would never send.
    if (open && input.value.slice(from, input.selectionEnd) === text) return close();
    const behind = input.value.slice(input.selectionEnd);
    const inserted = open || /^\s/.test(behind) ? text : `${text} `;
    const before = input.value.slice(0, from) + inserted;
    close();
    write(before + behind, before.length);
    input.focus();
    update();
  }

  function leaveField() {
    for (const name of ["role", "aria-autocomplete", "aria-expanded", "aria-controls", "aria-activedescendant"])
      input.removeAttribute(name);
  }

  function close() {
    searching?.abort();
    searching = typed = null;
    items = [];
    isCurrent = pickWhenThere = false;
    box.hidden = true;
    status.textContent = "";
    list.replaceChildren();
    leaveField();
  }

  /** @param {KeyboardEvent} event */
  function act({ key, shiftKey }) {
    if (key === "ArrowDown") choose(chosen + 1);
    else if (key === "ArrowUp") choose(chosen - 1);
    else if ((key === "Enter" || key === "Tab") && !shiftKey) {
      if (key === "Enter" && typed?.source.isWhole?.(items[chosen], typed.query)) {
        close();
        return false;
      }
      if (isCurrent) pick(chosen);
      else pickWhenThere = true;
    } else if (key === "Escape") {
      dismissedAt = typed?.from ?? -1;
      close();
    } else return false;
    return true;
  }

  input.addEventListener("input", (event) => {
    if (!(event instanceof InputEvent && event.isComposing)) update();
  });
  input.addEventListener("compositionend", update);
  input.addEventListener("blur", close);
  input.addEventListener("click", update);
  listenToKeys(input, ({ key }) => /^(?:Arrow(?:Left|Right)|Home|End)$/.test(key) && update(), { released: true });

  return {
    el,
    close,
    /**
     * To be called first for each key that is pressed in the field.
     * @param {KeyboardEvent} event
     * @returns {boolean} whether the key was meant for the list
     */
    onKey(event) {
      const isForList = !box.hidden && (items.length > 0 || event.key === "Escape");
      if (!isForList || event.ctrlKey || event.metaKey || event.altKey || !act(event)) return false;
      event.preventDefault();
      event.stopPropagation();
      return true;
    },
  };
}

/**
 * @param {HTMLTextAreaElement} input
 * @param {Source<any>[]} sources
 */
function matchAt(input, sources) {
  const cursor = input.selectionEnd;
  const text = input.value.slice(Math.max(cursor - LOOKED_AT, 0), cursor);
  for (const source of sources) {
    const match = source.pattern.exec(text);
    if (!match?.groups) continue;
    const start = match.index + (match.groups.start?.length ?? 0);
    return { source, from: cursor - text.length + start, query: match.groups.query ?? match.groups.quoted ?? "" };
  }
  return null;
}
