/**
 * Says what of a card's questions is still below what is in sight, and leads there. Once it was shown it keeps its
 * place, so that no choice moves while somebody scrolls and taps.
 */
import { h } from "../../browser/dom.js";
import { plural } from "../../texts/i18n.js";

/**
 * @param {HTMLElement[]} fields the questions, each with its text first
 * @param {(index: number) => void} show brings a question into sight
 * @param {import("../common/context.js").Context["t"]} t
 */
export function createMoreBelow(fields, show, t) {
  const starts = fields.map((field) => field.firstElementChild ?? field);
  const end = h("div", { class: "card-end" });
  const text = h("span");
  const go = h("button", { type: "button", class: "small", onclick: goOn });
  const el = h("p", { class: "card-more", hidden: true }, text, go);
  /** @type {Set<Element>} */
  const visible = new Set();
  let next = -1;

  fields.at(-1)?.after(end);
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      if (isIntersecting) visible.add(target);
      else visible.delete(target);
    }
    draw();
  });
  for (const part of [...fields, ...starts, end]) observer.observe(part);

  function draw() {
    const first = fields.findIndex((field) => visible.has(field));
    const isBelow = (/** @type {Element} */ start, /** @type {number} */ i) => i > first && !visible.has(start);
    next = first < 0 ? -1 : starts.findIndex(isBelow);
    const questions = next < 0 ? 0 : starts.filter(isBelow).length;
    const isAll = first < 0 || (questions === 0 && visible.has(end));
    if (isAll && el.matches(":focus-within")) focusEnd();
    if (!isAll) el.hidden = false;
    el.classList.toggle("nothing-below", isAll);
    text.textContent =
      questions > 0 ? plural(t, "ask.questions_below", questions) : t(isAll ? "ask.nothing_below" : "ask.below_sight");
    go.textContent = t(questions > 0 ? "ask.next_question" : "ask.to_end");
  }

  function goOn() {
    if (next >= 0) show(next);
    else {
      end.scrollIntoView({ block: "nearest" });
      focusEnd();
    }
  }

  function focusEnd() {
    const boxes = [...(fields.at(-1)?.querySelectorAll("input") ?? [])].filter(({ type }) => type !== "text");
    boxes.at(-1)?.focus({ preventScroll: true });
  }

  return el;
}
