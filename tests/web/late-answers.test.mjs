/** What the page shows when the daemon's answers come in another order than they were asked for. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createConversation } from "../../paliadin/web/static/js/conversation/conversation.js";
import { answerText } from "../../paliadin/web/static/js/state/turns.js";

globalThis.addEventListener ??= () => {};
globalThis.removeEventListener ??= () => {};
globalThis.document ??= { hidden: true }; // no frames

const text = (id, words) => [id, "content_delta", { message_id: `m${id}`, text: words }];

/** A daemon whose answer to a question comes only when the test says so. */
function createDaemon() {
  const daemon = {
    turns: [],
    /** @param {object} taken */
    answer: (taken) => assert.fail(`no question is on its way: ${taken}`),
    api: {
      ask: () => new Promise((resolve) => (daemon.answer = resolve)),
      health: () => Promise.resolve({ ok: true }),
      history: () => Promise.resolve({ turns: daemon.turns, has_more: false, since: 0 }),
    },
  };
  return daemon;
}

const settings = { get: () => "", set() {} };

/** Lets everything that is ready happen. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 5));

test("what a turn has shown stays when the daemon's word that it took the question comes late", async () => {
  const daemon = createDaemon();
  daemon.turns = [{ turn_id: "1", running: true, user_message: "The first" }];
  const conversation = createConversation({ api: daemon.api, session: "main", attachments: null, settings });
  const say = (turn, ...events) => {
    for (const [id, event, data] of events) conversation.stream.take({ turn, id, event, data });
  };
  await conversation.refresh();
  await settle();
  const asked = conversation.send("The second"); // while the first is being answered
  say("1", text(1, "One"), [2, "end", {}]);
  daemon.turns.push({ turn_id: "2", running: true, user_message: "The second" });
  await conversation.refresh();
  await settle();
  say("2", text(1, "Two"));
  await settle();
  daemon.answer({ turn_id: "2", queued: false });
  await asked;
  say("2", text(2, "and more"));
  await settle();

  const { turns, queue } = conversation.get();
  assert.deepEqual(
    turns.map((turn) => [turn.id, turn.question, answerText(turn)]),
    [
      ["1", "The first", "One"],
      ["2", "The second", "Two\n\nand more"],
    ],
  );
  assert.deepEqual(queue.turns, []);
  conversation.close();
});
