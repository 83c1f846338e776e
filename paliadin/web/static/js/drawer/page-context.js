/**
 * "On this page": shows the user, before they ask, what about the page is sent along with a question.
 * @typedef {import("../types.js").PageContext} PageContext
 */
import { h } from "../browser/dom.js";
import { icon } from "../browser/icons.js";
import { clip, escapeInvisible, formatNumber } from "../texts/format.js";

/** Characters of a selection; the daemon cuts a longer one. */
const MAX_SELECTION = 1000;
const PREVIEW = 160;

/**
 * @param {import("../texts/i18n.js").Translate} t
 * @param {import("../texts/i18n.js").Lang} lang
 * @param {import("../browser/settings.js").Settings} settings
 * @param {() => import("../views/common/pieces.js").Piece[]} pieces that parts bring
 */
export function createPageContext(t, lang, settings, pieces) {
  const brief = h("span", { class: "here-brief" });
  const facts = h("dl");
  const box = h("input", { type: "checkbox", checked: settings.get("selection") !== "off", onchange: choose });
  const choice = h("label", { class: "here-choice" }, box, t("here.send"));
  const el = h(
    "details",
    { class: "here" },
    h("summary", {}, icon("chevron"), h("span", {}, t("here.title")), brief),
    facts,
    choice,
  );
  /** @type {PageContext} */
  let context = {};
  let selected = "";

  function choose() {
    settings.set("selection", box.checked ? "" : "off");
    draw();
  }

  function draw() {
    const { route_name, primary_entity_type, primary_entity_id, view_mode, filter_summary } = context;
    const about = [primary_entity_type, primary_entity_id].filter(Boolean).join(" ");
    const cut =
      selected.length > MAX_SELECTION ? ` ${t("here.cut", { count: formatNumber(MAX_SELECTION, lang) })}` : "";
    const quoted = selected && `“${clip(escapeInvisible(selected), PREVIEW)}”${cut}`;
    const more = pieces().flatMap((piece) => {
      const described = piece.describe?.(context, draw);
      return described ? [described] : [];
    });
    /** @type {[label: string, value: string|undefined][]} */
    const rows = [
      [t("here.route_name"), route_name],
      [t("here.primary_entity_type"), about],
      ...more,
      [t("here.view_mode"), view_mode],
      [t("here.filter_summary"), filter_summary],
      [t("here.selection"), box.checked ? quoted : ""],
    ];
    const sent = rows.filter(([, value]) => value);
    facts.replaceChildren(...sent.flatMap(([label, value]) => [h("dt", {}, label), h("dd", {}, value)]));
    if (sent.length === 0) facts.append(h("dt", {}, t("here.nothing")));
    const selection = box.checked && selected && t("here.selection");
    brief.textContent = [about || route_name, selection, ...more.map(([, words]) => words)].filter(Boolean).join(" · ");
    choice.hidden = !selected;
    el.hidden = sent.length === 0 && !selected;
  }

  return {
    el,
    /** To be called when there are more pieces. */
    draw,
    /**
     * @param {PageContext} pageContext
     * @param {string} selection
     */
    show(pageContext, selection) {
      context = pageContext;
      selected = selection.trim();
      draw();
    },
    /** @returns {PageContext} what is sent with a question now */
    current: () => ({
      ...context,
      page_origin: location.origin,
      ...(selected && box.checked && { user_selection_text: selected }),
    }),
  };
}
