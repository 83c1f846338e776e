import assert from "node:assert/strict";
import { test } from "node:test";
import {
  clip,
  formatDuration,
  formatNumber,
  formatTime,
  splitEdits,
  toolInputRows,
  escapeInvisible,
  withoutLongRows,
} from "../../paliadin/web/static/js/texts/format.js";

test("durations are written as a person would, in the language's own digits", () => {
  assert.equal(formatDuration(31, "en"), "31 ms");
  assert.equal(formatDuration(3240, "en"), "3.2 s");
  assert.equal(formatDuration(3240, "de"), "3,2 s");
  assert.equal(formatDuration(42_400, "en"), "42 s");
  assert.equal(formatDuration(59_999, "en"), "60 s");
  assert.equal(formatDuration(125_000, "en"), "2 min 5 s");
  assert.equal(formatDuration(120_000, "de"), "2 min");
});

test("numbers are grouped", () => {
  assert.equal(formatNumber(18034, "en"), "18,034");
  assert.equal(formatNumber(18034, "de"), "18.034");
});

test("a time of today has no date", () => {
  const noon = new Date(2026, 10, 21, 12, 0).getTime();
  assert.match(formatTime(noon, "de", noon), /^12:00$/);
  assert.match(formatTime(noon, "de", noon + 86_400_000), /21\.11\.2026/);
});

test("characters that hide or reorder text are made visible", () => {
  assert.equal(escapeInvisible("rm \u202egnp.exe\u200b\r"), "rm ⟨U+202E⟩gnp.exe⟨U+200B⟩⟨U+000D⟩");
  assert.equal(escapeInvisible("\u{13441}\u{1D159}\uE000"), "⟨U+13441⟩⟨U+1D159⟩⟨U+E000⟩");
  const marks = "\u0301".repeat(8);
  assert.equal(escapeInvisible(`a${marks}\u0301\u0302 b`), `a${marks}⟨U+0301⟩⟨U+0302⟩ b`);
  assert.equal(escapeInvisible("two\n\tlines, ünïcode 漢字 😀"), "two\n\tlines, ünïcode 漢字 😀");
});

test("a letter keeps eight combining marks", () => {
  assert.equal(withoutLongRows(`a${"\u0301".repeat(50_000)}b`), `a${"\u0301".repeat(8)}b`);
  assert.equal(withoutLongRows("é ẫ ก้"), "é ẫ ก้");
});

test("a tool's input is shown whole, with strings as they are", () => {
  assert.deepEqual(toolInputRows({ command: "a\nb", n: 5, deep: { x: [1] } }), [
    { name: "command", value: "a\nb" },
    { name: "n", value: "5" },
    { name: "deep", value: '{\n  "x": [\n    1\n  ]\n}' },
  ]);
  assert.deepEqual(toolInputRows("text"), [{ name: "", value: "text" }]);
  assert.deepEqual(toolInputRows(null), []);
});

test("text is clipped at a word", () => {
  assert.equal(clip("short", 10), "short");
  assert.equal(clip("one two three", 9), "one two …");
});

test("of an edit nothing is left out, whatever else a tool takes", () => {
  const edit = { old_string: "x", new_string: "y" };
  const rows = (input) => splitEdits(input).rows.map(({ name, value }) => `${name}=${value}`);
  assert.deepEqual(splitEdits(edit), { edits: [["x", "y"]], rows: [] });
  assert.deepEqual(rows({ file_path: "/a", ...edit, replace_all: true }), ["file_path=/a", "replace_all=true"]);
  const several = { file_path: "/a", edits: [edit, { ...edit, command: "rm -rf ~" }] };
  assert.equal(splitEdits(several).edits.length, 2);
  assert.deepEqual(rows(several), ["file_path=/a", "edits[1].command=rm -rf ~"]);
  assert.deepEqual(rows({ "edits[0].run": "mine", edits: [{ ...edit, run: ["curl"] }] }).length, 2);
  assert.deepEqual(rows({ file_path: "/a", edits: [] }), ["file_path=/a", "edits=[]"]);
  const mixed = rows({ edits: [edit, "touch"] });
  assert.equal(mixed.length, 1);
  assert.match(mixed[0], /touch/);
  assert.deepEqual(rows(JSON.parse('{"edits": [{"old_string": "x", "new_string": "y", "__proto__": 1}]}')), [
    "edits[0].__proto__=1",
  ]);
});
