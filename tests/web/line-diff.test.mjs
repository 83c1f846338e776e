import assert from "node:assert/strict";
import { test } from "node:test";
import { diffLines } from "../../paliadin/web/static/js/views/common/line-diff.js";

const shown = (before, after) => diffLines(before, after).map(({ mark, text }) => mark + text);

test("what stays, goes and comes stands in the order of the text", () => {
  assert.deepEqual(shown("a\nb\nc\n", "a\nB\nc\nd\n"), [" a", "-b", "+B", " c", "+d"]);
  assert.deepEqual(shown("a\nb\nc", "c"), ["-a", "-b", " c"]);
});

test("a newline that goes or comes at the end is seen", () => {
  assert.deepEqual(shown("x", "x\n"), [" x", "+"]);
  assert.deepEqual(shown("x\n", "x"), [" x", "-"]);
  assert.deepEqual(shown("", "\n"), ["+"]);
});

test("an empty text has no line", () => {
  assert.deepEqual(shown("", "new\n"), ["+new"]);
  assert.deepEqual(shown("old", ""), ["-old"]);
  assert.deepEqual(shown("", ""), []);
});

test("texts too long to compare are shown whole, nothing is left out", () => {
  const many = (word) => Array.from({ length: 1200 }, (_, i) => `${word} ${i}`).join("\n");
  const lines = shown(many("old"), many("new"));
  assert.equal(lines.length, 2400);
  assert.deepEqual([lines[0], lines[1200]], ["-old 0", "+new 0"]);
});
