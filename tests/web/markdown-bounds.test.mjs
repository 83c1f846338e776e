import assert from "node:assert/strict";
import { test } from "node:test";
import { MARKED_OPTIONS, createBlockSplitter } from "../../paliadin/web/static/js/markdown/block-splitter.js";
import { Parser } from "../../paliadin/web/static/vendor/marked.js";

const LEVELS = 10;
const parse = (text) => createBlockSplitter()(text, true);
const html = (text) => Parser.parse(parse(text), MARKED_OPTIONS);
const count = (tag, text) => html(text).split(`<${tag}>`).length - 1;
const around = (opening, closing, times) => `${opening.repeat(times)}x${closing.repeat(times)}`;

test("quotations and lists nest to a bound, and the rest of them is text", () => {
  for (const times of [2_500, 25_000]) {
    assert.equal(count("blockquote", `${"> ".repeat(times)}x`), LEVELS);
    assert.equal(count("blockquote", `${">".repeat(times)}x`), LEVELS);
    for (const mark of ["- ", "+ "]) assert.equal(count("ul", `${mark.repeat(times)}x`), LEVELS);
    assert.equal(count("ol", `${"1. ".repeat(times)}x`), LEVELS);
    assert.equal(count("blockquote", `${"> - ".repeat(times)}x`), LEVELS / 2);
  }
  assert.match(html(`${"> ".repeat(12)}x`), /<p>&gt; &gt; x<\/p>/);
});

test("quotations and lists within the bound are drawn as such", () => {
  assert.equal(count("blockquote", `${"> ".repeat(LEVELS)}x`), LEVELS);
  const list = Array.from({ length: LEVELS }, (_, depth) => `${"  ".repeat(depth)}- level ${depth}`).join("\n");
  assert.equal(count("ul", list), LEVELS);
});

test("emphasis nests to a bound, and brackets and tags do no harm", () => {
  assert.ok(count("em", around("*a ", " a*", 60)) <= LEVELS);
  for (const [opening, closing] of [
    ["*a ", " a*"],
    ["*a _b ", " b_ a*"],
    ["~~a ", " a~~"],
    ["*", "*"],
    ["[", "]"],
    ["[", "](y)"],
    ["![", "](y)"],
    ["<b>", "</b>"],
    ["<div>", "</div>"],
    ["(", ")"],
  ])
    assert.match(html(`a ${around(opening, closing, 2_500)}`), /x/);
});

test("what would take too long is shown as it is", () => {
  const plain = {
    "a paragraph of openings": "*a".repeat(50_000),
    "brackets that never close": "a ![".repeat(50_000),
    "a long address": `http://a${")".repeat(50_000)}`,
    "half a mail address": `${"a.".repeat(25_000)}@b`,
    "links and their addresses": `[a]: b\n\n${"[a]".repeat(50_000)}`,
  };
  for (const [what, text] of Object.entries(plain)) assert.doesNotMatch(html(text), /<(em|strong|a) ?/, what);
  const lazy = parse("> a\nb\n".repeat(25_000));
  assert.deepEqual([lazy.length, lazy[0].type], [1, "plain"]);
  const [table] = parse(`${"|a".repeat(3_000)}|\n${"|-".repeat(3_000)}|\n${"|b|\n".repeat(3_000)}`);
  assert.equal(table.type, "plain");
});

test("quotations whose depth goes down do not double the work with each level", () => {
  const text = Array.from({ length: 300 }, (_, line) => `${"> ".repeat(300 - line)}x`).join("\n");
  assert.match(html(text), /<blockquote>/);
});

test("an answer that is long but ordinary is drawn in full", () => {
  const chapter = "Some **bold** text, `code` and [a link](https://example.org/).\n\n- one\n  - two\n\n> *q*\n\n";
  const drawn = html(chapter.repeat(2_000));
  for (const tag of ["strong", "code", "blockquote", "em"])
    assert.equal(drawn.split(`<${tag}>`).length - 1, 2_000, tag);
});

test("what stands beside an excess is drawn as ever", () => {
  const drawn = html(`**first**\n\n${"*a".repeat(50_000)}\n\n**last**`);
  assert.match(drawn, /^<p><strong>first<\/strong><\/p>/);
  assert.match(drawn, /<p><strong>last<\/strong><\/p>\n$/);
});
