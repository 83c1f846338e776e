/** Says what was just removed or put away, and offers to undo it; or why something in the list failed. */
import { codeSpans, h } from "../../browser/dom.js";
import { icon } from "../../browser/icons.js";
import { explainFailure } from "../../texts/i18n.js";

/**
 * @param {import("./context.js").ListContext} context
 * @param {() => void} undo
 */
export function createToast({ list, t, lang }, undo) {
  const text = h("p", { role: "status" });
  const button = h("button", { type: "button", class: "small toast-undo", onclick: undo }, t("toast.undo"));
  const close = h(
    "button",
    { type: "button", class: "icon-button", "aria-label": t("banner.close"), title: t("banner.close") },
    icon("cross"),
  );
  const box = h("div", { class: "toast", hidden: true }, text, button, close);
  close.addEventListener("click", list.dismiss);
  /** @type {import("../../types.js").Toast|null} */
  let shown = null;
  // It stays while it is being used.
  const isUsed = () => box.matches(":hover, :focus-within");
  for (const event of ["pointerenter", "pointerleave", "focusin", "focusout"])
    box.addEventListener(event, () => queueMicrotask(() => shown && list.holdToast(isUsed())));

  return {
    el: box,
    /** @param {import("../../types.js").Toast|null} toast */
    update(toast) {
      if (toast === shown) return;
      shown = toast;
      box.hidden = !toast;
      if (!toast) return text.replaceChildren();
      const { kind } = toast;
      button.hidden = kind === "failed";
      box.classList.toggle("toast-bad", kind === "failed");
      text.replaceChildren(...(kind === "failed" ? explain(toast) : [t(`toast.${kind}`)]));
    },
  };

  /** @param {import("../../types.js").Toast} toast */
  function explain({ failure, waits }) {
    if (!failure) return [];
    if (failure.code === "turn_in_flight") return [t(waits ? "toast.waiting" : "toast.busy")];
    const { title, hint } = explainFailure(t, lang, failure);
    return codeSpans(`${title} ${hint}`);
  }
}
