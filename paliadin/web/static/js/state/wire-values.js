/** Reads the values of events, which may be missing or of another kind than expected. Pure. */

/** @param {unknown} value */
export const asText = (value) => (value === null || value === undefined ? "" : String(value));
/** @param {unknown} value */
export const asNumber = (value) => (typeof value === "number" && Number.isFinite(value) ? value : null);
/** @param {unknown} value */
export const asCount = (value) => (Array.isArray(value) ? value.length : (asNumber(value) ?? 0));
/**
 * @param {unknown} value
 * @returns {any[]}
 */
export const asList = (value) => (Array.isArray(value) ? value : []);

/** @param {unknown} value milliseconds since 1970, or a date as ISO 8601 writes it */
export function asTime(value) {
  const parsed = typeof value === "string" ? Date.parse(value) : Number(value ?? NaN);
  return Number.isNaN(parsed) ? null : parsed;
}
