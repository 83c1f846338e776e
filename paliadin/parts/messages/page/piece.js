/**
 * What the page shows of the Messages API: whether the reader agrees to what is sent where, their own key, and where
 * answers come from.
 * @typedef {typeof import("./words.en.js").words} Words
 * @typedef {import("../../../js/texts/i18n.js").Translate<keyof Words>} Translate
 * @typedef {import("../../../js/views/common/pieces.js").Surroundings & {t: Translate}} Surroundings
 */
import { loadTranslator } from "../../../js/texts/i18n.js";
import { createDisclosure } from "./disclosure.js";
import { drawOwnKey } from "./own-key.js";

/** @type {Record<import("../../../js/texts/i18n.js").Lang, () => Promise<{words: Record<keyof Words, string>}>>} */
const languages = {
  en: () => import("./words.en.js"),
  de: () => import("./words.de.js"),
};

export const styles = [new URL("messages.css", import.meta.url).href];

/**
 * Makes the piece.
 * @param {import("../../../js/views/common/pieces.js").Surroundings} given
 * @returns {Promise<import("../../../js/views/common/pieces.js").Piece>}
 */
export async function createPiece(given) {
  const t = await loadTranslator(given.lang, (await languages[given.lang]()).words);
  const surroundings = { ...given, t };
  return {
    text: ({ relay }) => (relay === "messages" ? t("empty.text.messages") : ""),
    createBanner: (actions) => createDisclosure(surroundings, actions),
    drawAccess: (dialog) => drawOwnKey(surroundings, dialog),
  };
}
