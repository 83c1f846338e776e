/**
 * The row under the text field: the model and the permission mode of the conversation's Claude, which can be chosen,
 * its folder, how much of its context is used, and what the conversation has cost. None where nothing is known.
 * The list of conversations brings it, a moment after the page. Until then its room is kept, as high as it was last in
 * this browser: else the input, and the text above it, would jump.
 * @typedef {import("../common/context.js").Context} Context
 * @typedef {import("../../types.js").ConversationItem} Item
 */
import { h } from "../../browser/dom.js";
import { openItem } from "../../state/conversations.js";
import { clipMiddle, clipPath, escapeInvisible, formatCost, formatNumber } from "../../texts/format.js";
import { modeName } from "../common/mode-name.js";

/** Characters of the folder that are shown; all of it is in its tooltip. */
const LONGEST_PATH = 28;
/** Characters of the model and of the mode that are shown. */
const LONGEST_CHOICE = 32;
/** The setting with its height in pixels; "0" where there was none. */
const HEIGHT = "figures.height";

/** @param {Context} context */
export function createFigures({ list, t, lang, embedded, member, actions, settings }) {
  const el = h("div", { class: "figures", role: "group", "aria-label": t("figures.label"), hidden: true });
  if (!list || !actions || embedded || member) return { el, destroy() {} };
  const { chooseModel, chooseMode } = actions;
  const model = h("button", { type: "button", class: "figure", onclick: () => chooseModel() });
  const mode = h("button", { type: "button", class: "figure", onclick: () => chooseMode() });
  const folder = h("span", { class: "figure figure-folder" });
  const used = h("span", { class: "figure", title: t("figures.context.why") });
  const cost = h("span", { class: "figure", title: t("figures.cost.why") });
  el.append(model, mode, folder, used, cost);
  const unlisten = list.listen(draw);
  draw();
  return { el, destroy: unlisten };

  function draw() {
    const item = openItem(list?.get() ?? { items: [], openArchived: null, made: null, current: "" });
    el.classList.toggle("figures-awaited", !item);
    if (!item) return keepRoom(settings.get(HEIGHT));
    el.style.minHeight = "";
    el.hidden = item.permission_mode === undefined;
    if (el.hidden) return settings.set(HEIGHT, "0");
    const { context_used: contextUsed, cost: price } = item;
    drawChoice(model, "figures.model", escapeInvisible(item.model_name || item.model || t("figures.default")));
    drawChoice(mode, "figures.mode", modeName(item.permission_mode ?? "default", t));
    mode.classList.toggle("figure-warns", item.permission_mode === "bypassPermissions");
    const path = escapeInvisible(item.folder ?? "");
    folder.title = t("figures.folder", { value: path });
    write(folder, clipPath(path, LONGEST_PATH));
    const isKnown = contextUsed !== null && contextUsed !== undefined;
    write(used, isKnown ? t("figures.context", { value: formatNumber(contextUsed, lang) }) : "");
    write(cost, price ? formatCost(price, lang) : "");
    const { height } = el.getBoundingClientRect();
    if (height) settings.set(HEIGHT, String(height)); // a low window shows none
  }

  /** @param {string} height */
  function keepRoom(height) {
    el.hidden = height === "0";
    el.style.minHeight = height && `${height}px`;
  }

  /**
   * @param {HTMLElement} button
   * @param {"figures.model"|"figures.mode"} key
   * @param {string} value
   */
  function drawChoice(button, key, value) {
    button.title = t(key, { value });
    button.setAttribute("aria-label", button.title);
    write(button, clipMiddle(value, LONGEST_CHOICE));
  }
}

/**
 * @param {HTMLElement} el
 * @param {string} text
 */
function write(el, text) {
  if (el.textContent !== text) el.textContent = text;
  el.hidden = text === "";
}
