// Parts of the page that not everybody needs: loaded once, and again where the connection breaks.
import assert from "node:assert/strict";
import test from "node:test";
import { loader } from "../../paliadin/web/static/js/browser/load.js";

/** A part whose first `broken` loads fail. */
function part(broken) {
  const loads = { count: 0 };
  loads.load = loader(async () => {
    loads.count += 1;
    if (loads.count <= broken) throw new Error(`broken ${loads.count}`);
    return "there";
  });
  return loads;
}

/** Lets what waits for a promise go on. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test("a part is loaded once for all who need it", async () => {
  const one = part(0);
  assert.deepEqual(await Promise.all([one.load(), one.load()]), ["there", "there"]);
  assert.equal(await one.load(), "there");
  assert.equal(one.count, 1);
});

test("it is tried once more after a moment, and who waits gets it", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const one = part(1);
  const waiting = [one.load(), one.load()];
  await settled();
  assert.equal(one.count, 1);
  t.mock.timers.tick(1_000);
  assert.deepEqual(await Promise.all(waiting), ["there", "there"]);
  assert.equal(one.count, 2);
});

test("a failure is told, and not kept", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const one = part(2);
  const failing = assert.rejects(one.load(), /broken 2/);
  await settled();
  t.mock.timers.tick(1_000);
  await failing;
  assert.equal(await one.load(), "there");
});
