/** A person's own key for the Messages API: entered, replaced and removed, and never shown. */
import { h } from "../../../js/browser/dom.js";
import { formatTime } from "../../../js/texts/format.js";

/**
 * @param {import("./piece.js").Surroundings} surroundings
 * @param {import("../../../js/views/common/pieces.js").AccessDialog} dialog
 * @returns {HTMLElement[]} nothing where questions do not go to that API
 */
export function drawOwnKey({ t, lang, api }, { health, attemptIn, refreshHealth }) {
  const host = health.consent?.host;
  if (!host) return [];
  const state = h("p", { class: "own-key-state", role: "status" }, t("list.loading"));
  const attempt = attemptIn(state);
  const input = h("input", {
    type: "password",
    autocomplete: "off",
    spellcheck: false,
    required: true,
    minLength: 8,
    maxLength: 400,
  });
  const save = h("button", { type: "submit" }, t("own_key.save"));
  const remove = h("button", { type: "button", hidden: true, onclick: () => act(removeKey) }, t("own_key.remove"));
  const form = h(
    "form",
    {
      class: "own-key",
      onsubmit: (/** @type {Event} */ event) => {
        event.preventDefault();
        act(saveKey);
      },
    },
    h("label", {}, h("span", {}, t("own_key.field")), input),
    h("div", { class: "card-buttons" }, save, remove),
  );
  attempt(async () => show(await api.read("own-key")));
  return [h("section", {}, h("h3", {}, t("own_key.title", { host })), state, form)];

  /** @param {{saved_at: string|null}} known */
  function show({ saved_at: savedAt }) {
    remove.hidden = !savedAt;
    save.textContent = t(savedAt ? "own_key.replace" : "own_key.save");
    state.textContent = savedAt
      ? t("own_key.saved", { since: formatTime(Date.parse(savedAt), lang) })
      : t("own_key.none");
  }

  /** @param {() => Promise<void>} change */
  async function act(change) {
    save.disabled = remove.disabled = true;
    await attempt(() => change().finally(refreshHealth));
    save.disabled = remove.disabled = false;
  }

  async function saveKey() {
    const known = await api.post("own-key", { key: input.value });
    input.value = "";
    show(known);
  }

  async function removeKey() {
    show(await api.remove("own-key"));
    state.textContent = `${t("own_key.removed")} ${t("own_key.none")}`;
    input.focus(); // the button that had the focus is gone
  }
}
