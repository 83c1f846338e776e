/** The page's modules stand in rooms, and a room imports only from those below it. */
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { posix } from "node:path";
import { test } from "node:test";

/** From top to bottom: who asks is above, what answers is below. Rooms on one line do not import each other. */
const ROOMS = [
  "main.js early.js drawer",
  "page",
  "views",
  "views/turn views/cards views/dialogs views/conversation-list views/composer",
  "views/common",
  "conversation",
  "daemon",
  "state markdown",
  "texts",
  "browser",
  "types.js",
  "event-types.js",
].map((line) => line.split(" "));

const STATIC = new URL("../../paliadin/web/static/", import.meta.url);
const files = readdirSync(new URL("js/", STATIC), { recursive: true }).filter((name) => name.endsWith(".js"));
const roomOf = (name) => (name.includes("/") ? posix.dirname(name) : name);
const floorOf = (name) => ROOMS.findIndex((rooms) => rooms.includes(roomOf(name)));

/**
 * The modules that a module names: in an import, or in a type of its JSDoc.
 * @param {URL} file
 * @param {string} name its path where it is served
 */
function importsOf(file, name) {
  const source = readFileSync(file, "utf8");
  const named = [...source.matchAll(/(?:\bfrom |\bimport |\bimport\()"(\.[^"]+)"/g)].map(([, path]) => path);
  return named.map((path) => posix.join(posix.dirname(name), path)).filter((path) => !path.startsWith("../vendor/"));
}

/** Of each module of the page, those of its own that it names. */
const imports = new Map(files.map((name) => [name, importsOf(new URL(`js/${name}`, STATIC), name)]));

/** Where the pieces are that parts bring: each is served at `parts/<name>/page/`, beside the page's own modules. */
const PARTS = new URL("../../paliadin/parts/", import.meta.url);
const pieces = readdirSync(PARTS, { recursive: true }).filter((name) => /\bpage\/.*\.js$/.test(name));

test("every module has a room, and every room has modules", () => {
  assert.deepEqual(new Set(files.map(roomOf)), new Set(ROOMS.flat()));
});

test("a module imports only from its own room and those below it", () => {
  const wrong = [];
  for (const [name, targets] of imports) {
    for (const target of targets) {
      assert.ok(files.includes(target), `${name} imports ${target}, which is not there`);
      const sameRoom = name.includes("/") && roomOf(target) === roomOf(name);
      if (!sameRoom && floorOf(target) <= floorOf(name)) wrong.push(`${name} imports ${target}`);
    }
  }
  assert.deepEqual(wrong, []);
});

test("a part's piece imports its own modules, and the page's only below the views", () => {
  assert.ok(pieces.some((name) => name.endsWith("/page/piece.js")));
  for (const name of pieces) {
    for (const target of importsOf(new URL(name, PARTS), `parts/${name}`)) {
      const [isOwn, shared] = [target.startsWith(`parts/${posix.dirname(name)}/`), target.replace(/^js\//, "")];
      const isThere = isOwn ? existsSync(new URL(`../${target}`, PARTS)) : files.includes(shared);
      assert.ok(isThere, `${name} imports ${target}, which is not there`);
      assert.ok(isOwn || floorOf(shared) >= floorOf("views/common/pieces.js"), `${name} imports ${target}`);
    }
  }
});

test("no module imports itself by way of others", () => {
  const left = new Map(imports);
  const leaves = () => [...left].filter(([, targets]) => !targets.some((target) => left.has(target)));
  for (let free = leaves(); free.length > 0; free = leaves()) free.forEach(([name]) => left.delete(name));
  assert.deepEqual([...left.keys()], []);
});

test("every module that a page or the drawer's address names is there", () => {
  const entries = [
    "index.html",
    "widget.js",
    "../dashboard/templates/page.html",
    "../dashboard/templates/turn.html",
    "../dashboard/templates/dashboard.html",
  ].flatMap((name) =>
    [...readFileSync(new URL(name, STATIC), "utf8").matchAll(/paliadin\/static\/([\w/-]+\.js)/g)].map(
      ([, path]) => path,
    ),
  );
  assert.ok(entries.includes("js/main.js") && entries.includes("js/drawer/paliadin-widget.js"));
  for (const path of entries) assert.ok(existsSync(new URL(path, STATIC)), path);
});

test("lines fit 120 columns, comments as well; a long text stands on a line of its own", () => {
  const isText = (line) => /^\s*["'`].*["'`][,;]?$/.test(line);
  const all = [...files.map((name) => new URL(`js/${name}`, STATIC)), ...pieces.map((name) => new URL(name, PARTS))];
  const written = all.filter(({ href }) => !/\/words\.\w+\.js$/.test(href)); // those are generated
  const tooLong = written.flatMap((file) => {
    const lines = readFileSync(file, "utf8").split("\n");
    return lines.flatMap((line, i) => (line.length > 120 && !isText(line) ? [`${file.href}:${i + 1}`] : []));
  });
  assert.deepEqual(tooLong, []);
});
