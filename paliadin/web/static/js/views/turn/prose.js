/**
 * Draws one text of an answer, block by block as it grows.
 * @typedef {import("../../../vendor/marked.js").Token} Token
 * @typedef {import("../common/context.js").Context} Context
 * @typedef {import("./code-block.js").CodeBlock} CodeBlock
 * @typedef {import("../../types.js").Chip} Chip
 * @typedef {object} Drawn
 * @property {Token} token
 * @property {number} [level] of a heading
 * @property {HTMLElement} el
 * @property {CodeBlock[]|null} codes null for a block that was changed in its place
 * @property {Chip[]} chips those that belong to it
 * @property {Chip[]} placed those of them that stand in its text
 * @property {boolean} [isSettled] no more text changes it
 * @typedef {ReturnType<typeof createProse>} Prose
 */
import { h, setChildren } from "../../browser/dom.js";
import { patch } from "../../browser/patch.js";
import { createBlockSplitter } from "../../markdown/block-splitter.js";
import { placesOfChips } from "../../markdown/chip-places.js";
import { headingLevels } from "../../markdown/heading-levels.js";
import { closeOpenEnd } from "../../markdown/open-end.js";
import { isDrawnAlike, renderBlock } from "../../markdown/render.js";
import { drawChip } from "./chips.js";
import { createCodeBlock } from "./code-block.js";
import { setDirection } from "./direction.js";
import { createFileLinks } from "./file-links.js";
import { createFormulas } from "./formulas.js";
import { dropDeadReferences, leadToNotes, markReferences } from "./footnotes.js";
import { insertChips } from "./inline-chips.js";

/** Blocks at the end that more text may still change. */
const OPEN_BLOCKS = 2;
/** Blocks per chunk. */
const CHUNK = 40;

/** @type {Chip[]} */
const NO_CHIPS = [];

/**
 * @param {Chip[]} some
 * @param {Chip[]} others
 */
const isSame = (some, others) => some.length === others.length && some.every((chip, i) => chip === others[i]);

/** @param {Pick<Context, "t"|"lang"|"files"|"openFile"|"embedded">} context */
export function createProse(context) {
  const { t } = context;
  const links = createFileLinks(context);
  const el = h("div", { class: "prose" });
  const split = createBlockSplitter();
  const formulas = createFormulas(fillUpToFormulas);
  leadToNotes(el);
  /** @type {Drawn[]} */
  let drawn = [];
  let last = { text: "", complete: false, growing: false };
  /** @type {Token[]} those of the last text, as it is */
  let whole = [];
  let chips = NO_CHIPS;
  /** @type {HTMLElement[]} */
  const chunks = [];
  /** @type {Set<Promise<void>>} */
  const colouring = new Set();

  /**
   * @param {Token} token
   * @param {number} [level] of a heading
   * @returns {Drawn}
   */
  function draw(token, level) {
    const block = h("div", { class: "block" });
    block.append(renderBlock(token, level));
    const codes = frameCodes(block, context);
    block.querySelectorAll("table").forEach((table) => frameTable(table, t));
    block.querySelectorAll(".callout").forEach((callout) => nameCallout(callout, t));
    markReferences(block, t);
    setDirection(block);
    formulas.draw(block);
    return { token, level, el: block, codes, chips: NO_CHIPS, placed: NO_CHIPS };
  }

  /**
   * @param {Drawn} block
   * @param {[Chip, import("../../markdown/claim-places.js").Place][]} [places]
   * @returns {Drawn}
   */
  function putChips(block, places = []) {
    const own = places.map(([chip]) => chip);
    if (isSame(own, block.chips)) return block;
    const placed = insertChips(block.el, block.token, places, (chip, said) => drawChip(chip, context, said));
    return { ...block, chips: own, placed };
  }

  /** @param {Drawn} block no more text changes it */
  function settle(block) {
    if (block.isSettled) return;
    block.isSettled = true;
    links?.add(block.el);
    for (const code of block.codes ?? frameCodes(block.el, context)) {
      const coloured = code
        .colour()
        .catch(reportError) // it is read without colours
        .finally(() => colouring.delete(coloured));
      colouring.add(coloured);
    }
  }

  /** Shows the blocks that are drawn, up to one whose formulas cannot be drawn yet: it would jump. */
  function fillUpToFormulas() {
    const waiting = formulas.areReady() ? -1 : drawn.findIndex((block) => formulas.areIn(block.el));
    const shown = waiting < 0 ? drawn : drawn.slice(0, waiting);
    if (waiting < 0) drawn.forEach((block) => formulas.draw(block.el));
    fill(shown.map((block) => block.el));
  }

  return {
    el,
    /**
     * @param {string} text
     * @param {boolean} complete
     * @param {boolean} [growing] it ends where Claude is writing, perhaps in the middle of a word
     */
    update(text, complete, growing = false) {
      if (text === last.text && complete === last.complete && growing === last.growing) return;
      last = { text, complete, growing };
      whole = split(text, complete);
      const blocks = growing ? closeOpenEnd(whole, text) : whole;
      const levels = headingLevels(blocks);
      const places = placesOfChips(chips, text, whole);
      drawn = blocks.map((token, i) => {
        const old = drawn[i];
        const isKept = old?.token.raw === token.raw && old.level === levels[i];
        if (isKept && (!complete || isDrawnAlike(old.token, token))) return putChips(old, places.get(i));
        return (old && growCode(old, token)) ?? redraw(old, putChips(draw(token, levels[i]), places.get(i)));
      });
      fillUpToFormulas();
      if (complete) dropDeadReferences(el);
      drawn.slice(0, complete ? undefined : -OPEN_BLOCKS).forEach(settle);
    },
    /**
     * Puts chips where the text speaks of them.
     * @param {Chip[]} wanted
     * @returns {Chip[]} those that stand in the text
     */
    putChips(wanted) {
      if (!isSame(wanted, chips)) {
        chips = wanted;
        const places = placesOfChips(chips, last.text, whole);
        drawn = drawn.map((block, i) => putChips(block, places.get(i)));
      }
      return drawn.flatMap(({ placed }) => placed);
    },
    /**
     * Lets the blocks of a complete text be marked: it is not drawn again. Files are linked and code is coloured first.
     * @param {(text: string, blocks: Drawn[]) => Promise<void>} mark
     */
    async mark(mark) {
      await Promise.all([links?.settled(), ...colouring]);
      await mark(last.text, drawn);
    },
  };

  /**
   * Puts the blocks into chunks: of thousands of siblings the browser would lay out each for every line that comes.
   * @param {HTMLElement[]} blocks
   */
  function fill(blocks) {
    const first = blocks.findIndex((block, i) => chunks[Math.floor(i / CHUNK)]?.children[i % CHUNK] !== block);
    const count = Math.ceil(blocks.length / CHUNK);
    for (let at = first < 0 ? Math.max(count - 1, 0) : Math.floor(first / CHUNK); at < count; at += 1) {
      const chunk = (chunks[at] ??= h("div", { class: "chunk" }));
      setChildren(chunk, blocks.slice(at * CHUNK, (at + 1) * CHUNK));
    }
    chunks.length = count;
    setChildren(el, chunks);
  }
}

