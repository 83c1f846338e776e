/** The formulas of an answer: drawn when the library is there, which the first of them asks for. */
import { MAX_TEX, drawFormula, isReady, loadMaths } from "../../markdown/maths.js";

const WAITING = ".formula:not(.formula-drawn, .formula-raw)";

/** @param {() => void} onReady the library is there, or is not waited for any more */
export function createFormulas(onReady) {
  let isAsked = false;
  return {
    areReady: isReady,
    /** @param {HTMLElement} block */
    areIn: (block) => block.querySelector(WAITING) !== null,
    /** @param {HTMLElement} block */
    draw(block) {
      const waiting = block.querySelectorAll(WAITING);
      if (waiting.length > 0 && !isAsked) {
        isAsked = true;
        loadMaths(onReady).catch(reportError); // they are read as TeX
      }
      let length = 0;
      for (const formula of waiting) {
        const tex = formula.textContent ?? "";
        length += tex.length;
        const math = length > MAX_TEX ? null : drawFormula(tex, formula.matches(".formula-block"));
        if (!math) {
          if (isReady()) formula.classList.add("formula-raw");
          continue;
        }
        formula.replaceChildren(math);
        formula.classList.add("formula-drawn");
      }
    },
  };
}
