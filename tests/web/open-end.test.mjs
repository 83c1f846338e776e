/** The end of a text that is being written. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { MARKED_OPTIONS, createBlockSplitter } from "../../paliadin/web/static/js/markdown/block-splitter.js";
import { closeOpenEnd } from "../../paliadin/web/static/js/markdown/open-end.js";
import { Parser } from "../../paliadin/web/static/vendor/marked.js";

const html = (blocks) =>
  blocks
    .map((token) => Parser.parse([token], MARKED_OPTIONS))
    .join("")
    .trim();
const growing = (text) => html(closeOpenEnd(createBlockSplitter()(text, false), text));
const whole = (text) => html(createBlockSplitter()(text, true));

for (const [name, text, looksLike] of [
  ["bold text", "A **bo", "A **bo**"],
  ["bold text with a blank at its end", "A **bold ", "A **bold**"],
  ["half of the mark that closes it", "A **bold*", "A **bold**"],
  ["bold text that is closed", "A **bold**", "A **bold**"],
  ["the mark that opens it", "A **", "A"],
  ["code", "A `co", "A `co`"],
  ["a mark in code", "A `a ** [b", "A `a ** [b`"],
  ["the backquote alone", "A `", "A"],
  ["code in bold text", "**A `co", "**A `co`**"],
  ["the name of a link", "See [the do", "See the do"],
  ["the address of a link", "See [the docs](https://exa", "See the docs"],
  ["a link in bold text", "**See [the docs](https://exa", "**See the docs**"],
  ["a link that is closed", "See [docs](https://a.example/) n", "See [docs](https://a.example/) n"],
  ["a hyphen below a line", "Points:\n-", "Points:"],
  ["equals signs below a line", "Points\n==", "Points"],
  ["a number below a line", "Points:\n1", "Points:"],
  ["a bullet in a list", "- one\n- ", "- one"],
  ["a bold point in a list", "- one\n- **tw", "- one\n- **tw**"],
  ["a heading's mark", "One.\n\n##", "One."],
  ["a rule", "One.\n\n---", "One."],
  ["the first line of a table", "Look:\n\n| a | b", "Look:"],
  ["the second line of a table", "Look:\n\n| a | b |\n|--", "Look:"],
  ["a table without a row", "Look:\n\n| a | b |\n|---|---|\n| **x", "Look:"],
  ["a row that is not whole", "| a | b |\n|---|---|\n| 1 | 2 |\n| **x", "| a | b |\n|---|---|\n| 1 | 2 |"],
  ["a formula that is not whole", "So $x^2 + \\frac{1", "So"],
  ["a formula that is whole", "So $x^2$ is", "So $x^2$ is"],
  ["a formula of its own line", "So:\n\n$$\n\\frac{a}", "So:"],
  ["a formula in brackets", "So \\(x_", "So"],
  ["a price", "It costs $5 or **more", "It costs $5 or **more**"],
  ["a variable of a shell", "Set $HOME to this **path", "Set $HOME to this **path**"],
  ["words behind a formula", "So $x$ is **bo", "So $x$ is **bo**"],
  ["the beginning of a block of code", "Look:\n\n```py", "Look:"],
  ["the end of a block of code", "```py\na = 1\n``", "```py\na = 1\n"],
  ["code with marks", "```py\na = 2**n[", "```py\na = 2**n["],
  ["code with a line of marks", "```py\na\n--", "```py\na\n--"],
  ["code in a list", "- one:\n  ```sh\n  if [ -f **x", "- one:\n  ```sh\n  if [ -f **x"],
  ["the beginning of code in a list", "- one:\n  ```sh", "- one:"],
  ["the end of code in a list", "- one:\n  ```sh\n  ls\n  ``", "- one:\n  ```sh\n  ls\n"],
  ["a bold point below code in a list", "- a\n  ```\n  b\n  ```\n- **c", "- a\n  ```\n  b\n  ```\n- **c**"],
  ["a whole first line of a table", "| a | b |\n", ""],
  ["bold text over two lines", "A **b\n", "A **b**"],
  ["a product", "2 * 3 is 6, and 2**n", "2 * 3 is 6, and 2**n"],
  ["a mark that is escaped", "A \\**b", "A \\**b"],
])
  test(`it is shown as it will look: ${name}`, () => assert.equal(growing(text), whole(looksLike)));

const RICH = `Some **bold words** and \`code\`, as [a link](https://example.com/a/path) shows.

Points:
- one **point** of them
- another

| name | value |
|------|-------|
| a **b** | 1 |

Setext? No.
1. One
2. **Two**
> quoted **text**

## A heading

---

The **end**.
`;

test("at no letter a mark is shown, or a heading, a list or a table that is none in the end", () => {
  const split = createBlockSplitter();
  const last = whole(RICH);
  for (let end = 1; end <= RICH.length; end += 1) {
    const now = html(closeOpenEnd(split(RICH.slice(0, end), false), RICH.slice(0, end)));
    assert.doesNotMatch(now.replace(/<[^>]*>/g, ""), /[*`|[\]#]|--|https/, JSON.stringify(RICH.slice(0, end)));
    const tags = (text) => text.match(/<(?:h\d|p|ul|ol|li|table|hr|blockquote)\b/g) ?? [];
    assert.deepEqual(tags(now), tags(last).slice(0, tags(now).length), JSON.stringify(RICH.slice(0, end)));
  }
});

test("a line of marks that is complete is shown as it is, and so is a block behind which an empty line stands", () => {
  for (const text of ["- one\n-\n", "One\n\n---\n", "| a | b |\n\n", "**A\n\nThen", "**A\n \n"])
    assert.equal(growing(text), whole(text));
});

test("text without marks is not read again", () => {
  const blocks = createBlockSplitter()("One.\n\nTwo", false);
  assert.equal(closeOpenEnd(blocks, "One.\n\nTwo"), blocks);
});

test("a long paragraph of open marks takes time in proportion", () => {
  for (const piece of ["[", "![a](", "`a ``", "**a ", "*", "|\n", "\\"]) {
    const text = `${piece.repeat(400_000)}x`;
    const start = performance.now();
    closeOpenEnd([{ type: "paragraph", raw: text }], text);
    assert.ok(performance.now() - start < 30_000, piece);
  }
});
