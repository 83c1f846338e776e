/**
 * The address of a link in an answer or a chip if it is one that may be followed: http(s), mailto, or one on this site.
 * @param {string|null|undefined} href
 */
export function safeHref(href) {
  const address = (href ?? "").trim();
  // Browsers drop control characters and read a backslash as a slash: "/\host" would leave the site.
  if (!address || /[\u0000-\u0020\u007f\\]/.test(address) || address.startsWith("//")) return null;
  const scheme = /^([^/?#:]*):/.exec(address)?.[1];
  return scheme === undefined || /^(https?|mailto)$/i.test(scheme) ? address : null;
}