/**
 * Extends a block of code that only became longer: the reader may have scrolled it or selected in it.
 * @param {Drawn} drawn
 * @param {Token} token
 */
function growCode(drawn, token) {
  const { token: before, codes } = drawn;
  const code = codes?.[0];
  const isLonger =
    token.type === "code" && before.type === "code" && token.lang === before.lang && token.text.startsWith(before.text);
  if (!isLonger || !code) return null;
  code.grow(`${token.text}\n`);
  return { ...drawn, token };
}

/**
 * Changes the block that is there where it is one of the same kind.
 * @param {Drawn|undefined} old
 * @param {Drawn} drawn
 * @returns {Drawn}
 */
function redraw(old, drawn) {
  if (old?.token.type !== drawn.token.type || old.level !== drawn.level) return drawn;
  patch(old.el, drawn.el);
  return { ...drawn, el: old.el, codes: null };
}

/**
 * Gives each block of code a frame; one that has its frame gets another.
 * @param {HTMLElement} block
 * @param {Pick<Context, "t"|"lang">} context
 */
function frameCodes(block, context) {
  block.querySelectorAll(".code").forEach((frame) => frame.replaceWith(...frame.querySelectorAll("pre")));
  return [...block.querySelectorAll("pre")].map((pre) => createCodeBlock(pre, context));
}

/**
 * @param {HTMLTableElement} table
 * @param {Context["t"]} t
 */
function frameTable(table, t) {
  const frame = h("div", { class: "table", tabindex: 0, role: "group", "aria-label": t("table.label") });
  table.replaceWith(frame);
  frame.append(table);
  // A date or an id is not broken into two lines; the frame scrolls instead.
  for (const cell of table.querySelectorAll("td"))
    cell.classList.toggle("token", /^\S{1,12}$/.test(cell.textContent.trim()));
}

/**
 * @param {Element} callout
 * @param {Context["t"]} t
 */
function nameCallout(callout, t) {
  const kind = /callout-(\w+)/.exec(callout.className)?.[1];
  callout.prepend(h("p", { class: "callout-title" }, t(/** @type {any} */ (`callout.${kind}`))));
}
