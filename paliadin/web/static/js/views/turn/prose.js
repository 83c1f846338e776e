/**
 * Draws one text of an answer, block by block as it grows.
 * @typedef {import("../../../vendor/marked.js").Token} Token
 * @typedef {import("../common/context.js").Context} Context
 * @typedef {{token: Token, level?: number, el: HTMLElement, isLinked?: boolean}} Drawn
 * @typedef {ReturnType<typeof createProse>} Prose
 */
import { h, setChildren } from "../../browser/dom.js";
import { patch } from "../../browser/patch.js";
import { createBlockSplitter } from "../../markdown/block-splitter.js";
import { headingLevels } from "../../markdown/heading-levels.js";
import { closeOpenEnd } from "../../markdown/open-end.js";
import { renderBlock } from "../../markdown/render.js";
import { createCopyButton } from "../common/copy-button.js";
import { createFileLinks } from "./file-links.js";

/** Blocks at the end that more text may still change. */
const OPEN_BLOCKS = 2;
/** Blocks per chunk. */
const CHUNK = 40;

/** @param {Pick<Context, "t"|"files"|"openFile">} context */
export function createProse(context) {
  const { t } = context;
  const links = createFileLinks(context);
  const el = h("div", { class: "prose" });
  const split = createBlockSplitter();
  /** @type {Drawn[]} */
  let drawn = [];
  let last = { text: "", complete: false, growing: false };
  /** @type {HTMLElement[]} */
  const chunks = [];

  /**
   * @param {Token} token
   * @param {number} [level] of a heading
   */
  function draw(token, level) {
    const block = h("div", { class: "block" });
    block.append(renderBlock(token, level));
    block.querySelectorAll("pre").forEach((pre) => frameCode(pre, t));
    block.querySelectorAll("table").forEach((table) => frameTable(table, t));
    return { token, level, el: block };
  }

  /** @param {Drawn} block is complete */
  function link(block) {
    if (!block.isLinked) links?.add(block.el);
    block.isLinked = true;
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
      const whole = split(text, complete);
      const blocks = growing ? closeOpenEnd(whole, text) : whole;
      const levels = headingLevels(blocks);
      drawn = blocks.map((token, i) => {
        const old = drawn[i];
        if (old?.token.raw === token.raw && old.level === levels[i]) return old;
        return (old && growCode(old, token)) ?? redraw(old, draw(token, levels[i]));
      });
      fill(drawn.map((block) => block.el));
      drawn.slice(0, complete ? undefined : -OPEN_BLOCKS).forEach(link);
    },
    /**
     * Lets the blocks of a complete text be marked: it is not drawn again. Files are linked first, as their names are
     * looked for in texts that are whole.
     * @param {(text: string, blocks: Drawn[]) => Promise<void>} mark
     */
    async mark(mark) {
      await links?.settled();
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
function growCode({ token: before, el }, token) {
  const longer =
    token.type === "code" && before.type === "code" && token.lang === before.lang && token.text.startsWith(before.text);
  const code = longer && el.querySelector(":scope > .code code");
  if (!code) return null;
  code.textContent = `${token.text}\n`;
  return { token, el };
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
  return { ...drawn, el: old.el };
}

/**
 * @param {HTMLPreElement} pre
 * @param {Context["t"]} t
 */
function frameCode(pre, t) {
  const language = /language-([\w+#.-]+)/.exec(pre.querySelector("code")?.className ?? "")?.[1] ?? "";
  const frame = h("div", { class: "code" });
  pre.replaceWith(frame);
  pre.tabIndex = 0;
  pre.setAttribute("role", "group");
  pre.setAttribute("aria-label", language || t("code.label"));
  frame.append(
    h(
      "div",
      { class: "code-bar" },
      h("span", {}, language),
      createCopyButton(() => pre.textContent ?? "", t("code.copy"), t),
    ),
    pre,
  );
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
