/**
 * What a turn has suggested to enter in the practice, a card for each: a person approves or rejects it here. The cards
 * are made of what the daemon says of the turn, never of the answer's words.
 * @typedef {import("../../../js/types.js").Turn} Turn
 * @typedef {import("./piece.js").Surroundings} Surroundings
 *
 * @typedef {object} Suggestion what a turn suggested to enter in the practice; what it has not is missing
 * @property {string} id
 * @property {"deadline"|"appointment"|"note"} kind
 * @property {"pending"|"approved"|"rejected"} state
 * @property {string} [title]
 * @property {string} [text] of a note
 * @property {string} [due_date]
 * @property {string} [starts_at] at the practice's place
 * @property {string} [ends_at]
 * @property {string} [place]
 * @property {string} [rule] that led to the day
 * @property {string} thing_id
 * @property {{id: string, label: string, reference: string, status: string}} project
 * @property {string|null} href of the thing, in the application
 * @property {number} same how many others of the project have that title and day
 * @property {boolean} may_approve the reader
 * @property {boolean} may_reject
 * @property {boolean} [elsewhere] nobody decides in this drawer
 * @property {{id: string, name: string}} [decided_by]
 * @property {string} [decided_at]
 * @property {string} [reason]
 */
import { h, keyedList } from "../../../js/browser/dom.js";
import { icon } from "../../../js/browser/icons.js";
import { ApiError } from "../../../js/daemon/api.js";
import { safeHref } from "../../../js/markdown/safe-links.js";
import { clip, escapeInvisible, formatTime } from "../../../js/texts/format.js";
import { explainFailure, plural } from "../../../js/texts/i18n.js";
import { dayOf, isDayOff, whenOf } from "./times.js";

/** The tools that suggest, whose server is the practice's. */
const SUGGESTS = /^mcp__paliad__suggest_/;

const SETTLED_MS = 600;

/** @param {Turn} turn the number of its calls that may have suggested something */
export const countSuggesting = ({ parts }) =>
  parts.filter(
    (part) => part.kind === "tool" && SUGGESTS.test(part.name) && (part.state === "ok" || part.state === "unknown"),
  ).length;

/**
 * @param {AbortSignal} signal
 * @param {Surroundings} surroundings
 */
export function createSuggestions(signal, surroundings) {
  const { t, lang, api } = surroundings;
  const list = h("ul", { class: "suggestions", "aria-label": t("suggestion.list") });
  const problem = h("p", { class: "outcome-note", role: "status" });
  const arrived = h("p", { class: "hidden", role: "status" });
  const el = h("div", {}, list, problem, arrived);
  const draw = keyedList(
    list,
    (/** @type {Suggestion} */ { id }) => id,
    () => createCard(surroundings, refresh),
  );
  let turnId = "";
  let isOpen = false;
  /** @type {Suggestion[]} */
  let shown = [];

  async function refresh() {
    try {
      ({ suggestions: shown } = await api.read(`practice/turns/${encodeURIComponent(turnId)}/suggestions`));
      const waits = shown.filter(({ may_approve, may_reject }) => may_approve || may_reject).length;
      problem.textContent = "";
      arrived.textContent = waits > 0 ? plural(t, "suggestion.waits", waits) : "";
      draw(shown, isOpen);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { title, hint } = explainFailure(t, lang, error.failure);
      if (error.status === 404) shown = [];
      problem.textContent = `${t("suggestion.unread")} ${title} ${hint}`;
    }
    list.hidden = shown.length === 0;
  }

  // Somebody else may decide meanwhile: whoever comes back to the page sees how it stands.
  function look() {
    if (!el.isConnected) document.removeEventListener("visibilitychange", look);
    else if (!document.hidden && shown.some(({ state }) => state === "pending")) refresh();
  }
  document.addEventListener("visibilitychange", look, { signal });

  return {
    el,
    /**
     * Reads what the turn has suggested.
     * @param {string} id the turn's
     */
    update(id) {
      turnId = id;
      return refresh();
    },
    /**
     * The answer is complete, and nothing moves any more: until then a button could come below a pointer that is meant
     * for another one.
     */
    async open() {
      await new Promise((resolve) => setTimeout(resolve, SETTLED_MS));
      isOpen = true;
      draw(shown, isOpen);
    },
  };
}

/**
 * @param {Surroundings} surroundings
 * @param {() => Promise<void>} refresh
 */
