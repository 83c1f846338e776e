/** Tells what the name of a chip adds to the words around it. Pure. */

const DAY = /( · )(\d{4}-\d{2}-\d{2})$/;

/**
 * Parts a name, such as "Hearing · 2027-01-15", into what the words around it say already and what they do not.
 * @param {string} name
 * @param {string} said
 * @returns {{known: string, news: string}} together the name
 */
export function parted(name, said) {
  const [, dot = "", day = ""] = DAY.exec(name) ?? [];
  const thing = name.slice(0, name.length - dot.length - day.length).replace(/…$/, "");
  if (!saysWords(said, thing)) return { known: "", news: name };
  if (!day || waysToWrite(day).some((way) => saysWords(said, way))) return { known: name, news: "" };
  return { known: name.slice(0, name.length - day.length), news: day };
}

/**
 * @param {string} said
 * @param {string} words stand in it, and are no part of others
 */
function saysWords(said, words) {
  const at = said.toLowerCase().indexOf(words.toLowerCase());
  const isInWord = /[\p{L}\d]$/u.test(said.slice(0, at)) || /^[\p{L}\d]/u.test(said.slice(at + words.length));
  return at >= 0 && words !== "" && (!isInWord || words.length > 40); // a long name was cut
}

/** @param {string} day such as 2027-01-15 */
function waysToWrite(day) {
  const [year = 0, month = 1, number = 1] = day.split("-").map(Number);
  const date = new Date(Date.UTC(year, month - 1, number));
  const named = ["en-GB", "en-US", "de-DE"].flatMap((lang) =>
    [/** @type {const} */ ("long"), /** @type {const} */ ("short")].map((style) =>
      date.toLocaleDateString(lang, { day: "numeric", month: style, year: "numeric", timeZone: "UTC" }),
    ),
  );
  return [
    day,
    ...named,
    `${number}.${month}.${year}`,
    date.toLocaleDateString("de-DE", { ...NUMBERS, timeZone: "UTC" }),
  ];
}

const NUMBERS = /** @type {const} */ ({ day: "2-digit", month: "2-digit", year: "numeric" });
