/**
 * A block of code: a head that stays in sight while the code scrolls, its colours, and its fold if it is long.
 * @typedef {import("../common/context.js").Context} Context
 * @typedef {ReturnType<typeof createCodeBlock>} CodeBlock
 */
import { h, isSelected } from "../../browser/dom.js";
import { colour, isColourable, loadLanguage } from "../../markdown/code-colours.js";
import { languageOf } from "../../markdown/language-names.js";
import { formatNumber } from "../../texts/format.js";
import { createCopyButton } from "../common/copy-button.js";

/** A longer block is folded. */
const MAX_LINES = 30;
/** A block that grows is coloured again when it is so much longer: all of it costs five times its last colouring. */
const GROWTH = 1.25;
/** The same is not done for one that is so long, in characters. */
const MAX_LIVE = 6_000;

/** One block is coloured at a time, and the page goes on between two. */
let queue = Promise.resolve();

/**
 * @param {HTMLPreElement} pre is put into the frame
 * @param {Pick<Context, "t"|"lang">} context
 */
export function createCodeBlock(pre, { t, lang }) {
  const code = /** @type {HTMLElement} */ (pre.querySelector("code") ?? pre);
  const name = /language-([\w+#.-]+)/.exec(code.className)?.[1] ?? "";
  const language = languageOf(name);
  const count = h("span", { class: "code-lines" });
  const fold = h("button", { type: "button", class: "quiet small code-fold", hidden: true, onclick: toggle });
  const copy = createCopyButton(() => code.textContent ?? "", t("code.copy"), t);
  const more = h("div", { class: "code-rest", "aria-hidden": "true", hidden: true, onclick: toggle });
  const el = h("div", { class: "code", dir: "ltr" });
  pre.replaceWith(el);
  pre.tabIndex = 0;
  pre.setAttribute("role", "group");
  pre.setAttribute("aria-label", name || t("code.label"));
  el.append(h("div", { class: "code-bar" }, h("span", { class: "code-name" }, name), count, fold, copy), pre, more);
  let text = code.textContent ?? "";
  let coloured = 0;
  let isColouring = false;
  let isFolded = true;
  measure();

  function toggle() {
    isFolded = !isFolded;
    measure();
    if (isFolded) el.scrollIntoView({ block: "nearest" });
  }

  function measure() {
    const lines = text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
    const isLong = lines > MAX_LINES;
    el.classList.toggle("code-folded", isLong && isFolded);
    fold.hidden = !isLong;
    more.hidden = !isLong || !isFolded;
    fold.textContent = isLong ? t(isFolded ? "code.unfold" : "code.fold") : "";
    fold.setAttribute("aria-expanded", String(!isFolded));
    count.textContent = isLong ? t("code.lines", { count: formatNumber(lines, lang) }) : "";
  }

  /** The newline at the end is left out: what is added to the last line stands before it. */
  function paint() {
    const length = text.length - (text.endsWith("\n") ? 1 : 0);
    if (!language || length === coloured || !isColourable(text, language) || isSelected(code)) return;
    code.replaceChildren(colour(text.slice(0, length), language), text.slice(length));
    coloured = length;
  }

  return {
    el,
    /** @param {string} longer begins with what is there */
    grow(longer) {
      const tail = code.lastChild;
      if (tail instanceof Text) tail.data = longer.slice(coloured);
      else code.append(longer.slice(coloured));
      text = longer;
      measure();
      const isDue = text.length < MAX_LIVE && text.length > coloured * GROWTH && !isColouring;
      if (isDue) this.colour().catch(reportError);
    },
    /** Colours what is there, as soon as the page has time for it. */
    async colour() {
      if (!language || !isColourable(text, language)) return;
      isColouring = true;
      queue = queue.then(() => new Promise((resolve) => setTimeout(resolve)));
      await Promise.all([loadLanguage(language), queue]).finally(() => (isColouring = false));
      paint();
    },
  };
}
