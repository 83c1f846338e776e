/**
 * The claims of an answer, as the daemon has checked them. Pure.
 * @typedef {import("../types.js").Claim} Claim
 * @typedef {import("../types.js").ClaimSource} ClaimSource
 * @typedef {Record<string, any>} Data
 */
import { asList, asNumber, asText } from "./wire-values.js";

const MAX_CLAIMS = 5_000;
const MAX_SOURCES = 20;
/** @type {Claim["status"][]} */
const STATUSES = ["found", "given", "calculated", "differs", "derived", "common", "unsupported", "unknown"];

/**
 * Reads the claims of an event.
 * @param {unknown} value
 * @returns {Claim[]|null} null: the answer was not checked
 */
export function toClaims(value) {
  return Array.isArray(value) ? value.slice(0, MAX_CLAIMS).flatMap(toClaim) : null;
}

/**
 * @param {Data|null} data
 * @returns {Claim[]} none if it has no place in a text
 */
function toClaim(data) {
  const [start, end] = [asNumber(data?.start), asNumber(data?.end)];
  const text = asText(data?.text);
  if (!data || start === null || end === null || start < 0 || end <= start || !text.trim()) return [];
  return [
    {
      message_id: asText(data.message_id),
      start,
      end,
      text,
      kind: asText(data.kind),
      status: STATUSES.find((status) => status === data.status) ?? "unknown",
      sources: asList(data.sources).slice(0, MAX_SOURCES).flatMap(toSource),
      rule: asText(data.rule),
      calculation: toCalculation(data.calculation),
    },
  ];
}

/**
 * @param {Data|null|undefined} data
 * @returns {Claim["calculation"]} null: none is stated
 */
function toCalculation(data) {
  const text = asText(data?.text);
  if (!data || !text) return null;
  const assumes = Array.isArray(data.assumes) ? data.assumes.slice(0, MAX_SOURCES).map(asText).filter(Boolean) : [];
  return { text, comes_to: asText(data.comes_to), assumes };
}

/**
 * @param {Data|null} data
 * @returns {ClaimSource[]}
 */
function toSource(data) {
  const origin = data?.origin;
  if (!data || (origin !== "call" && origin !== "question" && origin !== "context" && origin !== "answer")) return [];
  return [
    {
      origin,
      call: asText(data.call),
      turn_id: asText(data.turn_id),
      line: asNumber(data.line),
      text: asText(data.text),
      field: asText(data.field),
      record: asText(data.record),
    },
  ];
}

/**
 * Those that there was something to check about, as they follow each other in the answer.
 * @param {Claim[]|null|undefined} claims
 */
export const checkedClaims = (claims) => (claims ?? []).filter(({ status }) => status !== "common");

/**
 * True for what the reader has to look at: nothing holds it, or it is not what its calculation comes to.
 * @param {Claim} claim
 */
export const isDoubtful = ({ status }) => status === "unsupported" || status === "differs";

/** Kinds of which a program that compares texts too often cannot say where they come from: they are not marked. */
const PLAIN = new Set(["number", "count"]);

/**
 * True for what is marked in the answer's text. Plain numbers that nothing holds are in the list only.
 * @param {Claim} claim
 */
export const isMarked = (claim) => isDoubtful(claim) && (claim.status === "differs" || !PLAIN.has(claim.kind));

/**
 * @param {Claim[]} claims
 * @returns {Partial<Record<Claim["status"], number>>}
 */
export function countClaims(claims) {
  /** @type {Partial<Record<Claim["status"], number>>} */
  const counts = {};
  for (const { status } of claims) counts[status] = (counts[status] ?? 0) + 1;
  return counts;
}
