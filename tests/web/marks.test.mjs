import assert from "node:assert/strict";
import { test } from "node:test";

import { drawerMark, markOf, marksOthers } from "../../paliadin/web/static/js/state/marks.js";

const item = (id, fields = {}) => ({ id, state: "ready", ended_at: null, running_turn: null, ...fields });
const list = (...items) => ({ items, seen: { since: 10, ended: {} }, current: "a" });
const turn = (fields = {}) => ({ id: "t", phase: "running", interrupts: [], ...fields });

test("a drawer's button tells that Claude asks before that it works, and that it works before that it has finished", () => {
  const finished = item("b", { ended_at: 11 });
  assert.equal(drawerMark(list(item("a")), []), "");
  assert.equal(drawerMark(list(item("a"), finished), []), "finished");
  assert.equal(drawerMark(list(item("a"), finished), [turn()]), "working");
  assert.equal(drawerMark(list(item("a"), finished), [turn({ interrupts: [{ id: "i" }] })]), "asks");
  assert.equal(drawerMark(list(item("a"), item("b", { state: "waiting", running_turn: "u" })), []), "asks");
});

test("a conversation that is not open works, too, and one whose turn has ended until the list says so", () => {
  assert.equal(drawerMark(list(item("a"), item("b", { running_turn: "u" })), []), "working");
  assert.equal(drawerMark(list(item("a", { running_turn: "t" })), [turn({ phase: "done" })]), "working");
});

test("a tab says nothing of what works, and the list's button nothing of the open conversation", () => {
  assert.equal(markOf(list(item("a")), [turn()]), "");
  assert.equal(marksOthers(list(item("a", { ended_at: 11, state: "waiting" }))), false);
  assert.equal(marksOthers(list(item("a"), item("b", { ended_at: 11 }))), true);
  assert.equal(marksOthers(list(item("a"), item("b", { state: "waiting" }))), true);
});
