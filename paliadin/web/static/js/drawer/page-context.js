/**
 * "On this page": what of the page goes along with a question, to be seen before it is sent.
 * @typedef {import("../types.js").PageContext} PageContext
 */
import { h } from "../dom.js";
import { clip, formatNumber, visible } from "../format.js";
import { icon } from "../icons.js";

/** The daemon cuts a longer selection there. */
const LONGEST = 1000;
const PREVIEW = 160;

/**
 * @param {import("../i18n.js").Translate} t
 * @param {import("../i18n.js").Lang} lang
 * @param {import("../settings.js").Settings} settings
 */
export function createHere(t, lang, settings) {
  const brief = h("span", { class: "here-brief" });
  const facts = h("dl");
  const box = h("input", { type: "checkbox", checked: settings.get("selection") !== "off", onchange: choose });
  const choice = h("label", { class: "here-choice" }, box, t("here.send"));
  const el = h("details", { class: "here" }, h("summary", {}, icon("chevron"), h("span", {}, t("here.title")), brief), facts, choice);
  /** @type {PageContext} */
  let known = {};
  let selected = "";

  function choose() {
    settings.set("selection", box.checked ? "" : "off");
    draw();
  }

  function draw() {
    const { route_name, primary_entity_type, primary_entity_id, view_mode, filter_summary } = known;
    const about = [primary_entity_type, primary_entity_id].filter(Boolean).join(" ");
    const cut = selected.length > LONGEST ? ` ${t("here.cut", { count: formatNumber(LONGEST, lang) })}` : "";
    const quoted = selected && `“${clip(visible(selected), PREVIEW)}”${cut}`;
    /** @type {[import("../i18n.js").Key, string|undefined][]} */
    const rows = [
      ["here.route_name", route_name],
      ["here.primary_entity_type", about],
      ["here.view_mode", view_mode],
      ["here.filter_summary", filter_summary],
      ["here.selection", box.checked ? quoted : ""],
    ];
    const told = rows.filter(([, value]) => value);
    facts.replaceChildren(...told.flatMap(([key, value]) => [h("dt", {}, t(key)), h("dd", {}, value)]));
    if (told.length === 0) facts.append(h("dt", {}, t("here.nothing")));
    brief.textContent = [about || route_name, box.checked && selected && t("here.selection")].filter(Boolean).join(" · ");
    choice.hidden = !selected;
    el.hidden = told.length === 0 && !selected;
  }

  return {
    el,
    /**
     * @param {PageContext} context
     * @param {string} selection
     */
    show(context, selection) {
      known = context;
      selected = selection.trim();
      draw();
    },
    /** @returns {PageContext} what goes along with a question that is sent now */
    told: () => ({ ...known, page_origin: location.origin, ...(selected && box.checked && { user_selection_text: selected }) }),
  };
}