function createCard(surroundings, refresh) {
  const { t, lang, api, tell } = surroundings;
  const head = h("div", { class: "suggestion-head" });
  const facts = h("div", { class: "suggestion-facts" });
  const status = h("p", { class: "suggestion-status", role: "status" });
  const approve = h("button", { type: "button", class: "primary" }, t("suggestion.approve"));
  const reject = h("button", { type: "button" }, t("suggestion.reject"));
  const note = h("input", {
    type: "text",
    class: "reason",
    dir: "auto",
    maxlength: 500,
    autocomplete: "off",
    placeholder: t("suggestion.note"),
    "aria-label": t("suggestion.note"),
  });
  const send = h("button", { type: "submit" }, t("suggestion.reject"));
  const cancel = h("button", { type: "button", class: "quiet" }, t("suggestion.back"));
  const form = h("form", { class: "suggestion-note", hidden: true }, note, send, cancel);
  const buttons = h("div", { class: "suggestion-buttons" }, approve, reject);
  const el = h("li", { class: "card suggestion" }, head, facts, status, buttons, form);
  /** @type {Suggestion} */
  let shown;

  /** @param {boolean} isNoting whether the reader writes why they reject */
  function showForm(isNoting) {
    form.hidden = !isNoting;
    buttons.hidden = isNoting || !(shown.may_approve || shown.may_reject);
  }

  /** @param {boolean} isApproved */
  async function decide(isApproved) {
    const hadFocus = el.matches(":focus-within"); // a button that is disabled loses it
    for (const button of [approve, reject, send]) button.disabled = true;
    let words = "";
    try {
      const reason = isApproved ? "" : note.value.trim();
      const path = `practice/suggestions/${encodeURIComponent(shown.id)}/decision`;
      const { id, kind, thing_id, state, project } = await api.post(path, {
        approve: isApproved,
        ...(reason && { reason }),
      });
      tell?.("decided", { id, kind, thing_id, state, project_id: project.id });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const { title, hint } = explainFailure(t, lang, error.failure);
      words = `${title} ${hint}`;
    }
    for (const button of [approve, reject, send]) button.disabled = false;
    await refresh();
    if (words) status.textContent = shown.state === "pending" ? words : `${t("suggestion.late")} ${status.textContent}`;
    if (hadFocus) (shown.state === "pending" ? (isApproved ? approve : note) : el).focus();
  }
  el.tabIndex = -1;
  // The second click of a double click is meant for nothing: by then another card's button may stand there.
  approve.addEventListener("click", ({ detail }) => detail < 2 && decide(true));
  reject.addEventListener("click", () => {
    showForm(true);
    note.focus({ preventScroll: true });
    form.scrollIntoView({ block: "nearest" }); // with its buttons
  });
  cancel.addEventListener("click", () => {
    showForm(false);
    reject.focus();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    decide(false);
  });

  return {
    el,
    /**
     * @param {Suggestion} suggestion
     * @param {boolean} isOpen whether anybody may decide yet
     */
    update(suggestion, isOpen) {
      shown = suggestion;
      const { kind, state, may_approve, may_reject } = suggestion;
      const title = suggestion.title ?? clip(suggestion.text ?? "", 60);
      el.className = `card suggestion suggestion-${state}`;
      el.setAttribute("aria-label", `${t(`suggestion.kind.${kind}`)}: ${escapeInvisible(title)}`);
      for (const button of [approve, reject, send]) button.setAttribute("aria-description", escapeInvisible(title));
      head.replaceChildren(
        h("span", { class: "suggestion-kind" }, `✨ ${t(`suggestion.kind.${kind}`)}`),
        h("span", { class: "suggestion-state" }, ...drawState(state, t)),
      );
      facts.replaceChildren(...drawFacts(suggestion, surroundings));
      status.textContent = describeState(suggestion, surroundings);
      for (const button of [approve, reject, send]) button.disabled = !isOpen;
      approve.hidden = !may_approve;
      reject.hidden = !may_reject;
      showForm(!form.hidden && may_reject);
    },
  };
}

/**
 * @param {Suggestion["state"]} state
 * @param {Surroundings["t"]} t
 */
function drawState(state, t) {
  const marks = { pending: "👀 ", approved: icon("check"), rejected: icon("cross") };
  return [marks[state], t(`suggestion.state.${state}`)];
}

/**
 * @param {Suggestion} suggestion
 * @param {Surroundings} surroundings
 * @returns {HTMLElement[]}
 */
function drawFacts(suggestion, { t, lang, embedded }) {
  const { title, text, due_date, starts_at, place, project, rule, same, state } = suggestion;
  const name = escapeInvisible(title ?? "");
  const href = safeHref(suggestion.href);
  const isLinked = title && href && state !== "rejected";
  const link =
    isLinked && h("a", { class: "to-application", href, target: embedded ? "_self" : "_blank", rel: "noopener" }, name);
  const when = due_date ? dayOf(due_date, lang) : starts_at ? whenOf(suggestion, lang) : "";
  const where = [project.label, project.reference && `(${project.reference})`].filter(Boolean).join(" ");
  const warnings = [
    state !== "rejected" && due_date && isDayOff(due_date) && t("suggestion.weekend"),
    state === "pending" && project.status !== "active" && t("suggestion.closed"),
    same > 0 && t("suggestion.same"),
  ];
  return [
    ...(title ? [h("p", { class: "card-title", dir: "auto" }, link || name)] : []),
    ...(text ? [h("p", { class: "suggestion-text", dir: "auto" }, escapeInvisible(text))] : []),
    h("p", {}, [when, place && escapeInvisible(place)].filter(Boolean).join(" · ")),
    h("p", { class: "suggestion-where" }, escapeInvisible([where, rule].filter(Boolean).join(" · "))),
    ...warnings.flatMap((words) => (words ? [h("p", { class: "suggestion-warning" }, icon("alert"), words)] : [])),
  ].filter((line) => line.textContent);
}

/**
 * @param {Suggestion} suggestion
 * @param {Surroundings} surroundings
 */
function describeState({ state, elsewhere, may_approve, may_reject, decided_by, decided_at, reason }, { t, lang }) {
  if (state === "pending" && elsewhere) return t("suggestion.elsewhere");
  if (state === "pending") return may_approve ? "" : t(may_reject ? "suggestion.second_pair" : "suggestion.others");
  const at = decided_at ? formatTime(Date.parse(decided_at), lang) : "";
  const words = t(`suggestion.${state}`, { name: escapeInvisible(decided_by?.name ?? "?"), at });
  return reason ? `${words} ${t("suggestion.reason", { reason: escapeInvisible(reason) })}` : words;
}
