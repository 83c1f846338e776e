/** Pieces of the page that parts bring, loaded from where the daemon serves them: beside the page's own files. */
import assert from "node:assert/strict";
import { register } from "node:module";
import { test } from "node:test";
import { createPieces } from "../../paliadin/web/static/js/views/common/pieces.js";

const served = new URL("../../paliadin/web/static/parts/", import.meta.url).href;
const toys = new URL("../toy_parts/", import.meta.url).href;
const resolve = `export const resolve = (specifier, context, next) => {
  const { href } = new URL(specifier, context.parentURL);
  return next(href.startsWith("${served}toy") ? href.replace("${served}", "${toys}") : specifier, context);
};`;
register(`data:text/javascript,${encodeURIComponent(resolve)}`);

/** What a page with these parts has of them at first, and once all is loaded. */
async function loaded(names, lang = "en") {
  const root = { adoptedStyleSheets: [] };
  const pieces = createPieces({ lang, api: null }, root);
  const health = { pieces: names };
  assert.deepEqual(pieces.of(health), []);
  assert.ok(pieces.areLoading(health));
  await new Promise((done) => pieces.listen(() => pieces.areLoading(health) || done()));
  return { pieces, health };
}

test("a part's piece is loaded once the health report names it, and not before", async () => {
  for (const health of [null, {}, { pieces: [] }]) {
    const pieces = createPieces({ lang: "en", api: null }, { adoptedStyleSheets: [] });
    assert.deepEqual(pieces.of(health), []);
    assert.ok(!pieces.areLoading(health));
  }
  const { pieces, health } = await loaded(["toy"], "de");
  const first = pieces.of(health);
  assert.deepEqual(first, [{ sees: "Ich sehe Ihr Spielzeug." }]);
  assert.equal(pieces.of({ ...health }), first, "turns are drawn anew when there is another array");
  assert.deepEqual(pieces.of({}), [], "a conversation on another machine has none");
  assert.equal(pieces.of(health), first, "and one on this machine has the same ones");
});

test("the page does without a piece that cannot be loaded, and the others are there", { timeout: 20_000 }, async () => {
  const reports = [];
  globalThis.reportError = (error) => reports.push(error);
  const { pieces, health } = await loaded(["none", "toy"]);
  assert.equal(reports.length, 1);
  assert.match(String(reports[0]), /none.page.piece\.js/);
  assert.deepEqual(
    pieces.of(health).flatMap(({ sees }) => sees ?? []),
    ["I see your toys."],
  );
});
