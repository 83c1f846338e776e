import assert from "node:assert/strict";
import { test } from "node:test";
import { newTurn } from "../../paliadin/web/static/js/state/turn.js";
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

const number = (n) => `0190-${String(n).padStart(2, "0")}`;
const item = (n) => ({ turn_id: number(n), user_message: `question ${n}`, running: n === 90 });
/** The newest turns of a conversation with questions 1 to `count`, of which the last one runs (90). */
function newest(count, limit, known) {
  const all = [...Array(count - 1).keys()].map((n) => item(n + 1)).concat(item(90));
  const shown = all.slice(-limit);
  return {
    ...page(`${count}`),
    has_more: all.length > limit,
    known: shown.map(idOf).filter((id) => known.includes(id)),
    turns: shown.filter(({ turn_id }) => !known.includes(turn_id)),
  };
}

for (const [count, shown] of [
  [10, 10],
  [40, 20],
]) {
  test(`what was asked elsewhere is not missed because the stream has brought the last of it: ${count}`, async () => {
    const { history, store } = conversation();
    store.set({ turns: [newTurn(number(1), { question: "question 1", phase: "done" })], readTo: number(1) });
    store.set({ turns: [...store.get().turns, newTurn(number(90), { question: "question 90" })] }); // by the stream
    const streamed = store.get().turns[1];
    store.api.history = async (_session, limit, { known }) => newest(count, limit, known);
    assert.equal(await history.refresh(), true);
    const { turns, hasMore, readTo } = store.get();
    assert.deepEqual([turns.length, hasMore, readTo], [shown, count > shown, number(90)]);
    assert.equal(turns.at(-1), streamed);
  });
}

test("a turn that was over before the stream was opened is shown as the history has it", async () => {
  const { history, store } = conversation();
  store.set({ turns: [newTurn(number(1), { key: "mine", question: "Quick?" })], readTo: "" });
  const asked = [];
  store.api.history = async (_session, _limit, { known }) => {
    asked.push(known);
    const events = [{ event: "end", data: { duration_ms: 1 } }];
    return { ...page("1"), turns: [{ turn_id: number(1), user_message: "Quick?", running: asked.length < 2, events }] };
  };
  await history.refresh();
  assert.equal(store.get().turns[0].phase, "running");
  await history.refresh();
  const [turn] = store.get().turns;
  assert.deepEqual([asked, turn.phase, turn.key], [[[], []], "done", "mine"]);
});
