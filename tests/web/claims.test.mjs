import assert from "node:assert/strict";
import { test } from "node:test";
import { MARKED_OPTIONS, createBlockSplitter } from "../../paliadin/web/static/js/markdown/block-splitter.js";
import { finderIn, placesInBlocks, withoutOverlaps } from "../../paliadin/web/static/js/markdown/claim-places.js";
import { isMarked, toClaims } from "../../paliadin/web/static/js/state/claims.js";
import { loadTranslator } from "../../paliadin/web/static/js/texts/i18n.js";
import { describeOrigin, linesOf, sumUp, shortWords } from "../../paliadin/web/static/js/views/turn/claim-words.js";
import { Parser } from "../../paliadin/web/static/vendor/marked.js";

const ENTITIES = { amp: "&", lt: "<", gt: ">", quot: '"', nbsp: "\u00a0", euro: "€", copy: "©" };
const decode = (html) =>
  html
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replace(/&(\w+);/g, (whole, name) => ENTITIES[name] ?? whole);

/** What a browser shows of a block, with line breaks as claim-marks.js puts them. */
const shownOf = (token) =>
  decode(
    Parser.parse([token], MARKED_OPTIONS)
      .replace(/<(?:br|\/?(?:p|li|td|th|pre|blockquote|h\d))\b[^>]*>/g, "\n")
      .replace(/<[^>]*>/g, ""),
  );

/** The claims whose words stand between ⟦ and ⟧, and the text without these marks. */
function marked(text) {
  const claims = [];
  let plain = "";
  let start = 0;
  for (const [i, piece] of text.split(/[⟦⟧]/).entries()) {
    if (i % 2 === 0) start = [...(plain + piece)].length;
    else claims.push({ start, end: start + [...piece].length, text: piece });
    plain += piece;
  }
  return { plain, claims };
}

/** Where each claim is found: its words, and the shown text around them. */
function found(text, width = 4) {
  const { plain, claims } = marked(text);
  const blocks = createBlockSplitter()(plain, true);
  return [...placesInBlocks(claims, plain, blocks)].flatMap(([index, places]) => {
    const shown = shownOf(blocks[index]);
    const find = finderIn(blocks[index], shown);
    return places.map(([, place]) => {
      const range = find(place);
      if (!range) return null;
      const [from, to] = range;
      return `${shown.slice(Math.max(from - width, 0), from)}⟦${shown.slice(from, to)}⟧${shown.slice(to, to + width)}`;
    });
  });
}

for (const [what, text, expected] of [
  ["in plain text, the second of two", "Due 5 days, then ⟦5⟧ more.", ["hen ⟦5⟧ mor"]],
  ["in bold", "Until **⟦31.12.2031⟧** only.", ["til ⟦31.12.2031⟧ onl"]],
  ["with its bold", "Until ⟦**31.12.2031**⟧ only.", ["til ⟦31.12.2031⟧ onl"]],
  ["partly bold", "Until ⟦31.**12**.2031⟧ only.", ["til ⟦31.12.2031⟧ onl"]],
  ["behind a link's address that has the same words", "[12](https://a.example/12) and ⟦12⟧ x", ["and ⟦12⟧ x\n"]],
  ["in a link", "See [⟦c47bd2⟧](https://a.example/c47bd2), c47bd2.", ["See ⟦c47bd2⟧, c4"]],
  ["in an address", "See https://a.example/⟦c47bd2⟧ now.", ["ple/⟦c47bd2⟧ now"]],
  ["in a link by reference", "[⟦12⟧][a] 12\n\n[a]: https://a.example/12", ["\n⟦12⟧ 12\n"]],
  ["in code", "The id is `⟦c47bd2⟧`, c47bd2.", [" is ⟦c47bd2⟧, c4"]],
  ["in a block of code", '```json\n7\n{ "n": ⟦7⟧ }\n```', ['n": ⟦7⟧ }\n']],
  ["escaped", "It is \\*⟦5⟧\\* of 5.", ["is *⟦5⟧* of"]],
  ["with an entity in it", "It costs ⟦5&nbsp;€⟧, 5&nbsp;€.", ["sts ⟦5\u00a0€⟧, 5\u00a0"]],
  ["behind entities", "A &amp; B &lt;5&gt; is &#53;, ⟦5⟧.", [" 5, ⟦5⟧.\n"]],
  ["behind an entity that is not known here", "&copy; 5 or ⟦5⟧", [" or ⟦5⟧\n"]],
  ["in a heading", "# Due ⟦5⟧\n\n5", ["Due ⟦5⟧\n"]],
  ["in a list", "- 5 a\n- ⟦5⟧ b\n  - c ⟦5⟧\n  - 5\n", ["a\n⟦5⟧ b\n", "\nc ⟦5⟧\n5"]],
  ["in a loose list with an indent", "1. a\n\n   b 5\n   c ⟦5⟧\n\n2. 5", ["5\nc ⟦5⟧\n"]],
  ["with a task", "- [x] 5 a\n- [ ] b ⟦5⟧", ["☐ b ⟦5⟧\n"]],
  ["in a table", "| a | 5 |\n| --- | ---: |\n| 5 | ⟦5⟧ |\n| 1 | 5 |\n", ["5\n\n⟦5⟧\n\n"]],
  ["in a quotation of two lines", "> a 5\n> b ⟦5⟧", ["5\nb ⟦5⟧\n"]],
  ["over two lines", "He said ⟦“one\ntwo”⟧.", ["aid ⟦“one\ntwo”⟧.\n"]],
  ["behind an emoji", "👩‍💻 5 👍 and ⟦5⟧.", ["and ⟦5⟧.\n"]],
  ["behind CRLF", "One 5\r\n\r\ntwo\r\n5 and ⟦5⟧\r\n", ["and ⟦5⟧\n"]],
  ["behind a blank line and a definition", "[a]: https://a.example/5\n\n\n\nx ⟦5⟧", ["\nx ⟦5⟧\n"]],
  ["behind HTML", "<b>5</b> ⟦5⟧<br>5", ["/b> ⟦5⟧\n5\n"]],
  ["behind an image", "![5](https://a.example/5.png) 5 ⟦5⟧", ["5 5 ⟦5⟧\n"]],
]) {
  test(`a claim is found ${what}`, () => {
    assert.deepEqual(
      found(text).map((each) => each?.replace(/\n+/g, "\n")),
      expected.map((each) => each.replace(/\n+/g, "\n")),
    );
  });
}

