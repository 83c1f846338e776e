import assert from "node:assert/strict";
import { test } from "node:test";
import { createSseParser } from "../../paliadin/web/static/js/daemon/sse-parser.js";

const STREAM =
  'id: 1\r\nevent: meta\r\ndata: {"a":1}\r\n\r\n: a comment\n\nevent: ping\ndata: {}\n\nid: 0190-a:2\nevent: content_delta\ndata: {"text":\ndata: "é\\n"}\n\nid: 0190-b:\ndata: no json\n\n';
const EXPECTED = [
  { turn: "", id: 1, event: "meta", data: { a: 1 } },
  { turn: "", id: null, event: "ping", data: {} },
  { turn: "0190-a", id: 2, event: "content_delta", data: { text: "é\n" } },
  { turn: "0190-b", id: null, event: "message", data: {} },
];

function parse(pieces) {
  const events = [];
  const parser = createSseParser((event) => events.push(event));
  pieces.forEach((piece) => parser.feed(piece));
  return events;
}

test("a stream gives its events wherever it is cut", () => {
  assert.deepEqual(parse([STREAM]), EXPECTED);
  assert.deepEqual(parse([...STREAM]), EXPECTED);
  for (let cut = 1; cut < STREAM.length; cut += 1)
    assert.deepEqual(parse([STREAM.slice(0, cut), STREAM.slice(cut)]), EXPECTED);
});

test("an event whose end has not come is not given", () => {
  assert.deepEqual(parse(['id: 1\nevent: meta\ndata: {"a":1}\n']), []);
});
