import assert from "node:assert/strict";
import { test } from "node:test";
import { mention } from "../../paliadin/web/static/js/views/composer/file-source.js";

test("a name is quoted wherever Claude Code would not take it as a whole without", () => {
  const plain = ["notes.txt", "a/b/", "märz.md", "_x", ".env", "C++/x", 'a"b'];
  for (const name of plain) assert.equal(mention(name), `@${name}`);
  for (const name of ["notes.", "draft-", "C++", "two words", "a(1).txt"]) assert.equal(mention(name), `@"${name}"`);
  assert.equal(mention("two words/"), '@"two words/');
  assert.equal(mention("~x"), '@"./~x"');
});
