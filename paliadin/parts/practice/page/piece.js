/**
 * The practice's piece of the page: cards below an answer for what its turn has suggested, what is open in the project
 * that the page around a drawer is about, and what an empty conversation says.
 * @typedef {typeof import("./words.en.js").words} Words
 * @typedef {import("../../../js/texts/i18n.js").Translate<keyof Words>} Translate
 * @typedef {import("../../../js/views/common/pieces.js").Surroundings & {t: Translate}} Surroundings
 */
import { loader } from "../../../js/browser/load.js";
import { ApiError } from "../../../js/daemon/api.js";
import { loadTranslator, plural } from "../../../js/texts/i18n.js";

/** @type {Record<import("../../../js/texts/i18n.js").Lang, () => Promise<{words: Record<keyof Words, string>}>>} */
const languages = {
  en: () => import("./words.en.js"),
  de: () => import("./words.de.js"),
};
const loadSuggestions = loader(() => import("./suggestions.js"));

export const styles = [new URL("suggestions.css", import.meta.url).href];

/**
 * Makes the piece.
 * @param {import("../../../js/views/common/pieces.js").Surroundings} given
 * @returns {Promise<import("../../../js/views/common/pieces.js").Piece>}
 */
export async function createPiece(given) {
  const t = await loadTranslator(given.lang, (await languages[given.lang]()).words);
  const surroundings = { ...given, t };
  return {
    sees: t("practice.sees"),
    memberText: t("practice.text.member"),
    createBelow: (signal) => createBelow(signal, surroundings),
    describe: createDescription(surroundings),
  };
}

/** The project may not be the reader's. @param {unknown} error */
function ignoreRefusal(error) {
  if (!(error instanceof ApiError)) reportError(error);
}

/**
 * Draws the cards of a turn's suggestions once there may be one.
 * @param {AbortSignal} signal
 * @param {Surroundings} surroundings
 * @returns {import("../../../js/views/common/pieces.js").Below}
 */
function createBelow(signal, surroundings) {
  const el = document.createElement("div");
  /** @type {ReturnType<typeof import("./suggestions.js").createSuggestions>|undefined} */
  let suggested;
  let calls = 0;
  let isOpen = false;

  return {
    el,
    /** Reads what the turn has suggested again with each call that may have suggested something. */
    async update(turn) {
      if (!turn.parts.some((part) => part.kind === "tool" && part.name.includes("__suggest_"))) return;
      const { countSuggesting, createSuggestions } = await loadSuggestions();
      const count = countSuggesting(turn);
      if (count > calls) {
        calls = count;
        suggested ??= createSuggestions(signal, surroundings);
        el.append(suggested.el);
        await suggested.update(turn.id);
      }
      if (suggested && !isOpen && turn.phase === "done") {
        isOpen = true;
        await suggested.open();
      }
    },
  };
}

/**
 * Makes the function that says what is open in the project that the page is about, once the daemon has told it.
 * @param {Surroundings} surroundings
 * @returns {NonNullable<import("../../../js/views/common/pieces.js").Piece["describe"]>}
 */
function createDescription({ t, api }) {
  /** @type {Map<string, string>} by the project's id; "" while nothing is known */
  const open = new Map();

  /**
   * @param {string} id
   * @param {() => void} redraw
   */
  async function ask(id, redraw) {
    open.set(id, "");
    const { open_deadlines, coming_appointments } = await api.read(`practice/projects/${encodeURIComponent(id)}`);
    const counts = [plural(t, "here.deadlines", open_deadlines), plural(t, "here.appointments", coming_appointments)];
    open.set(id, counts.join(", "));
    redraw();
  }

  return ({ primary_entity_type, primary_entity_id }, redraw) => {
    const id = primary_entity_type === "project" ? String(primary_entity_id ?? "") : "";
    if (id && !open.has(id)) ask(id, redraw).catch(ignoreRefusal);
    const words = open.get(id);
    return words ? [t("here.project"), words] : null;
  };
}
