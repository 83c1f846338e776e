import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { listenToKeys } from "../../paliadin/web/static/js/browser/keys.js";

const STATIC = fileURLToPath(new URL("../../paliadin/web/static/", import.meta.url));
const HELPER = join(STATIC, "js", "browser", "keys.js");

/** @param {string} key @param {object} [how] */
const press = (key, how) => Object.assign(new Event("keydown"), { key, isComposing: false, keyCode: 0, ...how });

test("a handler never sees a key that an input method has taken, in Safari's order either", () => {
  const target = new EventTarget();
  /** @type {string[]} */
  const seen = [];
  const unlisten = listenToKeys(target, ({ key }) => seen.push(key));
  target.dispatchEvent(press("Enter", { keyCode: 229, isComposing: true }));
  target.dispatchEvent(press("Enter", { keyCode: 229 })); // Safari: after compositionend
  target.dispatchEvent(press("1", { keyCode: 49, isComposing: true })); // Firefox
  target.dispatchEvent(new Event("keydown")); // a password manager
  target.dispatchEvent(press("Enter", { keyCode: 13 }));
  unlisten();
  target.dispatchEvent(press("a", { keyCode: 65 }));
  assert.deepEqual(seen, ["Enter"]);
});

test("every handler of keys listens through the helper that knows input methods", () => {
  /** @param {string} folder @returns {string[]} */
  const sources = (folder) =>
    readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) return entry.name === "vendor" ? [] : sources(path);
      return /\.(?:js|html)$/.test(entry.name) && path !== HELPER ? [path] : [];
    });
  const forgetful = sources(STATIC).filter((path) =>
    /\b(?:on)?key(?:down|up|press)\b/.test(readFileSync(path, "utf8")),
  );
  assert.deepEqual(forgetful, []);
});
