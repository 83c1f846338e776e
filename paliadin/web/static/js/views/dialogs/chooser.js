/** A dialog in which the model or the permission mode of the conversation's Claude is chosen. */
import { h } from "../../browser/dom.js";
import { listenToKeys } from "../../browser/keys.js";
import { openItem } from "../../state/conversations.js";
import { escapeInvisible } from "../../texts/format.js";
import { modeName } from "../common/mode-name.js";
import { attemptIn, openDialog } from "./dialog.js";

/**
 * @typedef {{value: string, name: string, description: string, warns?: boolean}} Choice
 * @param {import("../common/context.js").BaseContext} context
 * @param {Element} parent
 * @param {"model"|"permission_mode"} what
 * @param {string} [wanted] the value or the name of one, which is taken at once if there is such a one
 */
export async function openChooser(context, parent, what, wanted = "") {
  const { t, list, askOffers, choose } = context;
  if (!list || !askOffers || !choose) return;
  const state = h("p", { class: "chooser-state", role: "status" }, t("figures.loading"));
  const choices = h("div", { class: "chooser-list" });
  listenToKeys(choices, moveByArrow);
  const dialog = openDialog(parent, {
    title: t(`figures.choose.${what}`),
    close: t("banner.close"),
    body: [state, choices],
    className: "chooser",
  });
  for (const type of ["mousedown", "click"]) dialog.addEventListener(type, ignoreSecond, true);
  const attempt = attemptIn(context, state);
  await attempt(async () => {
    const offers = await askOffers();
    const item = openItem(list.get());
    const current = (what === "model" ? item?.chosen_model || "default" : item?.permission_mode) ?? "";
    const all = what === "model" ? offers.models.map(asChoice) : offers.modes.map((mode) => asMode(mode, t));
    state.textContent = t("figures.how");
    const rows = all.map((choice) => draw(choice, choice.value === current));
    choices.append(...rows);
    (rows.find((row) => row.ariaCurrent) ?? rows[0])?.focus();
    const isWanted = (/** @type {string} */ text) => text.toLowerCase() === wanted.toLowerCase();
    const asked = all.findIndex(({ value, name }) => isWanted(value) || isWanted(name));
    if (asked >= 0) rows[asked]?.click();
    else if (wanted) state.textContent = t("figures.unknown", { value: wanted });
  });

  /**
   * Asks once more before what gives up every question; the focus is on the way back.
   * @param {Choice} choice
   */
  function confirm({ value, name, description }) {
    const rows = [...choices.querySelectorAll("button")];
    const explained = state.textContent;
    const back = h(
      "button",
      { type: "button", class: "choice-row", onclick: goBack },
      h("strong", {}, t("figures.back")),
    );
    const yes = h(
      "button",
      { type: "button", class: "choice-row choice-warns", onclick: () => take(value) },
      h("strong", {}, name),
    );
    choices.replaceChildren(back, yes);
    state.textContent = description;
    back.focus();

    function goBack() {
      choices.replaceChildren(...rows);
      state.textContent = explained;
      (rows.find((row) => row.ariaCurrent) ?? rows[0])?.focus();
    }
  }

  /**
   * @param {Choice} choice
   * @param {boolean} current
   */
  function draw(choice, current) {
    const { value, name, description, warns } = choice;
    const head = h(
      "strong",
      {},
      name,
      current && " ",
      current && h("span", { class: "chooser-current" }, t("figures.current")),
    );
    return h(
      "button",
      {
        type: "button",
        class: warns ? "choice-row choice-warns" : "choice-row",
        "aria-current": current && "true",
        onclick: () => (warns && !current ? confirm(choice) : take(value)),
      },
      head,
      h("span", {}, description),
    );
  }

  /**
   * Takes one, and no other meanwhile. The rows keep the focus: an inert one would lose it to the page below.
   * @param {string} value
   */
  function take(value) {
    if (choices.ariaBusy) return;
    state.textContent = t("figures.coming");
    choices.ariaBusy = "true";
    attempt(async () => {
      await choose?.({ [what]: value });
      dialog.close();
    }).finally(() => (choices.ariaBusy = null));
  }
}

/** The second click of a double one was meant for what stood there before. @param {Event} event */
function ignoreSecond(event) {
  if (!(event instanceof UIEvent) || event.detail < 2) return;
  event.preventDefault();
  event.stopPropagation();
}

/** @param {KeyboardEvent} event in a list of buttons */
function moveByArrow(event) {
  const { key, currentTarget: list } = event;
  if (!(list instanceof Element) || (key !== "ArrowDown" && key !== "ArrowUp")) return;
  event.preventDefault();
  const rows = [...list.querySelectorAll("button")];
  const at = rows.findIndex((row) => row.matches(":focus")) + (key === "ArrowDown" ? 1 : -1);
  rows.at(at % rows.length)?.focus();
}

/** @param {import("../../types.js").OfferedModel} model @returns {Choice} */
const asChoice = ({ id, name, description }) => ({
  value: id,
  name: escapeInvisible(name || id),
  description: escapeInvisible(description),
});

/**
 * @param {string} mode
 * @param {import("../common/context.js").Context["t"]} t
 * @returns {Choice}
 */
const asMode = (mode, t) => ({
  value: mode,
  name: modeName(mode, t),
  description: t(/** @type {"figures.why.default"} */ (`figures.why.${mode}`)),
  warns: mode === "bypassPermissions",
});
