/** What a hidden page tells of. It hears of several changes at once: a turn may be new and ask already. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { newsOf, watchOthers } from "../../paliadin/web/static/js/page/notifications.js";
import { newTurn } from "../../paliadin/web/static/js/state/turn.js";

const EARLIER = Date.now() - 60_000;

const turn = (id, change = {}) => ({ ...newTurn(id, { question: "Which?", startedAt: EARLIER }), ...change });
const running = (...interrupts) => ({
  phase: "running",
  interrupts: interrupts.map((id) => ({ id, kind: "question" })),
});
const news = (before, turns) => newsOf(before, turns).map(({ turn: { id }, key }) => [id, key]);

test("a turn that is first seen with its question is told of, once", () => {
  const asking = [turn("t1", running("a"))];
  assert.deepEqual(news([], asking), [["t1", "notify.asks"]]);
  assert.deepEqual(news(asking, asking), []);
});

test("a question that takes another one's place is told of, one that was answered is not", () => {
  assert.deepEqual(news([turn("t1", running("a"))], [turn("t1", running("b"))]), [["t1", "notify.asks"]]);
  assert.deepEqual(news([turn("t1", running("a"))], [turn("t1", running())]), []);
});

test("the end of a long turn that ran is told of, by its outcome", () => {
  const before = ["done", "failed", "short", "agents"].map((id) => turn(id, running()));
  const after = [
    turn("done", { phase: "done" }),
    turn("failed", { phase: "done", error: { code: "model" } }),
    turn("short", { phase: "done", startedAt: Date.now() }),
    turn("agents", { phase: "done", askedBy: "agent" }),
    turn("earlier", { phase: "done" }),
  ];
  assert.deepEqual(news(before, after), [
    ["done", "notify.done"],
    ["failed", "notify.failed"],
  ]);
});

test("another conversation that is first seen as it waits is told of", () => {
  const shown = [];
  globalThis.document = { hidden: true };
  globalThis.isSecureContext = true;
  globalThis.Notification = class {
    static permission = "granted";
    constructor(title, { tag }) {
      shown.push([title, tag]);
    }
  };
  let hear = () => {};
  watchOthers(
    { listen: (listener) => (hear = listener) },
    { get: () => "on" },
    () => (key) => key,
    () => {},
  );
  hear({ items: [], current: "main" });
  const items = [{ id: "c1", title: "One", state: "waiting" }];
  hear({ items, current: "main" });
  hear({ items, current: "main" });
  assert.deepEqual(shown, [["notify.asks", "c1"]]);
});
