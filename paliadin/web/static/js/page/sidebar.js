/**
 * The place of the list: at the left of a wide window, where it can be hidden, else a drawer over the page.
 */
import { h } from "../browser/dom.js";
import { icon } from "../browser/icons.js";

const WIDE = "(min-width: 960px)";

/**
 * @param {object} options
 * @param {HTMLElement} options.list
 * @param {import("../texts/i18n.js").Translate} options.t
 * @param {import("../browser/settings.js").Settings} options.settings
 */
export function createSidebar({ list, t, settings }) {
  const wide = matchMedia(WIDE);
  const el = h("aside", { class: "sidebar" });
  const close = h(
    "button",
    { type: "button", class: "icon-button", "aria-label": t("list.hide"), title: t("list.hide"), onclick: hide },
    icon("cross"),
  );
  const head = h("div", { class: "list-drawer-head" }, h("strong", {}, t("list.title")), close);
  const drawer = h("dialog", { class: "list-drawer", "aria-label": t("list.title") }, head);
  const mark = h("span", { class: "unread-mark", hidden: true });
  const toggle = h(
    "button",
    { type: "button", class: "icon-button list-toggle", onclick: flip },
    icon("sidebar"),
    mark,
  );
  const listening = new AbortController();

  drawer.addEventListener("click", ({ target, clientX }) => {
    if (target === drawer && clientX > drawer.getBoundingClientRect().right) hide();
  });
  drawer.addEventListener("close", draw);
  wide.addEventListener("change", arrange, { signal: listening.signal });

  function arrange() {
    if (wide.matches) drawer.close();
    (wide.matches ? el : drawer).append(list);
    draw();
  }

  const isShown = () => (wide.matches ? settings.get("list") !== "hidden" : drawer.open);

  function draw() {
    el.hidden = !wide.matches || !isShown();
    const label = t(isShown() ? "list.hide" : "list.show");
    toggle.setAttribute("aria-expanded", String(isShown()));
    toggle.setAttribute("aria-label", label);
    toggle.title = label;
  }

  function show() {
    if (wide.matches) settings.set("list", "");
    else if (!drawer.open) drawer.showModal();
    draw();
  }

  function hide() {
    if (wide.matches) settings.set("list", "hidden");
    else drawer.close();
    draw();
  }

  function flip() {
    if (isShown()) hide();
    else show();
  }

  arrange();

  return {
    el,
    drawer,
    toggle,
    show,
    /** Closes the drawer: what was chosen in it is shown below. */
    leave: () => drawer.close(),
    /**
     * Marks the button: something has finished or asks that is not in sight.
     * @param {boolean} marked
     */
    mark: (marked) => (mark.hidden = !marked),
    remove() {
      listening.abort();
      drawer.remove();
      el.remove();
    },
  };
}
