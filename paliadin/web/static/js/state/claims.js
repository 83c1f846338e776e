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
const STATUSES = ["found", "given", "derived", "common", "unsupported", "unknown"];

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
    },
  ];
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
    },
  ];
}

/**
 * Those that there was something to check about, as they follow each other in the answer.
 * @param {Claim[]|null|undefined} claims
 */
export const checkedClaims = (claims) => (claims ?? []).filter(({ status }) => status !== "common");

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
