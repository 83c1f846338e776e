import assert from "node:assert/strict";
import { test } from "node:test";
import { createHistory } from "../../paliadin/web/static/js/conversation/history.js";

const kept = { fill: (turns) => turns };

/** A conversation whose history is answered by the test, request by request. */
function conversation() {
  let state = { turns: [], queue: { held: null, turns: [] }, ready: true, missing: false, hasMore: false };
  const requests = [];
  const store = {
    api: { history: () => new Promise((resolve) => requests.push(resolve)) },
    session: "main",
    get: () => state,
    set: (change) => (state = { ...state, ...change }),
    fail: assert.ifError,
    refreshHealth: async () => {},
    clearBusyFailure: () => {},
    signal: new AbortController().signal,
  };
  return { history: createHistory(store, kept), store, requests, waiting: () => state.queue.turns.map(idOf) };
}

const idOf = ({ turn_id }) => turn_id;
const page = (version, ...ids) => ({
  turns: [],
  has_more: false,
  version,
  queue: { held: null, turns: ids.map((turn_id) => ({ turn_id })) },
});
const rest = () => new Promise((resolve) => setTimeout(resolve));

test("a reading begins when the one before has come, so that the newest is shown", async () => {
  const { history, requests, waiting } = conversation();
  const both = [history.refresh(), history.refresh()];
  await rest();
  assert.equal(requests.length, 1);
  const third = history.refresh();
  requests[0](page("1", "a", "b"));
  await rest();
  assert.equal(requests.length, 2);
  requests[1](page("2", "b"));
  await Promise.all([...both, third]);
  assert.deepEqual([requests.length, waiting(), history.version()], [2, ["b"], "2"]);
});

test("what the user has changed meanwhile is read again, and not taken for the newest version", async () => {
  const { history, store, requests, waiting } = conversation();
  void history.keepUp("1");
  await rest();
  store.set({ queue: { held: null, turns: [{ turn_id: "b" }] } });
  requests[0](page("1", "a", "b"));
  await rest();
  assert.deepEqual([requests.length, waiting(), history.version()], [2, ["b"], ""]);
  requests[1](page("2", "b", "c"));
  await rest();
  assert.deepEqual([waiting(), history.version()], [["b", "c"], "2"]);
});

test("a reading that fails holds up none", async () => {
  const { history, store, requests } = conversation();
  store.api.history = () => Promise.reject(new Error("broken"));
  await assert.rejects(history.refresh());
  store.api.history = () => new Promise((resolve) => requests.push(resolve));
  const again = history.refresh();
  await rest();
  requests[0](page("1"));
  assert.equal(await again, true);
});
