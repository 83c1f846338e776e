/**
 * "On this page": shows the user, before they ask, what about the page is sent along with a question.
 * @typedef {import("../types.js").PageContext} PageContext
 * @typedef {(id: string) => Promise<{open_deadlines: number, coming_appointments: number}>} AskProject
 */
import { h } from "../browser/dom.js";
import { icon } from "../browser/icons.js";
import { clip, escapeInvisible, formatNumber } from "../texts/format.js";
import { plural } from "../texts/i18n.js";

/** Characters of a selection; the daemon cuts a longer one. */
const MAX_SELECTION = 1000;
const PREVIEW = 160;

/**
 * @param {import("../texts/i18n.js").Translate} t
 * @param {import("../texts/i18n.js").Lang} lang
 * @param {import("../browser/settings.js").Settings} settings
 * @param {AskProject|null} askProject null: there is no practice
 */
export function createPageContext(t, lang, settings, askProject) {
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

  /** @type {Map<string, string>} what is open in the projects that were asked for; "" while nothing is known */
  const open = new Map();

  /**
   * What is open in the project that the page is about, once the daemon has told it.
   * @returns {string} "" if the page is about something else, or there is no practice
   */
  function openInProject() {
    const id = context.primary_entity_type === "project" ? String(context.primary_entity_id ?? "") : "";
    if (askProject && id && !open.has(id)) {
      open.set(id, "");
      askProject(id).then(
        ({ open_deadlines, coming_appointments }) => {
          const counts = [
            plural(t, "here.deadlines", open_deadlines),
            plural(t, "here.appointments", coming_appointments),
          ];
          open.set(id, counts.join(", "));
          draw();
        },
        () => {}, // the project is not the reader's
      );
    }
    return open.get(id) ?? "";
  }

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
    /** @type {[import("../texts/i18n.js").Key, string|undefined][]} */
    const rows = [
      ["here.route_name", route_name],
      ["here.primary_entity_type", about],
      ["here.project", openInProject()],
      ["here.view_mode", view_mode],
      ["here.filter_summary", filter_summary],
      ["here.selection", box.checked ? quoted : ""],
    ];
    const sent = rows.filter(([, value]) => value);
    facts.replaceChildren(...sent.flatMap(([key, value]) => [h("dt", {}, t(key)), h("dd", {}, value)]));
    if (sent.length === 0) facts.append(h("dt", {}, t("here.nothing")));
    brief.textContent = [about || route_name, box.checked && selected && t("here.selection"), openInProject()]
      .filter(Boolean)
      .join(" · ");
    choice.hidden = !selected;
    el.hidden = sent.length === 0 && !selected;
  }

  return {
    el,
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