test("a claim that is not shown, or does not say what stands there, has no place", () => {
  assert.deepEqual(found("[x](https://a.example/⟦5⟧)"), [null]);
  assert.deepEqual(found("a ⟦1\n\n2⟧ b"), []);
  const blocks = createBlockSplitter()("Due 5.", true);
  assert.equal(placesInBlocks([{ start: 0, end: 3, text: "5" }], "Due 5.", blocks).size, 0);
  assert.equal(placesInBlocks([{ start: 90, end: 99, text: "5" }], "Due 5.", blocks).size, 0);
});

test("of overlapping ranges the first in the list stays", () => {
  const ranges = [
    ["b", 5, 9],
    ["a", 0, 5],
    ["c", 8, 12],
    ["d", 12, 14],
    ["e", 5, 9],
    ["f", 13, 14],
  ];
  assert.deepEqual(
    withoutOverlaps(ranges).map(([name]) => name),
    ["a", "b", "d"],
  );
});

const claim = (fields) => toClaims([{ message_id: "m1", start: 0, end: 1, text: "5", kind: "count", ...fields }])[0];
const call = (fields) => ({ origin: "call", call: "t1", turn_id: null, line: 12, text: "a line", ...fields });

test("claims are read whatever they are", () => {
  assert.equal(toClaims(undefined), null);
  assert.equal(toClaims({ length: 1 }), null);
  const bad = [null, 5, "x", [], {}, { start: 0, end: 0, text: "x" }, { start: -1, end: 2, text: "x" }];
  assert.deepEqual(toClaims([...bad, { start: 0, end: 2, text: " " }, { start: "0", end: 2, text: "x" }]), []);
  const odd = claim({ status: "constructor", sources: [null, 7, { origin: "else" }, call({ line: "x", text: 7 })] });
  assert.equal(odd.status, "unknown");
  const source = { origin: "call", call: "t1", turn_id: "", line: null, text: "7", field: "", record: "" };
  assert.deepEqual(odd.sources, [source]);
  assert.equal(claim({ status: "found", sources: "none" }).sources.length, 0);
});

const many = (counts) => Object.entries(counts).flatMap(([status, count]) => Array(count).fill(claim({ status })));
const translators = { en: await loadTranslator("en"), de: await loadTranslator("de") };
const sentence = (claims, lang) => {
  const sum = sumUp(claims, translators[lang], lang);
  return sum && `${sum.facts}: ${sum.counts.map(({ text }) => text).join(", ")}`;
};

