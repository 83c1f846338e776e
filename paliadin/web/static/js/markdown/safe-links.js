/**
 * Checks the address of a link in an answer or a chip: http(s), mailto, and addresses on this site may be followed.
 * @param {string|null|undefined} href
 * @returns {string|null} null for any other address
 */
export function safeHref(href) {
  const address = (href ?? "").trim();
  // Browsers drop control characters and read a backslash as a slash: "/\host" would leave the site.
  if (!address || /[\u0000-\u0020\u007f\\]/.test(address) || address.startsWith("//")) return null;
  const scheme = /^([^/?#:]*):/.exec(address)?.[1];
  return scheme === undefined || /^(https?|mailto)$/i.test(scheme) ? address : null;
}
