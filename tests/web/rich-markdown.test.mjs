/** What answers have beside plain Markdown: formulas, footnotes, callouts, what folds, and the places of chips. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  MARKED_OPTIONS,
  createBlockSplitter,
  lexMarkdown,
} from "../../paliadin/web/static/js/markdown/block-splitter.js";
import { placesOfChips } from "../../paliadin/web/static/js/markdown/chip-places.js";
import { languageOf } from "../../paliadin/web/static/js/markdown/language-names.js";
import { visibleText } from "../../paliadin/web/static/js/markdown/visible-text.js";
import { Parser } from "../../paliadin/web/static/vendor/marked.js";

const html = (text) =>
  createBlockSplitter()(text, true)
    .map((token) => Parser.parse([token], MARKED_OPTIONS))
    .join("");
const formulas = (text) => [...html(text).matchAll(/class="formula[^"]*">([^<]*)</g)].map(([, tex]) => tex);

for (const text of [
  "It costs $5 and $10.",
  "US$5 and A$6, or $50/year ($) each, 3 $ and 4 $",
  "$HOME and $PATH, $HOME/bin:$PATH",
  "Between $5-$10 and $5)($6",
  "`$x$` and \\$x\\$",
  "Von $500 (+ 19 %) auf 595 US$, von $500 (+ Steuer) auf 595 US$",
  "${HOST}:${PORT} and $(pwd)/$(ls) and $.a+$.b",
  '"$" and "$", ($) and (€), ($)',
  "\\d+$|\\w+$ and $5/$-Preis, $5–$10",
  "Preisklasse $$–$$$, kill $$ or echo $$",
  "\\(the value of max_length here\\), \\[my_file.txt\\]",
  "A$x+1$",
  "$a % b$ and $$\na % b\n$$",
  "a \\[note\\] and \\(an aside\\)",
  "$$ $$ and $ x $",
  `$${"x".repeat(3_000)}$`,
  `$$\n${"x".repeat(3_000)}\n$$`,
])
  test(`no formula: ${text.slice(0, 40)}`, () => assert.deepEqual(formulas(text), []));

for (const [text, ...expected] of [
  ["Let $x_1 + y$ be $2n$, and $5 \\times 3$.", "x_1 + y", "2n", "5 \\times 3"],
  ["It is $5, or $x$[^1].", "x"],
  ["For $(a+b)^2$, $|x|$, $10$, $n!$ and $f(x)$:", "(a+b)^2", "|x|", "10", "n!", "f(x)"],
  ["Where $x > 0 \\text{ and the sum is even}$.", "x &#62; 0 \\text{ and the sum is even}"],
  ["The $n$-th, $\\{1, 2\\}$, $50\\%$ and $a_{\\text{max}}$.", "n", "\\{1, 2\\}", "50\\%", "a_{\\text{max}}"],
  ["$$\n12 + 3\n$$", "12 + 3"],
  ["\\[x\\]: see_this \\[y\\]", "x", "y"],
  ["So \\(x^2\\) and \\[y = 1\\].", "x^2", "y = 1"],
  ["Then:\n$$\n\\frac{a}{b}\n$$\nand\n\n\\[\nx^2\n\\]", "\\frac{a}{b}", "x^2"],
  ["- one $a<b$\n- | no", "a&#60;b"],
  ["| $a_1$ | b |\n|---|---|\n| $c^2$ | d |", "a_1", "c^2"],
])
  test(`formulas: ${text.slice(0, 40)}`, () => assert.deepEqual(formulas(text), expected));

test("a formula is no text that claims are looked for in", () => {
  const [block] = lexMarkdown("It is $x^2$, due on **31.12.2031**.");
  assert.equal(visibleText(block).text, "It is , due on 31.12.2031.\n");
});

test("a quotation that begins with a mark is a callout, and its mark is gone", () => {
  assert.equal(
    html("> [!NOTE]\n> Some **words**\n"),
    '<blockquote class="callout callout-note">\n<p>Some <strong>words</strong></p>\n</blockquote>\n',
  );
  assert.equal(html("> [!tip]\n>\n> - one\n").match(/callout-tip/g).length, 1);
  assert.doesNotMatch(html("> [!NOTE] words\n\n> [!OTHER]\n> words"), /callout/);
});

test("a number in brackets is a reference, a word only with a note of this name", () => {
  const text = "A[^1], b[^here] and c[^none].\n\n[^1]: One\nand more\n[^here]: Two *words*\n";
  assert.match(html(text), /A<sup class="footnote-reference" data-note="1">1<\/sup>/);
  assert.match(html(text), /b<sup class="footnote-reference" data-note="here">here<\/sup> and c\[\^none\]/);
  assert.match(html(text), /data-note="1"><span class="footnote-mark">1<\/span> One\nand more<\/p>/);
  assert.match(html(text), /<span class="footnote-mark">here<\/span> Two <em>words<\/em><\/p>/);
});

test("what folds has Markdown in it, ends at its own end, and may be open at the text's", () => {
  const fence = "```html\n</details>\n```";
  const inner = "<details><summary>In</summary>\nq\n</details>";
  const text = `<details>\n<summary>More *x*</summary>\n\nA **b**\n\n${fence}\n\n${inner}\n\nend\n</details>\n\nafter`;
  assert.match(html(text), /^<details><summary>More <em>x<\/em><\/summary><p>A <strong>b<\/strong><\/p>/);
  assert.match(html(text), /<details><summary>In<\/summary><p>q<\/p>\n<\/details>\n<p>end<\/p>\n<\/details>\n<p>after/);
  assert.equal(html("<details open>\nwords\n"), "<details open><p>words</p>\n</details>\n");
  assert.equal((html("<details>\n".repeat(40)).match(/<details>/g) ?? []).length, 10, "no deeper than lists");
  assert.doesNotMatch(html('<details ontoggle="x">\nwords\n</details>'), /<details/);
});

test("nothing that stands behind the end of what folds is lost", () => {
  assert.match(html("<details>\nA\n</details> tail\n\nafter"), /<p>A<\/p>\n<\/details>\n<p> ?tail<\/p>\n<p>after/);
  assert.match(html("<details>\nuse `</details>` here\n</details>"), /here<\/p>\n<\/details>\n$/);
  assert.match(html("<details><summary>A</summary>body</details>"), /<summary>A<\/summary><p>body<\/p>\n<\/details>/);
  assert.equal(html("<details>\nA\n</details><details>\nB\n</details>").match(/<details>/g)?.length, 2);
});

test("tasks are no bullets", () => {
  assert.equal(html("- [x] a\n- b\n"), '<ul>\n<li class="task">☑ a</li>\n<li>b</li>\n</ul>\n');
});

test("text that grows gives what the whole gives", () => {
  const text =
    "A $x$[^1]\n\n> [!NOTE]\n> n\n\n$$\ny\n$$\n\n<details>\n<summary>s</summary>\n\nd\n</details>\n\n[^1]: n\n";
  const split = createBlockSplitter();
  for (let end = text.indexOf("\n") + 1; end > 0; end = text.indexOf("\n", end) + 1) split(text.slice(0, end), false);
  const grown = split(text, true).map((token) => Parser.parse([token], MARKED_OPTIONS));
  assert.equal(grown.join(""), html(text));
});

test("blocks that end a paragraph are looked for within a bound: each costs the rest of the paragraph", () => {
  const count = (times) => formulas("a\n$$x$$\n".repeat(times)).length;
  assert.equal(count(50), 50);
  assert.ok(count(20_000) > 100 && count(20_000) < 1_000, String(count(20_000)));
});

const placed = (text, ...ats) => {
  const blocks = createBlockSplitter()(text, true);
  const chips = ats.map((at, n) => ({ n, at }));
  return [...placesOfChips(chips, text, blocks)].flatMap(([index, places]) =>
    places.map(([{ n }, { start, end }]) => [n, index, blocks[index].raw.slice(start, end)]),
  );
};

test("a chip belongs to the word before it", () => {
  const text = "The 😀 **Appeal** is due.\n\n- one\n- two words \n";
  assert.deepEqual(placed(text, 16, 24), [
    [0, 0, "**Appeal**"],
    [1, 0, "due."],
  ]);
  assert.deepEqual(placed(text, [...text].length), [[0, 1, "words"]]);
});

test("a chip before all words, in code, or of an older daemon has no place", () => {
  assert.deepEqual(placed("Words", 0), []);
  assert.deepEqual(placed("```\ncode\n```\n", 8), []);
  assert.deepEqual(placed("Words", undefined), []);
});

test("a language is known by its names", () => {
  assert.deepEqual(
    ["Python", "py", "HTML", "console", "mermaid", "none", "constructor", "markdown", ""].map(languageOf),
    ["python", "python", "xml", "shell", "mermaid", null, null, null, null],
  );
});
