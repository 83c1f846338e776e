import assert from "node:assert/strict";
import { test } from "node:test";
import { MARKED_OPTIONS, createBlockSplitter } from "../../paliadin/web/static/js/markdown/block-splitter.js";
import { headingLevels } from "../../paliadin/web/static/js/markdown/heading-levels.js";
import { outsideHref, safeHref } from "../../paliadin/web/static/js/markdown/safe-links.js";
import { Parser } from "../../paliadin/web/static/vendor/marked.js";

const ANSWER = `# Title

A paragraph with **bold**,
on two lines.

1. one
   - nested

   still one
2. two

| a | b |
| --- | ---: |
| 1 | 2 |

\`\`\`js
const a = "# no title";

const b = 1;
\`\`\`

> quoted
> twice

Setext
======

Last [link][ref].

[ref]: https://example.org/
`;

const html = (tokens) => tokens.map((token) => Parser.parse([token], MARKED_OPTIONS)).join("");
const whole = (text) => html(createBlockSplitter()(text, true));

test("text that grows line by line gives what the whole gives", () => {
  const split = createBlockSplitter();
  for (let end = ANSWER.indexOf("\n") + 1; end > 0; end = ANSWER.indexOf("\n", end) + 1)
    split(ANSWER.slice(0, end), false);
  assert.equal(html(split(ANSWER, true)), whole(ANSWER));
});

test("blocks of text cut anywhere are those of the whole at that point", () => {
  const split = createBlockSplitter();
  const text = ANSWER.slice(0, ANSWER.indexOf("Last"));
  for (let end = 1; end <= text.length; end += 1) {
    assert.equal(html(split(text.slice(0, end), false)), whole(text.slice(0, end)), JSON.stringify(text.slice(0, end)));
  }
});

test("settled blocks are not read again", () => {
  const split = createBlockSplitter();
  const first = split("One.\n\nTwo.\n\nThree.\n\nFour.\n", false);
  const second = split("One.\n\nTwo.\n\nThree.\n\nFour.\n\nFive.\n", false);
  assert.equal(second[0], first[0]);
  assert.equal(second[1], first[1]);
});

test("text that is not a continuation starts anew", () => {
  const split = createBlockSplitter();
  split("One.\n\nTwo.\n\nThree.\n\nFour.\n", false);
  assert.equal(html(split("Other.\n", false)), "<p>Other.</p>\n");
});

test("raw HTML is shown, not interpreted", () => {
  assert.doesNotMatch(whole('<script>alert(1)</script>\n\na <img src=x onerror="alert(1)"> b'), /<(script|img)/);
  assert.match(whole("| a |\n|---|\n| 1<br>2 |"), /1<br>2/);
});

test("headings stand below those of the page, and none leaves out a level", () => {
  const levels = (depths) =>
    headingLevels(createBlockSplitter()(depths.map((n) => `${"#".repeat(n)} x\n\ny\n`).join("\n"), true));
  assert.deepEqual(levels([1, 2, 3, 4, 5, 6]).filter(Boolean), [3, 4, 5, 6, 6, 6]);
  assert.deepEqual(levels([2, 3, 2, 4, 3, 1, 6]).filter(Boolean), [3, 4, 3, 4, 4, 3, 4]);
  assert.deepEqual(levels([3]), [3, undefined]);
  assert.equal(whole("> # *a*\n"), '<blockquote>\n<p class="depth-1"><strong><em>a</em></strong></p>\n</blockquote>\n');
});

test("images of other hosts become links", () => {
  assert.match(whole("![a cat](https://example.org/cat.png)"), /<a href="https:&#47;|<a href="https:/);
  assert.doesNotMatch(whole("![a cat](https://example.org/cat.png)"), /<img/);
});

test("links lead to other sites only, not into the application around a drawer", () => {
  const own = "office.example";
  for (const href of ["https://a.b/c?d#e", "mailto:a@b.c", "https://office.example.evil/", "http://office.example:81/"])
    assert.equal(outsideHref(href, own), href);
  for (const start of [
    "https://office.example",
    "HTTPS://OFFICE.example:443",
    "http://office.example",
    "https://x@office.example",
  ])
    assert.equal(outsideHref(`${start}/logout`, own), null, start);
  for (const href of [
    "/logout",
    "page",
    "#top",
    "?x",
    "http:/logout",
    "https:logout",
    "HTTP:../x",
    "http:///x",
    "//a.b",
    "http://",
  ])
    assert.equal(outsideHref(href, own), null, href);
  assert.equal(whole("[out](/logout)"), "<p>out</p>\n");
});

test("links lead to http(s) and mailto only, in a tab of their own; chips to this site, too", () => {
  assert.match(whole("[a](https://example.org/?x=1&y=%22)"), /target="_blank" rel="noopener noreferrer"/);
  assert.equal(whole("[a](javascript:alert(1))"), "<p>a</p>\n");
  for (const href of ["https://a.b/c?d#e", "http://a", "mailto:a@b.c", "/path", "page?x=a:b", "#top", "./a:b"])
    assert.equal(safeHref(href), href);
  for (const href of [
    "javascript:x",
    "JaVaScRiPt:x",
    "data:text/html,x",
    "vbscript:x",
    "//host",
    "/\\host",
    "\\\\host",
    "java\tscript:x",
    "",
    null,
    "file:///etc",
  ]) {
    assert.equal(safeHref(href), null, String(href));
  }
});
