/**
 * Checks the address of a link in an answer: only another site may be followed. One on this site could sign the
 * reader out of the application around a drawer; what leads there is a chip, which the owner allows.
 * @param {string|null|undefined} href
 * @param {string|undefined} [own] the page's host, with its port
 * @returns {string|null} null for any other address
 */
export function outsideHref(href, own = globalThis.location?.host) {
  const address = safeHref(href) ?? "";
  if (/^mailto:/i.test(address)) return address;
  // Without a host "http:/logout" is an address on this site, if that is http. A site that is https may be called http.
  return /^https?:\/\/[^/]/i.test(address) && URL.canParse(address) && new URL(address).host !== own ? address : null;
}

/**
 * Checks the address of a chip: http(s), mailto, and addresses on this site may be followed.
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
