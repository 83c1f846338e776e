/**
 * Holds the buttons of a card that allow something until the end of what it shows was in sight: a command may have its
 * point there; and until they stand still: a card may come or move below a pointer that is just pressed. They stay in
 * the keyboard's order and say why they wait.
 */
import { h } from "../../browser/dom.js";

let count = 0;

/**
 * @param {object} card
 * @param {HTMLElement} card.content what scrolls
 * @param {HTMLElement[]} card.buttons
 * @param {HTMLElement} card.next gets the hint's focus
 * @param {import("../common/context.js").Context["t"]} t
 */
export function holdUntilEndIsSeen({ content, buttons, next }, t) {
  const end = h("div", { class: "card-end" });
  const toEnd = h("button", { type: "button", class: "small" }, t("ask.to_end"));
  const text = h("span", { id: `more-${(count += 1)}` }, t("ask.more"));
  const hint = h("p", { class: "card-more", hidden: true }, text, toEnd);
  let seen = false;
  let place = "";
  let movedAt = 0;
  const looking = setInterval(stands, 50);

  toEnd.onclick = () => end.scrollIntoView({ block: "nearest" });
  content.after(end);
  for (const button of buttons) {
    button.ariaDisabled = "true";
    button.setAttribute("aria-describedby", `${text.id} ${button.getAttribute("aria-describedby") ?? ""}`);
  }
  const observer = new IntersectionObserver((entries) => {
    seen = entries.some((entry) => entry.isIntersecting);
    if (seen) {
      observer.disconnect();
      text.remove();
      if (hint.matches(":focus-within")) next.focus({ preventScroll: true });
    }
    hint.hidden = seen;
  });
  observer.observe(end);

  /** For half a second. */
  function stands() {
    const { x, y } = (buttons[0] ?? end).getBoundingClientRect();
    if (place !== (place = `${x} ${y}`)) movedAt = performance.now();
    const stand = performance.now() - movedAt > 500;
    for (const button of buttons) button.ariaDisabled = seen && stand ? null : "true";
    if (!end.isConnected) clearInterval(looking);
    return stand;
  }

  return { hint, isSeen: () => seen, stands, explain: () => toEnd.focus() };
}
