/** The events of a running turn reach the page's state, whatever the history has said of it meanwhile. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { createLiveTurns } from "../../paliadin/web/static/js/conversation/live-turns.js";
import { answerText, mergeHistory, updateTurn } from "../../paliadin/web/static/js/state/turns.js";
import { newTurn } from "../../paliadin/web/static/js/state/turn.js";

const WAITING = { turn_id: "t2", user_message: "And then?", queued_at: 1, attachments: [] };

/** A page's state, and what its stream brings. */
function page() {
  const state = { turns: [], queue: { held: null, turns: [WAITING] }, health: { ok: true } };
  const store = {
    get: () => state,
    set: (change) => Object.assign(state, change),
    update: (id, change) => Object.assign(state, { turns: updateTurn(state.turns, id, change) }),
    refreshHealth: () => {},
    clearBusyFailure: () => {},
  };
  const live = createLiveTurns(store);
  const send = (turn, event, data, id = null) => live.take({ turn, event, data, id });
  return { state, live, send };
}

const words = (text) => ({ message_id: "m", text });

test("a question that has left the queue before the history knows its turn loses no word", () => {
  const { state, send } = page();
  state.queue = { held: null, turns: [] }; // as the daemon told it, a moment before the turn was there
  send("t2", "content_delta", words("Hello "), 1);
  assert.equal(answerText(state.turns[0]), "Hello");
  const told = { turn_id: "t2", user_message: "And then?", origin: "api", running: true };
  state.turns = mergeHistory(state.turns, [told]);
  send("t2", "content_delta", words("world"), 2);
  assert.equal(state.turns.length, 1);
  assert.deepEqual([state.turns[0].question, state.turns[0].origin], ["And then?", "api"]);
  assert.equal(answerText(state.turns[0]), "Hello world");
});

test("an event that comes twice is applied once, and the page says how far it has come with each turn", () => {
  const { state, live, send } = page();
  for (const number of [1, 1, 2, 1, 2]) send("t2", "content_delta", words(`${number} `), number);
  send("t3", "content_delta", words("x"), 1);
  assert.equal(answerText(state.turns[0]), "1 2");
  assert.equal(live.after(), "t2:2,t3:1");
  send("t2", "end", {}, 3);
  send("t2", "content_delta", words("late"), 4);
  assert.equal(live.after(), "t3:1");
  assert.equal(answerText(state.turns[0]), "1 2");
});

test("what a question has become is not shown beside it while the daemon's word is on its way", () => {
  const { state, live, send } = page();
  state.queue = { held: null, turns: [] };
  state.turns = [newTurn("~1", { question: "What?" })];
  send("t4", "content_delta", words("So "), 1);
  send("t4", "content_delta", words("it is."), 2);
  assert.deepEqual(
    state.turns.map(({ id }) => id),
    ["~1"],
  );
  state.turns = [newTurn("t4", { question: "What?" })];
  live.release();
  assert.deepEqual([answerText(state.turns[0]), state.turns[0].question], ["So it is.", "What?"]);
});

test("a turn that the daemon does not know any more ends with an error, and a question is not waited for", () => {
  const { state, send } = page();
  state.turns = [newTurn("t1", { question: "What?" })];
  send("t1", "gone", {});
  send("t2", "gone", {});
  assert.equal(state.turns[0].error.code, "gone");
  assert.deepEqual(state.queue.turns, []);
});

test("what was asked is what the history tells, where the question was changed elsewhere while it waited", () => {
  const { state, send } = page();
  send("t2", "content_delta", words("Hello"), 1);
  assert.deepEqual([state.turns[0].question, state.turns[0].isFromQueue], ["And then?", true]);
  const told = { turn_id: "t2", user_message: "And then, changed?", origin: "api", running: true };
  state.turns = mergeHistory(state.turns, [told]);
  assert.deepEqual([state.turns[0].question, state.turns[0].isFromQueue], ["And then, changed?", false]);
});
