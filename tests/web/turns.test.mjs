import assert from "node:assert/strict";
import { test } from "node:test";
import { newTurn } from "../../paliadin/web/static/js/state/turn.js";
import {
  LOCAL_ID,
  answerText,
  groupParts,
  mergeHistory,
  putTurn,
  runningTurn,
  updateTurn,
  visibleTurns,
} from "../../paliadin/web/static/js/state/turns.js";

const ids = (turns) => turns.map((turn) => turn.id);

test("history goes before what is known, and what was streamed stays", () => {
  const streamed = newTurn("b", { question: "?", parts: [{ kind: "text", id: "m", text: "streamed" }] });
  const turns = mergeHistory(
    [streamed],
    [{ turn_id: "a" }, { turn_id: "b", events: [{ event: "content_delta", data: { text: "from history" } }] }],
  );
  assert.deepEqual(ids(turns), ["a", "b"]);
  assert.equal(turns[1], streamed);
});

test("a turn that is known by its number only gets its question from history", () => {
  const [turn] = mergeHistory([newTurn("a")], [{ turn_id: "a", user_message: "Why?" }]);
  assert.equal(turn.question, "Why?");
});

test("while a question is on its way, a running turn that is not known yet may be its own", () => {
  const [sending, items] = [
    newTurn(`${LOCAL_ID}1`, { phase: "sending" }),
    [{ turn_id: "a" }, { turn_id: "b", running: true }],
  ];
  assert.deepEqual(ids(mergeHistory([sending], items)), ["a", sending.id]);
  assert.deepEqual(ids(mergeHistory([newTurn("b"), sending], items)), ["a", "b", sending.id]);
  assert.deepEqual(ids(mergeHistory([], items)), ["a", "b"]);
});

test("a question that is on its way stands last", () => {
  assert.deepEqual(ids(putTurn([newTurn(`${LOCAL_ID}1`)], newTurn("ffffffff"))), ["ffffffff", `${LOCAL_ID}1`]);
});

test("an update of an unknown turn changes nothing", () => {
  const turns = [newTurn("a")];
  assert.equal(
    updateTurn(turns, "b", () => assert.fail()),
    turns,
  );
});

test("the running turn is the one that is not done", () => {
  assert.equal(runningTurn([newTurn("a", { phase: "done" }), newTurn("b", { phase: "stopping" })]).id, "b");
  assert.equal(runningTurn([newTurn("a", { phase: "done" })]), undefined);
});

test("a new conversation shows only what came after, until earlier turns are asked for", () => {
  const [first, second] = ["00000000-0001-7000-8000-000000000000", "00000000-0003-7000-8000-000000000000"];
  const turns = [first, second, `${LOCAL_ID}1`].map((id) => newTurn(id));
  assert.deepEqual(ids(visibleTurns({ turns, beganAt: 2, showEarlier: false })), [second, `${LOCAL_ID}1`]);
  assert.deepEqual(ids(visibleTurns({ turns, beganAt: 2, showEarlier: true })), [first, second, `${LOCAL_ID}1`]);
});

test("tools that follow each other are one group", () => {
  const tool = (id) => ({ kind: "tool", id });
  const groups = groupParts([tool("1"), tool("2"), { kind: "text", id: "m", text: "x" }, tool("3")]);
  assert.deepEqual(
    groups.map((group) => (group.kind === "steps" ? group.tools.length : group.kind)),
    [2, "text", 1],
  );
});

test("steps are followed once the answer goes on below them", () => {
  const [tool, text] = [
    { kind: "tool", id: "1" },
    { kind: "text", id: "m", text: "x" },
  ];
  const followed = (parts) =>
    groupParts(parts)
      .filter((group) => group.kind === "steps")
      .map((group) => group.followed);
  assert.deepEqual(followed([tool, { kind: "settled", id: "n" }]), [false]);
  assert.deepEqual(followed([tool, text, { kind: "tool", id: "2" }]), [true, false]);
});

test("the answer's text leaves out steps and notices", () => {
  const parts = [
    { kind: "text", id: "a", text: "One.\n" },
    { kind: "tool", id: "t" },
    { kind: "text", id: "b", text: "\nTwo." },
  ];
  assert.equal(answerText(newTurn("a", { parts })), "One.\n\nTwo.");
});
