/** The toy's piece of the page: a sentence in an empty conversation. */
const SEES = { en: "I see your toys.", de: "Ich sehe Ihr Spielzeug." };

export async function createPiece({ lang }) {
  return { sees: SEES[lang] };
}
