/**
 * Turns TeX into MathML with Temml, which is loaded when the first formula needs it. What it makes is checked against
 * the lists below: a formula comes from whoever wrote the text.
 */
import { loader } from "../browser/load.js";

/** In characters, of all formulas of one block. */
export const MAX_TEX = 20_000;
/** How long an answer waits for the library before its formulas are shown as TeX. */
const PATIENCE_MS = 1_500;
const MAX_KEPT = 300;

const OPTIONS = {
  throwOnError: true,
  trust: false,
  maxSize: /** @type {[number, number]} */ ([20, 20]),
  maxExpand: 200,
};

/** What defines macros: a few characters of them make millions. */
const DEFINES =
  /\\(?:[gex]?def|let|futurelet|global|long|(?:re|provide)?newcommand|DeclareMathOperator|arraystretch)(?![A-Za-z])/;
/** In the units that it is given in, of what moves or widens a part; and how many parts may be moved. */
const MAX_LENGTH = 20;
const MAX_MOVED = 20;

const ELEMENTS = new Set(
  (
    "math menclose merror mfrac mi mmultiscripts mn mo mover mpadded mphantom mprescripts mroot mrow ms mspace msqrt " +
    "mstyle msub msubsup msup mtable mtd mtext mtr munder munderover none"
  ).split(" "),
);
const ATTRIBUTES = new Set(
  (
    "accent accentunder class columnalign columnlines columnspan columnspacing depth display displaystyle fence form " +
    "height largeop linethickness lspace mathcolor mathbackground mathvariant maxsize minsize movablelimits notation " +
    "rowlines rowspacing rowspan rspace scriptlevel separator stretchy style symmetric voffset width"
  ).split(" "),
);

/** @type {typeof import("../../vendor/temml.js").default|null} */
let temml = null;
const load = loader(async () => {
  temml = (await import("../../vendor/temml.js")).default;
});
let isLate = false;
/** @type {Map<string, Element|null>} null: it cannot be drawn */
const kept = new Map();

/** Whether formulas can be drawn, or are not waited for any more. */
export const isReady = () => temml !== null || isLate;

/**
 * Loads the library, once.
 * @param {() => void} onReady called when it is there, and before that if it was waited for long enough
 * @returns {Promise<void>} fails if it cannot be loaded
 */
export async function loadMaths(onReady) {
  const timer = setTimeout(giveUp, PATIENCE_MS);
  try {
    await load();
    onReady();
  } catch (error) {
    giveUp();
    throw error;
  } finally {
    clearTimeout(timer);
  }

  function giveUp() {
    isLate = true;
    onReady();
  }
}

/**
 * @param {string} tex
 * @param {boolean} display on a line of its own
 * @returns {Element|null} `<math>`; null if this is no TeX, asks for something that is not allowed, or comes too early
 */
export function drawFormula(tex, display) {
  if (!temml) return null;
  const key = `${display} ${tex}`;
  let drawn = kept.get(key);
  if (drawn === undefined) {
    drawn = DEFINES.test(tex) ? null : make(temml, tex, display);
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(key, drawn);
  }
  return drawn && /** @type {Element} */ (drawn.cloneNode(true));
}

/**
 * @param {NonNullable<typeof temml>} library
 * @param {string} tex
 * @param {boolean} displayMode
 */
function make(library, tex, displayMode) {
  const place = document.createElement("span");
  try {
    library.render(tex, place, { ...OPTIONS, displayMode });
  } catch {
    return null; // Not TeX, or nested too deep: it is shown as it was written.
  }
  const math = place.firstElementChild;
  if (!math || math.querySelectorAll("mpadded").length > MAX_MOVED) return null;
  return [math, ...math.querySelectorAll("*")].every(isAllowed) ? math : null;
}

/**
 * Takes away the attributes that are not in the list.
 * @param {Element} el
 * @returns {boolean} whether it is an element of MathML that only shows something
 */
function isAllowed(el) {
  for (const { name, value } of [...el.attributes]) {
    if (!ATTRIBUTES.has(name)) el.removeAttribute(name);
    else if ((value.match(/\d+(?=\.?\d*(?:em|ex)\b)/g) ?? []).some((length) => Number(length) > MAX_LENGTH))
      return false;
  }
  return el.namespaceURI === "http://www.w3.org/1998/Math/MathML" && ELEMENTS.has(el.localName);
}
