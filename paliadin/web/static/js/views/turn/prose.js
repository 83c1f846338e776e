/**
 * One text of an answer, drawn block by block as it grows.
 * @typedef {import("../../vendor/marked.js").Token} Token
 * @typedef {import("./context.js").Context} Context
 * @typedef {{token: Token, el: HTMLElement}} Drawn
 */
import { createSplitter } from "../blocks.js";
import { h, place } from "../dom.js";
import { renderBlock } from "../markdown.js";
import { createCopy } from "./copy.js";

const CHUNK = 40;

/** @param {Pick<Context, "t">} context */
export function createProse({ t }) {
  const el = h("div", { class: "prose" });
  const split = createSplitter();
  /** @type {Drawn[]} */
  let drawn = [];
  let last = { text: "", complete: false };
  /** @type {HTMLElement[]} */
  const chunks = [];

  /** @param {Token} token */
  function draw(token) {
    const block = h("div", { class: "block" });
    block.append(renderBlock(token));
    block.querySelectorAll("pre").forEach((pre) => frameCode(pre, t));
    block.querySelectorAll("table").forEach((table) => frameTable(table, t));
    return { token, el: block };
  }

  return {
    el,
    /**
     * @param {string} text
     * @param {boolean} complete
     */
    update(text, complete) {
      if (text === last.text && complete === last.complete) return;
      last = { text, complete };
      drawn = split(text, complete).map((token, i) => {
        const known = drawn[i];
        if (known?.token.raw === token.raw) return known;
        return (known && growCode(known, token)) ?? draw(token);
      });
      fill(drawn.map((block) => block.el));
    },
  };

  /**
   * In chunks: with thousands of blocks side by side the browser looks at each of them for every line that comes.
   * @param {HTMLElement[]} blocks
   */
  function fill(blocks) {
    const first = blocks.findIndex((block, i) => chunks[Math.floor(i / CHUNK)]?.children[i % CHUNK] !== block);
    const count = Math.ceil(blocks.length / CHUNK);
    for (let at = first < 0 ? Math.max(count - 1, 0) : Math.floor(first / CHUNK); at < count; at += 1) {
      const chunk = (chunks[at] ??= h("div", { class: "chunk" }));
      place(chunk, blocks.slice(at * CHUNK, (at + 1) * CHUNK));
    }
    chunks.length = count;
    place(el, chunks);
  }
}

/**
 * Code that only became longer keeps its frame: it may be long, and it may be scrolled or selected.
 * @param {Drawn} known
 * @param {Token} token
 */
function growCode({ token: before, el }, token) {
  const longer = token.type === "code" && before.type === "code" && token.lang === before.lang && token.text.startsWith(before.text);
  const code = longer && el.querySelector(":scope > .code code");
  if (!code) return null;
  code.textContent = `${token.text}\n`;
  return { token, el };
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
    h("div", { class: "code-bar" }, h("span", {}, language), createCopy(() => pre.textContent ?? "", t("code.copy"), t)),
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
  // A date or an id is read in one piece; the frame scrolls.
  for (const cell of table.querySelectorAll("td")) cell.classList.toggle("token", /^\S{1,12}$/.test(cell.textContent.trim()));
}

