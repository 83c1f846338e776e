import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const STATIC = new URL("../../paliadin/web/static/", import.meta.url);
const read = (path) => readFileSync(new URL(path, STATIC), "utf8");

test("vendored files are the ones in their README, in the pinned versions", () => {
  const rows = [
    ...read("vendor/README.md").matchAll(/^\| `(\S+)` \| \[([@\w/-]+)\].*?\| ([\d.]+) \|.*`([0-9a-f]{64})` \|$/gm),
  ];
  const scripts = readdirSync(new URL("vendor/", STATIC), { recursive: true }).filter((name) => name.endsWith(".js"));
  const files = [...new Set(scripts.map((name) => name.split("/")[0]))];
  const pinned = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8")).devDependencies;
  assert.deepEqual(rows.map(([, file]) => file).sort(), files.sort());
  for (const [, file, name, version, sha256] of rows) {
    const hash = createHash("sha256");
    for (const script of scripts.filter((each) => each.split("/")[0] === file).sort())
      hash.update(read(`vendor/${script}`));
    assert.equal(hash.digest("hex"), sha256, file);
    assert.equal(pinned[name], version, name);
  }
});

test("vendored files are those of the packages, byte for byte", () => {
  const root = fileURLToPath(new URL("../../", import.meta.url));
  const made = mkdtempSync(join(tmpdir(), "vendored-"));
  try {
    execFileSync(join(root, "scripts/vendor"), [made], { stdio: "ignore" });
    const names = (folder) =>
      readdirSync(folder, { recursive: true })
        .filter((name) => /\.(js|LICENSE)$/.test(name))
        .sort();
    const vendored = fileURLToPath(new URL("vendor/", STATIC));
    assert.deepEqual(names(vendored), names(made));
    for (const name of names(made))
      assert.ok(readFileSync(join(vendored, name)).equals(readFileSync(join(made, name))), name);
  } finally {
    rmSync(made, { recursive: true });
  }
});

test("the page asks no other host for anything and needs nothing inline", () => {
  const page = read("index.html");
  assert.doesNotMatch(page, /(?:src|href)="(?:[a-z]+:)?\/\//);
  assert.doesNotMatch(page, /(?:src|href)="\//, "addresses are relative, for a proxy that puts a path before them");
  assert.doesNotMatch(page, /<style|<script>|\sstyle=|\son\w+=/);
  for (const name of readdirSync(new URL("css/", STATIC)))
    assert.doesNotMatch(read(`css/${name}`), /url\("?(?:[a-z]+:)?\/|@import/, name);
});
