/**
 * Holds the buttons of a card that allow something until the end of what it shows was in sight: a command may have its
 * point at its end. What fits is in sight at once. The buttons stay in the keyboard's order and say why they wait.
 */
import { h } from "../../browser/dom.js";

let count = 0;

/**
 * @param {object} card
 * @param {HTMLElement} card.content what scrolls
 * @param {HTMLElement[]} card.buttons
 * @param {HTMLElement} card.next gets the focus when the button of the hint goes
 * @param {import("../common/context.js").Context["t"]} t
 */
export function holdUntilEndIsSeen({ content, buttons, next }, t) {
  const end = h("div", { class: "card-end" });
  const toEnd = h("button", { type: "button", class: "small", onclick: showEnd }, t("ask.to_end"));
  const text = h("span", { id: `more-${(count += 1)}` }, t("ask.more"));
  const hint = h("p", { class: "card-more", hidden: true }, text, toEnd);
  const descriptions = buttons.map((button) => button.getAttribute("aria-describedby") ?? "");
  let seen = false;

  content.after(end);
  buttons.forEach((button, i) => {
    button.setAttribute("aria-disabled", "true");
    button.setAttribute("aria-describedby", `${text.id} ${descriptions[i]}`.trim());
  });
  const observer = new IntersectionObserver((entries) => {
    if (entries.some((entry) => entry.isIntersecting)) release();
    else hint.hidden = false;
  });
  observer.observe(end);

  function showEnd() {
    end.scrollIntoView({ block: "nearest" });
  }

  function release() {
    seen = true;
    observer.disconnect();
    if (hint.matches(":focus-within")) next.focus({ preventScroll: true });
    hint.hidden = true;
    buttons.forEach((button, i) => {
      button.removeAttribute("aria-disabled");
      if (descriptions[i]) button.setAttribute("aria-describedby", descriptions[i]);
      else button.removeAttribute("aria-describedby");
    });
  }

  return { hint, isSeen: () => seen, explain: () => toEnd.focus() };
}
