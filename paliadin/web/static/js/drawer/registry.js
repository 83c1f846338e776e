/**
 * Reads the registry of an application: which path is which route, and the starters of each route. Pure.
 *
 * @typedef {{path: string, name: string, entity?: string}} Route `path` has `:names`; `:id` is the entity's id
 * @typedef {{label: Record<string, string>, prompt: Record<string, string>}} Entry
 * @typedef {{routes: Route[], starters: Record<string, Entry[]>}} Registry
 * @typedef {import("../types.js").PageContext} PageContext
 * @typedef {import("../views/common/context.js").Starter} Starter
 */

/** @type {Registry} */
export const EMPTY_REGISTRY = { routes: [], starters: {} };

/**
 * @param {unknown} value the parsed JSON
 * @returns {Registry}
 */
export function readRegistry(value) {
  const { routes, starters } = /** @type {any} */ (value ?? {});
  return {
    routes: (Array.isArray(routes) ? routes : []).filter(
      ({ path, name }) => typeof path === "string" && typeof name === "string",
    ),
    starters: starters !== null && typeof starters === "object" ? starters : {},
  };
}

/**
 * Finds the route of a path, and its entity.
 * @param {Registry} registry
 * @param {string} path of the address, without its query
 * @returns {PageContext} empty for a path without a route: a raw address is never sent
 */
export function routeOf({ routes }, path) {
  for (const { path: pattern, name, entity } of routes) {
    const names = match(pattern, path);
    if (!names) continue;
    return {
      route_name: name,
      ...(entity && names.id && { primary_entity_type: entity, primary_entity_id: names.id }),
    };
  }
  return {};
}

/**
 * Matches a path against a pattern.
 * @param {string} pattern
 * @param {string} path
 * @returns {Record<string, string>|null} the values of its `:names`
 */
function match(pattern, path) {
  const [expected, actual] = [segments(pattern), segments(path)];
  if (expected.length !== actual.length) return null;
  /** @type {Record<string, string>} */
  const names = {};
  for (const [i, segment] of expected.entries()) {
    if (segment.startsWith(":")) names[segment.slice(1)] = decode(actual[i] ?? "");
    else if (segment !== actual[i]) return null;
  }
  return names;
}

/** @param {string} path */
const segments = (path) => path.split("/").filter(Boolean);

/** @param {string} segment */
function decode(segment) {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/**
 * The starters of a route in a language, or the English ones.
 * @param {Registry} registry
 * @param {string|undefined} route
 * @param {string} lang
 * @returns {Starter[]} those of `_default` for a route that has none
 */
export function startersOf({ starters }, route, lang) {
  const entries = (route && Object.hasOwn(starters, route) && starters[route]) || starters._default;
  return (Array.isArray(entries) ? entries : []).flatMap(({ label, prompt }) => {
    const [text, question] = [label?.[lang] ?? label?.en, prompt?.[lang] ?? prompt?.en];
    return text && question ? [{ label: text, prompt: question }] : [];
  });
}
