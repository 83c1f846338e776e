/**
 * Who is signed in at this page: the daemon writes it into the page's first element, so that the page is theirs from
 * the start.
 */
const { person, name, lang } = document.documentElement.dataset;

export const signedIn = {
  /** A member's id; "" for the owner. */
  member: person ?? "",
  /** Their name, or "" if the owner has given themselves none. */
  name: name ?? "",
  /** The language that the owner has noted for them, or "". */
  lang: lang ?? "",
};

/**
 * Loads the page again if somebody else is signed in by now: in another tab, one has gone and another one come.
 * @param {import("../types.js").Health|null} health
 */
export function reloadForAnother(health) {
  const now = health?.person;
  if (now && (now.role === "member" ? now.id : "") !== signedIn.member) location.reload();
}
