/**
 * Loads the pieces of the page that parts bring: the module `parts/<name>/page/piece.js` of each part that the health
 * report names (docs/architecture.md). It exports `createPiece` and, if it has style sheets, their addresses: `styles`.
 *
 * @typedef {object} Piece what a part adds to the page; each may be missing
 * @property {string} [sees] said in an empty conversation: what Claude sees here
 * @property {(health: Health) => string} [text] said there to the owner, instead of the page's own text; "" for that
 * @property {string} [memberText] said there to a member, instead of the page's own text
 * @property {(signal: AbortSignal) => Below} [createBelow] called once for each turn that is drawn; `signal` is aborted
 *   when the conversation is closed
 * @property {(about: PageContext, redraw: () => void) => [label: string, words: string]|null} [describe] says more
 *   of what the page around a drawer is about; calls `redraw` when it knows more
 * @property {(actions: Actions) => Banner} [createBanner] called once for each conversation that is opened
 * @property {(dialog: AccessDialog) => HTMLElement[]} [drawAccess] called when the dialog is opened in which one signs
 *   out: what stands at its end
 *
 * @typedef {{el: HTMLElement, update: (turn: import("../../types.js").Turn) => Promise<void>}} Below stands below the
 *   answer; `update` is called whenever the turn has changed
 *
 * @typedef {(health: Health) => HTMLElement[]} Banner returns what stands above the conversation: the same elements
 *   while nothing of them has changed
 *
 * @typedef {object} Actions
 * @property {(work: () => Promise<unknown>) => Promise<Health|null>} act does what was asked for, and returns the
 *   health report from after it; if it fails, the page says why
 * @property {() => void} moveOn moves the focus out of what was clicked, which goes away
 *
 * @typedef {object} AccessDialog
 * @property {Health} health
 * @property {(el: HTMLElement) => (work: () => Promise<void>) => Promise<void>} attemptIn returns a function that does
 *   what was asked for, and says in the element why that failed
 * @property {() => Promise<void>} refreshHealth reads the health report again
 *
 * @typedef {object} Surroundings what a piece is made with
 * @property {import("../../texts/i18n.js").Lang} lang
 * @property {Pick<import("../../daemon/api.js").Api, "read"|"post"|"remove">} api calls the part's own routes
 * @property {boolean} [embedded] in a drawer
 * @property {(name: string, detail: unknown) => void} [tell] emits an event of the drawer (docs/embedding.md)
 *
 * @typedef {import("../../types.js").PageContext} PageContext
 * @typedef {import("../../types.js").Health} Health
 * @typedef {ReturnType<typeof createPieces>} Pieces
 */
import { loader } from "../../browser/load.js";
import { loadStyleSheet } from "../../browser/style-sheet.js";

/** After a piece could not be loaded. */
const RETRY_MS = 10_000;

/** @type {Map<string, () => Promise<CSSStyleSheet>>} by address */
const sheets = new Map();

/** @param {string} address */
function sheetOf(address) {
  const load = sheets.get(address) ?? loader(() => loadStyleSheet(address));
  sheets.set(address, load);
  return load();
}

/**
 * Adds style sheets to a page or a drawer, each once.
 * @param {Document|ShadowRoot} root
 * @param {string[]} addresses
 */
async function addStyles(root, addresses) {
  const wanted = await Promise.all(addresses.map(sheetOf));
  root.adoptedStyleSheets = [...new Set([...root.adoptedStyleSheets, ...wanted])];
}

/**
 * @param {Surroundings} surroundings
 * @param {Document|ShadowRoot} root in which they are shown
 */
export function createPieces(surroundings, root) {
  /** @type {Map<string, Piece|null>} by the part's name; null: it is being loaded */
  const made = new Map();
  /** @type {Map<string, number>} by the part's name: milliseconds until it is tried again, if it fails */
  const waits = new Map();
  /** @type {Set<() => void>} */
  const listeners = new Set();
  /** @type {Map<string, Piece[]>} by the names of those that are loaded */
  const lists = new Map();
  /** @type {Set<string>} addresses of their style sheets */
  const allStyles = new Set();

  /** @param {string} name */
  async function load(name) {
    made.set(name, null);
    try {
      const { createPiece, styles = [] } = await loader(() => import(`../../../parts/${name}/page/piece.js`))();
      const [piece] = await Promise.all([createPiece(surroundings), addStyles(root, styles)]);
      for (const each of styles) allStyles.add(each);
      made.set(name, piece);
    } catch (error) {
      made.set(name, {}); // the page does without it for now
      const wait = waits.get(name) ?? RETRY_MS;
      waits.set(name, 2 * wait); // it may never be there: another daemon's part
      setTimeout(() => made.delete(name) && notifyAll(), wait);
      reportError(error);
    }
    notifyAll();
  }

  const notifyAll = () => listeners.forEach((listener) => listener());

  return {
    /**
     * Returns the pieces that the report names and that are loaded, the same array as long as it has the same; begins
     * to load the others.
     * @param {Health|null} health
     */
    of(health) {
      const names = health?.pieces ?? [];
      for (const name of names) if (!made.has(name)) void load(name);
      const loaded = names.filter((name) => made.get(name));
      const pieces = lists.get(loaded.join()) ?? loaded.flatMap((name) => made.get(name) ?? []);
      lists.set(loaded.join(), pieces);
      return pieces;
    },
    /** @param {Health|null} health whether pieces that it names are being loaded */
    areLoading: (health) => (health?.pieces ?? []).some((name) => made.get(name) === null),
    /**
     * @param {() => void} listener called whenever another one is loaded
     * @returns {() => void} stops listening
     */
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    /** @returns {string[]} the addresses of the style sheets of all that are loaded */
    styles: () => [...allStyles],
  };
}
