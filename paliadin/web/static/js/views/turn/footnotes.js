/** The footnotes of an answer: each reference leads to its note, and the note's mark back to it. */
import { h } from "../../browser/dom.js";

/**
 * @param {HTMLElement} block
 * @param {import("../common/context.js").Context["t"]} t
 */
export function markReferences(block, t) {
  for (const reference of block.querySelectorAll(".footnote-reference")) {
    const label = t("footnote.open", { label: reference.textContent ?? "" });
    const link = h("button", { type: "button", class: "footnote-link", "aria-label": label, title: label });
    link.append(...reference.childNodes);
    reference.append(link);
  }
  for (const mark of block.querySelectorAll(".footnote-mark")) {
    const label = t("footnote.back", { label: mark.textContent ?? "" });
    const link = h("button", { type: "button", class: "footnote-link", "aria-label": label, title: label });
    link.append(...mark.childNodes);
    mark.append(link);
  }
}

/**
 * @param {HTMLElement} prose
 */
export function leadToNotes(prose) {
  prose.addEventListener("click", ({ target }) => {
    const link = target instanceof Element ? target.closest(".footnote-link") : null;
    const from = link?.closest("[data-note]");
    if (!(from instanceof HTMLElement)) return;
    const wanted = from.matches(".footnote") ? "footnote-reference" : "footnote";
    const there = [...prose.querySelectorAll(`.${wanted}`)].find(
      (each) => each instanceof HTMLElement && each.dataset.note === from.dataset.note,
    );
    there?.scrollIntoView({ block: "center" });
    const goal = there?.querySelector(".footnote-link");
    if (goal instanceof HTMLElement) goal.focus({ preventScroll: true });
  });
}

/**
 * Takes the buttons out of references that have no note.
 * @param {HTMLElement} prose of a complete text
 */
export function dropDeadReferences(prose) {
  const notes = new Set([...prose.querySelectorAll(".footnote")].map((note) => note.getAttribute("data-note")));
  for (const reference of prose.querySelectorAll(".footnote-reference"))
    if (!notes.has(reference.getAttribute("data-note"))) reference.replaceChildren(reference.textContent ?? "");
}
