/** The events of a running turn reach the page's state, whatever the history has said of it meanwhile. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { createLiveTurns } from "../../paliadin/web/static/js/conversation/live-turns.js";
import { answerText, mergeHistory, updateTurn } from "../../paliadin/web/static/js/state/turns.js";

globalThis.addEventListener ??= () => {};
globalThis.removeEventListener ??= () => {};

const WAITING = { turn_id: "t2", user_message: "And then?", queued_at: 1, attachments: [] };

/** A page's state with its streams, each of which is written by the test. */
function page() {
  const state = { turns: [], queue: { held: null, turns: [WAITING] }, health: { ok: true } };
  const streams = new Map();
  const store = {
    api: {
      events: async (id) => {
        const body = new TransformStream();
        streams.set(id, body.writable.getWriter());
        return { body: body.readable };
      },
    },
    get: () => state,
    set: (change) => Object.assign(state, change),
    update: (id, change) => Object.assign(state, { turns: updateTurn(state.turns, id, change) }),
    fail: () => {},
    refreshHealth: () => {},
    clearBusyFailure: () => {},
    signal: new AbortController().signal,
  };
  const live = createLiveTurns(store, () => {});
  const send = (id, event, data, number) =>
    streams
      .get(id)
      .write(new TextEncoder().encode(`id: ${number}\nevent: ${event}\ndata: ${JSON.stringify(data)}\n\n`));
  return { state, live, send };
}

const settled = () => new Promise((resolve) => setTimeout(resolve, 10));

test("a question that has left the queue before the history knows its turn loses no word", async () => {
  const { state, live, send } = page();
  live.followQueue();
  await settled();
  state.queue = { held: null, turns: [] }; // as the daemon told it, a moment before the turn was there
  send("t2", "content_delta", { message_id: "m", text: "Hello " }, 1);
  await settled();
  assert.equal(answerText(state.turns[0]), "Hello");
  state.turns = mergeHistory(state.turns, [{ turn_id: "t2", user_message: "And then?", running: true }]);
  send("t2", "content_delta", { message_id: "m", text: "world" }, 2);
  await settled();
  assert.equal(state.turns.length, 1);
  assert.equal(state.turns[0].question, "And then?");
  assert.equal(answerText(state.turns[0]), "Hello world");
  send("t2", "end", {}, 3);
  await settled();
});
