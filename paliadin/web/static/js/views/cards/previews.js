/**
 * Shows what an option would look like beside it, as Claude Code does: that of the option under the pointer, with the
 * focus, or chosen. In a narrow card it stands below its option.
 * @typedef {import("../../types.js").Option} Option
 */
import { h } from "../../browser/dom.js";
import { drawPreview } from "../common/claude-text.js";

/**
 * @param {import("../common/context.js").Context} context
 * @param {Option[]} options
 * @param {HTMLElement[]} rows one for each
 * @param {HTMLInputElement[]} boxes one for each
 * @returns {HTMLElement} the rows, with the previews if there are any
 */
export function drawPreviews(context, options, rows, boxes) {
  const previews = options.map((option) => (option.preview?.trim() ? drawPreview(context, option) : null));
  if (!previews.some(Boolean)) return h("div", { class: "choices" }, ...rows);
  const el = h(
    "div",
    { class: "choices with-previews" },
    ...rows.flatMap((row, i) => [row, ...(previews[i] ? [previews[i]] : [])]),
  );
  el.style.gridTemplateRows = `repeat(${rows.length}, auto) 1fr`;
  previews.forEach((preview, i) => {
    if (preview) {
      preview.style.setProperty("--rows", `${rows.length + 1}`);
      boxes[i]?.setAttribute("aria-details", preview.id);
    }
  });

  /** @param {number} index */
  function show(index) {
    previews.forEach((preview, i) => preview && (preview.hidden = i !== index));
    rows.forEach((row, i) => row.classList.toggle("previewed", i === index && Boolean(previews[i])));
  }
  /** The one that has the focus, the first that is chosen, or the first. */
  function showUsual() {
    const focused = boxes.findIndex((box) => box.matches(":focus"));
    const chosen = boxes.findIndex((box) => box.checked);
    show(focused >= 0 ? focused : chosen >= 0 ? chosen : Math.max(previews.findIndex(Boolean), 0));
  }
  rows.forEach((row, i) => {
    row.addEventListener("pointerenter", ({ pointerType }) => pointerType === "mouse" && show(i));
    row.addEventListener("focusin", () => show(i));
    row.addEventListener("change", () => show(i));
  });
  el.addEventListener("pointerleave", ({ pointerType }) => pointerType === "mouse" && showUsual());
  showUsual();
  return el;
}
