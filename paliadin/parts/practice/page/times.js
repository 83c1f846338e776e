/**
 * The days and times of what was suggested. They are the practice's own, and are shown as they are there: a browser in
 * another time zone must not move them.
 * @typedef {import("../../../js/texts/i18n.js").Lang} Lang
 */
import { cachedFormatter, localeOf } from "../../../js/texts/format.js";

/** @param {string} day such as 2027-05-16 */
const noonOf = (day) => new Date(`${day.slice(0, 10)}T12:00:00Z`);

/**
 * A day with its weekday: Sunday, 16 May 2027.
 * @param {string} day
 * @param {Lang} lang
 */
export function dayOf(day, lang) {
  return cachedFormatter(
    `suggested day ${lang}`,
    () => new Intl.DateTimeFormat(localeOf(lang), { dateStyle: "full", timeZone: "UTC" }),
  ).format(noonOf(day));
}

/** @param {string} day whether it is a Saturday or a Sunday */
export const isDayOff = (day) => [0, 6].includes(noonOf(day).getUTCDay());

/**
 * When an appointment is: Monday, 17 May 2027, 09:30–10:30.
 * @param {{starts_at?: string, ends_at?: string}} times such as 2027-05-17T09:30+02:00
 * @param {Lang} lang
 */
export function whenOf({ starts_at = "", ends_at = "" }, lang) {
  const [start, end] = [starts_at, ends_at].map((at) => at.slice(11, 16));
  const isOneDay = starts_at.slice(0, 10) === ends_at.slice(0, 10);
  return `${dayOf(starts_at, lang)}, ${start}–${isOneDay ? "" : `${dayOf(ends_at, lang)}, `}${end}`;
}
