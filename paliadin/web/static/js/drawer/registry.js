/**
 * What the application tells of its pages: which path is which route, and what is worth asking there. Pure.
 *
 * @typedef {{path: string, name: string, entity?: string}} Route `path` has `:names`; `:id` is the entity's id
 * @typedef {{label: Record<string, string>, prompt: Record<string, string>}} Entry
 * @typedef {{routes: Route[], starters: Record<string, Entry[]>}} Registry
 * @typedef {import("../types.js").PageContext} PageContext
 * @typedef {import("../views/context.js").Starter} Starter
 */

/** @type {Registry} */
export const NOTHING = { routes: [], starters: {} };

/**
 * @param {unknown} value JSON of the application's
 * @returns {Registry}
 */
export function readRegistry(value) {
  const { routes, starters } = /** @type {any} */ (value ?? {});
  return {
    routes: (Array.isArray(routes) ? routes : []).filter(({ path, name }) => typeof path === "string" && typeof name === "string"),
    starters: starters !== null && typeof starters === "object" ? starters : {},
  };
}

/**
 * @param {Registry} registry
 * @param {string} path of the address, without its query
 * @returns {PageContext} empty for a path that no route knows: a raw address is never told
 */
export function routeOf({ routes }, path) {
  for (const { path: pattern, name, entity } of routes) {
    const found = match(pattern, path);
    if (!found) continue;
    return { route_name: name, ...(entity && found.id && { primary_entity_type: entity, primary_entity_id: found.id }) };
  }
  return {};
}

/**
 * @param {string} pattern
 * @param {string} path
 * @returns {Record<string, string>|null}
 */
function match(pattern, path) {
  const [wanted, given] = [pieces(pattern), pieces(path)];
  if (wanted.length !== given.length) return null;
  /** @type {Record<string, string>} */
  const found = {};
  for (const [i, piece] of wanted.entries()) {
    if (piece.startsWith(":")) found[piece.slice(1)] = decode(given[i] ?? "");
    else if (piece !== given[i]) return null;
  }
  return found;
}

/** @param {string} path */
const pieces = (path) => path.split("/").filter(Boolean);

/** @param {string} piece */
function decode(piece) {
  try {
    return decodeURIComponent(piece);
  } catch {
    return piece;
  }
}

/**
 * @param {Registry} registry
 * @param {string|undefined} route
 * @param {string} lang
 * @returns {Starter[]} those of the route, or the ones for every page
 */
export function startersOf({ starters }, route, lang) {
  const own = (route && Object.hasOwn(starters, route) && starters[route]) || starters._default;
  return (Array.isArray(own) ? own : []).flatMap(({ label, prompt }) => {
    const [words, question] = [label?.[lang] ?? label?.en, prompt?.[lang] ?? prompt?.en];
    return words && question ? [{ label: words, prompt: question }] : [];
  });
}
