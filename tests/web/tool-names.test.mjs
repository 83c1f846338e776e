import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { loadTranslator } from "../../paliadin/web/static/js/texts/i18n.js";
import { countNames, rowCount, toolAtWork, toolName } from "../../paliadin/web/static/js/texts/tool-names.js";

const [en, de] = await Promise.all([loadTranslator("en"), loadTranslator("de")]);
const examples = JSON.parse(readFileSync(new URL("../tool_names.json", import.meta.url), "utf8"));

test("a tool's name is put into words, as the daemon does it", () => {
  for (const [name, english, german] of examples) {
    assert.equal(toolName(name, en), english, name);
    assert.equal(toolName(name, de), german, name);
  }
});

test("names are counted", () => {
  assert.equal(countNames(["Read", "Bash", "Read"], en), "File read ×2, Command run");
});

test("a tool that runs says what it does", () => {
  assert.equal(toolAtWork("mcp__shop__list_my_orders", en), "Looking up: Orders");
  assert.equal(toolAtWork("searchDocuments", de), "Durchsucht: Documents");
  assert.equal(toolAtWork("project_tree", en), "Using Project tree");
  assert.equal(toolAtWork("mcp__x__\u202e", en), "Using mcp__x__⟨U+202E⟩");
});

test("what came back is counted in lines of a file, else in rows", () => {
  assert.equal(rowCount("Read", 12, en), "12 lines");
  assert.equal(rowCount("mcp__shop__list_orders", 1, en), "1 row");
  assert.equal(rowCount("mcp__shop__list_orders", 7, de), "7 Zeilen");
});