test("the facts are summed up in both languages", () => {
  assert.equal(sumUp([], translators.en, "en"), null);
  assert.equal(
    sentence(many({ found: 10, unsupported: 1, derived: 1 }), "en"),
    "12 facts: 10 found, 1 derived, 1 not found in anything Claude looked up",
  );
  assert.equal(
    sentence(many({ given: 2, found: 8, unknown: 1 }), "en"),
    "11 facts: 8 found, 2 from your question, 1 could not be checked",
  );
  assert.equal(sentence(many({ found: 1 }), "en"), "1 fact: 1 found");
  assert.equal(
    sentence(many({ found: 2, unsupported: 2 }), "de"),
    "4 Angaben: 2 gefunden, 2 nicht gefunden in dem, was Claude nachgeschlagen hat",
  );
  assert.equal(sentence(many({ unknown: 1 }), "de"), "1 Angabe: 1 nicht prüfbar");
  const ofPage = claim({ status: "given", sources: [{ origin: "context" }] });
  assert.equal(sentence([ofPage], "en"), "1 fact: 1 from your question or the page");
});

test("each claim says where it comes from", () => {
  const t = translators.en;
  const says = (fields, name = "Read a.md") => describeOrigin(claim(fields), () => name, t);
  assert.equal(says({ status: "found", sources: [call()] }), "Found in Read a.md, line 12");
  assert.equal(says({ status: "found", sources: [call({ line: null })] }), "Found in Read a.md");
  assert.equal(
    says({ status: "found", sources: [call({ turn_id: "u1" })] }, ""),
    "Found in what a tool returned, line 12, in an earlier answer",
  );
  assert.equal(says({ status: "found" }), "Found in what a tool returned");
  const inRecord = call({ field: "due_date", record: "Reply" });
  assert.equal(says({ status: "found", sources: [inRecord] }), "Found in Read a.md: due_date of “Reply”");
  assert.equal(says({ status: "found", sources: [call({ field: "total" })] }), "Found in Read a.md: total");
  assert.equal(says({ status: "given", sources: [{ origin: "question" }] }), "You wrote this");
  assert.equal(says({ status: "given", sources: [{ origin: "context" }] }), "From the page's context");
  assert.equal(says({ status: "derived", rule: "sum", sources: [call(), call()] }), "Derived: sum from Read a.md");
  assert.equal(says({ status: "derived", rule: "__proto__" }), "Derived");
  assert.equal(
    says({ status: "unsupported" }),
    "Not found in anything Claude looked up. It may be right all the same.",
  );
  assert.match(says({ status: "unknown", sources: [call()] }), /^Could not be checked/);
});

test("a calculation is told, and what it comes to where that is something else", () => {
  const t = translators.en;
  const says = (fields) => describeOrigin(claim(fields), () => "Read a.md", t);
  const calculation = { text: "13 / 15", comes_to: "87 %", assumes: [] };
  assert.equal(says({ status: "calculated", calculation, sources: [call()] }), "Calculated: 13 / 15 · from Read a.md");
  assert.equal(
    says({ status: "calculated", calculation: { ...calculation, assumes: ["14 days"] } }),
    "Calculated: 13 / 15 (assumes 14 days)",
  );
  assert.equal(says({ text: "78 %", status: "differs", calculation }), "Does not add up: 13 / 15 is 87 %, not 78 %");
  const quoted = { text: '"due 15 May"', comes_to: "", assumes: [] };
  assert.equal(says({ status: "differs", calculation: quoted }), 'Does not add up: the line says "due 15 May"');
  assert.equal(claim({ status: "differs", calculation: { comes_to: "7" } }).calculation, null);
  assert.equal(
    sentence(many({ found: 1, calculated: 2, differs: 1 }), "en"),
    "4 facts: 1 found, 2 calculated, 1 not adding up",
  );
});

test("plain numbers that were not found are not marked in the text, all else is", () => {
  const marked = (fields) => isMarked(claim(fields));
  assert.deepEqual(
    ["date", "time", "amount", "id", "quotation", "name", "line", "number", "count"].filter((kind) =>
      marked({ kind, status: "unsupported" }),
    ),
    ["date", "time", "amount", "id", "quotation", "name", "line"],
  );
  assert.equal(marked({ kind: "count", status: "differs" }), true);
  assert.equal(marked({ kind: "date", status: "found" }), false);
});

test("what tools and Claude wrote is shown as text in which nothing hides", () => {
  const hostile = claim({ status: "found", text: "a\u202eb\n c", sources: [call({ text: "x\u200by" })] });
  assert.equal(shortWords(hostile.text), "a⟨U+202E⟩b c");
  assert.deepEqual(linesOf(hostile), ["x⟨U+200B⟩y"]);
  assert.deepEqual(linesOf(claim({ status: "derived", sources: Array(9).fill(call()) })).length, 3);
});
