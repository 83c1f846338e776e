/**
 * Puts into words what is known of an answer's claims. Nothing is ever called wrong: at most, it does not add up. Pure.
 * @typedef {import("../../types.js").Claim} Claim
 * @typedef {import("../../types.js").ClaimSource} ClaimSource
 * @typedef {import("../../texts/i18n.js").Translate} Translate
 */
import { clip, escapeInvisible, formatNumber } from "../../texts/format.js";
import { plural, translateIfKnown } from "../../texts/i18n.js";

const MAX_NAMES = 3;
const MAX_CALCULATION = 200; // characters
/** In the order in which they are told. */
const STATUSES = /** @type {const} */ ([
  "found",
  "given",
  "calculated",
  "derived",
  "unknown",
  "unsupported",
  "differs",
]);

/**
 * Sums up: "12 facts: 10 found, 1 derived".
 * @param {Claim[]} claims those that there was something to check about
 * @param {Translate} t
 * @param {import("../../texts/i18n.js").Lang} lang
 * @returns {{facts: string, counts: {status: Claim["status"], text: string}[]}|null} null if there are none
 */
export function sumUp(claims, t, lang) {
  if (claims.length === 0) return null;
  const isOfPage = claims.some(({ status, sources }) => status === "given" && sources[0]?.origin === "context");
  const counts = STATUSES.flatMap((status) => {
    const count = claims.filter((claim) => claim.status === status).length;
    const key = status === "given" && isOfPage ? "count.given.page" : /** @type {const} */ (`count.${status}`);
    return count > 0 ? [{ status, text: t(key, { 0: formatNumber(count, lang) }) }] : [];
  });
  return { facts: plural(t, "claims.facts", claims.length), counts };
}

/**
 * Says in a few words where a claim comes from.
 * @param {Claim} claim
 * @param {(source: ClaimSource) => string} nameOf the call of a source; "" if it is not known
 * @param {Translate} t
 */
export function describeOrigin({ text, status, sources, rule, calculation }, nameOf, t) {
  const source = sources[0];
  if (calculation) {
    const from = fromTools(sources, nameOf, t);
    return [describeCalculation(text, status, calculation, t), from].filter(Boolean).join(" · ");
  }
  if (status === "unsupported" || status === "unknown" || !source) return describeNone(status, rule, t);
  const earlier = source.turn_id ? `, ${t("claims.why.earlier")}` : "";
  if (status === "derived") {
    return (
      [ruleOf(rule, t), fromTools(sources, nameOf, t)].filter(Boolean).join(" ") + earlier + fromAnswer(sources, t)
    );
  }
  if (source.origin === "question" || source.origin === "context") return t(`claims.why.${source.origin}`);
  const tool = nameOf(source) || t("claims.why.tool");
  return describePlace(source, tool, t) + earlier;
}

/**
 * @param {ClaimSource} source
 * @param {string} tool
 * @param {Translate} t
 */
function describePlace({ line, field, record }, tool, t) {
  const words = { tool, field: shortWords(field), record: shortWords(record) };
  if (field) return t(record ? "claims.why.record" : "claims.why.field", words);
  return line === null ? t("claims.why.call", { tool }) : t("claims.why.line", { tool, line });
}

/**
 * @param {string} said
 * @param {Claim["status"]} status
 * @param {NonNullable<Claim["calculation"]>} calculation
 * @param {Translate} t
 */
function describeCalculation(said, status, { text, comes_to, assumes }, t) {
  const words = { text: shortWords(text, MAX_CALCULATION), value: shortWords(comes_to), said: shortWords(said) };
  if (status === "differs") return t(comes_to ? "claims.differs" : "claims.differs.quoted", words);
  const assumed = assumes.length > 0 ? ` ${t("claims.assumes", { numbers: shortWords(assumes.join(", ")) })}` : "";
  return t("claims.calculated", words) + assumed;
}

/**
 * @param {ClaimSource[]} sources
 * @param {(source: ClaimSource) => string} nameOf
 * @param {Translate} t
 */
function fromTools(sources, nameOf, t) {
  const names = [...new Set(sources.map((each) => nameOf(each)).filter(Boolean))].slice(0, MAX_NAMES);
  return names.length > 0 ? t("claims.from", { tools: names.join(", ") }) : "";
}

/**
 * Names what a claim follows from if that was not found itself.
 * @param {ClaimSource[]} sources
 * @param {Translate} t
 */
function fromAnswer(sources, t) {
  const words = sources.filter(({ origin }) => origin === "answer").map(({ text }) => shortWords(text));
  return words.length > 0 ? t("claims.from.answer", { words: words.slice(0, MAX_NAMES).join(", ") }) : "";
}

/**
 * @param {Claim["status"]} status
 * @param {string} rule
 * @param {Translate} t
 */
function describeNone(status, rule, t) {
  if (status === "derived") return ruleOf(rule, t);
  if (status === "given") return t("claims.why.question");
  return status === "found" ? t("claims.why.call", { tool: t("claims.why.tool") }) : t(`claims.why.${known(status)}`);
}

/** @param {Claim["status"]} status */
const known = (status) => (status === "unsupported" ? status : "unknown");

/**
 * @param {string} rule
 * @param {Translate} t
 */
const ruleOf = (rule, t) => translateIfKnown(t, `claims.rule.${rule}`) || t("claims.rule");

/**
 * The lines that hold a claim, as far as a few are enough.
 * @param {Claim} claim
 */
export const linesOf = ({ sources }) =>
  sources
    .filter(({ origin, text }) => origin === "call" && text.trim())
    .slice(0, MAX_NAMES)
    .map(({ text }) => escapeInvisible(text));

/**
 * The words of a claim as they are shown outside of the answer.
 * @param {string} text
 * @param {number} [longest] characters
 */
export const shortWords = (text, longest = 80) => clip(escapeInvisible(text.replace(/\s+/g, " ").trim()), longest);
