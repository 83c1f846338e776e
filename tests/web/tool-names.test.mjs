// What tools are called: the same as in paliadin/words/tool_names.py.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { loadTranslator } from "../../paliadin/web/static/js/texts/i18n.js";
import { countNames, stemOfRows, toolName } from "../../paliadin/web/static/js/texts/tool-names.js";

const EXAMPLES = JSON.parse(readFileSync(new URL("../tool_names.json", import.meta.url), "utf8"));

test("tools have names in words, in both languages", async () => {
  const [en, de] = [await loadTranslator("en"), await loadTranslator("de")];
  for (const [name, english, german] of EXAMPLES) {
    assert.deepEqual([toolName(name, en), toolName(name, de)], [english, german]);
  }
});

test("a long name is clipped", async () => {
  const t = await loadTranslator("en");
  assert.equal(toolName(`get_${"x".repeat(500)}`, t), `X${"x".repeat(59)} looked up`);
});

test("tools are listed with how often each ran, and rows are those of what was read", async () => {
  const t = await loadTranslator("en");
  assert.equal(countNames(["Read", "Bash", "Read"], t), "File read ×2, Command run");
  assert.deepEqual([stemOfRows("Read"), stemOfRows("Grep")], ["lines", "rows"]);
});
