import assert from "node:assert/strict";
import { test } from "node:test";
import { createQueue } from "../../paliadin/web/static/js/conversation/queue.js";

/** A page in which two questions wait, and whose daemon refuses or is away. */
function page(isRead) {
  let state = {
    turns: [],
    queue: { held: "stopped", turns: ["a", "b"].map((id) => ({ turn_id: id, user_message: id })) },
  };
  const refuse = async () => {
    throw new Error("away");
  };
  const store = {
    api: { changeQueued: refuse, withdrawQueued: refuse, goOn: refuse },
    session: "main",
    get: () => state,
    set: (change) => (state = { ...state, ...change }),
    fail: () => {},
  };
  const queue = createQueue(store, { release: () => {} }, async () => isRead);
  return { queue, shown: () => [state.queue.held, ...state.queue.turns.map((one) => one.user_message)] };
}

const ACTS = {
  "a withdrawal": (queue) => queue.withdraw("a"),
  "a change": (queue) => queue.edit("a", "other"),
  "going on": (queue) => queue.goOn(),
};

for (const [name, act] of Object.entries(ACTS)) {
  test(`${name} that fails is taken back where the daemon is away`, async () => {
    const { queue, shown } = page(false);
    assert.equal(await act(queue), false);
    assert.deepEqual(shown(), ["stopped", "a", "b"]);
  });

  test(`${name} that fails leaves what was read since`, async () => {
    const { queue, shown } = page(true);
    const [before] = [shown()];
    assert.equal(await act(queue), false);
    assert.notDeepEqual(shown(), before);
  });
}
