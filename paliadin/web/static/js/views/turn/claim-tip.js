/**
 * A small box beside a claim that says where it comes from. It lies over the text and takes no place. A screen reader
 * is told the same by the claim itself and by the list below the answer, so the box is hidden from it.
 */
import { h } from "../../browser/dom.js";
import { listenToKeys } from "../../browser/keys.js";

/** Pixels between the claim and the box, and between the box and the edge. */
const GAP = 6;
const LINGER_MS = 200;

/**
 * @param {HTMLElement} frame in which the box is placed
 * @param {string} label of its button
 */
export function createClaimTip(frame, label) {
  const origin = h("p");
  const lines = h("div");
  const lead = h("button", { type: "button", class: "quiet small", tabindex: -1 }, label);
  const el = h("div", { class: "claim-tip", "aria-hidden": "true", hidden: true }, origin, lines, lead);
  let timer = 0;
  let onLead = () => {};
  let unlisten = () => {};
  /** @type {HTMLElement[]} */
  let marks = [];
  lead.addEventListener("click", () => {
    hide();
    onLead();
  });
  el.addEventListener("pointerenter", () => clearTimeout(timer));
  el.addEventListener("pointerleave", () => hideSoon());

  function hide() {
    clearTimeout(timer);
    el.hidden = true;
    marks.forEach((mark) => mark.classList.remove("claim-on"));
    marks = [];
    unlisten();
  }

  function hideSoon() {
    clearTimeout(timer);
    timer = window.setTimeout(hide, LINGER_MS);
  }

  /** Escape closes the box, and nothing else. @param {KeyboardEvent} event */
  function onKey(event) {
    if (event.key !== "Escape") return;
    event.preventDefault();
    event.stopPropagation();
    hide();
  }

  return {
    el,
    hide,
    hideSoon,
    /** @param {HTMLElement} mark */
    isAt: (mark) => !el.hidden && marks.includes(mark),
    /**
     * @param {HTMLElement} mark the part of the claim that is pointed at
     * @param {HTMLElement[]} parts all parts of the claim
     * @param {{origin: string, lines: string[], lead: (() => void)|null}} content
     */
    show(mark, parts, content) {
      hide();
      origin.textContent = content.origin;
      lines.replaceChildren(...content.lines.map((line) => h("p", { class: "claim-line", dir: "auto" }, line)));
      lead.hidden = !content.lead;
      onLead = content.lead ?? onLead;
      marks = parts;
      marks.forEach((part) => part.classList.add("claim-on"));
      el.hidden = false;
      place(mark);
      unlisten = listenToKeys(globalThis, onKey, { capture: true });
    },
  };

  /** @param {HTMLElement} mark */
  function place(mark) {
    const around = frame.getBoundingClientRect();
    const at = mark.getClientRects()[0] ?? mark.getBoundingClientRect();
    const top = frame.closest(".scroller")?.getBoundingClientRect().top ?? 0;
    const isAbove = at.top - el.offsetHeight - GAP > top;
    const left = Math.min(at.left - around.left, around.width - el.offsetWidth);
    el.style.left = `${Math.max(left, 0)}px`;
    el.style.top = `${isAbove ? at.top - around.top - el.offsetHeight - GAP : at.bottom - around.top + GAP}px`;
  }
}
