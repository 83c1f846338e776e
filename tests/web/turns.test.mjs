import assert from "node:assert/strict";
import { test } from "node:test";
import { openInterrupts } from "../../paliadin/web/static/js/state/interrupts.js";
import { applyEvent, newTurn, turnFromHistory } from "../../paliadin/web/static/js/state/turn.js";
import {
  END,
  LOCAL_ID,
  answerText,
  dividedTurn,
  groupParts,
  isRunning,
  isStreaming,
  mergeHistory,
  putTurn,
  runningTurn,
  updateTurn,
} from "../../paliadin/web/static/js/state/turns.js";

const ids = (turns) => turns.map((turn) => turn.id);

test("history goes before what is known, and what was streamed stays", () => {
  const parts = [{ kind: "text", id: "m", text: "streamed" }];
  const streamed = newTurn("b", { question: "?", lastEventId: 1, parts });
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
  const items = [{ turn_id: "a" }, { turn_id: "b", running: true }];
  for (const phase of ["sending", "stopping"]) {
    const local = newTurn(`${LOCAL_ID}1`, { phase });
    assert.deepEqual(ids(mergeHistory([local], items)), ["a", local.id]);
    assert.deepEqual(ids(mergeHistory([newTurn("b"), local], items)), ["a", "b", local.id]);
  }
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

test("a turn that is answered is not running, and its stream goes on until its end", () => {
  const interrupts = [{ id: "1", kind: "text", message: "Name?" }];
  const events = ["answered", "evidence", "end"].map((event, i) => ({ id: i + 1, event, data: { duration_ms: 7 } }));
  const states = events.map((_, i) => events.slice(0, i + 1).reduce(applyEvent, newTurn("a", { interrupts })));
  assert.deepEqual(
    states.map((turn) => [turn.phase, isRunning(turn), isStreaming(turn), openInterrupts([turn]).length]),
    [
      ["answered", false, true, 0],
      ["answered", false, true, 0],
      ["done", false, false, 0],
    ],
  );
  assert.equal(runningTurn([states[0], newTurn("b")]).id, "b");
  assert.equal(states[2].durationMs, 7);
});

test("the history does not disturb a turn that is answered, and knows one that was", () => {
  const answered = newTurn("a", { phase: "answered", question: "?" });
  const item = { turn_id: "a", running: true, events: [] };
  assert.equal(mergeHistory([answered], [item])[0], answered);
  const events = [
    { event: "content_delta", data: { message_id: "m", text: "So." } },
    { event: "answered", data: { duration_ms: 5 } },
    { event: "end", data: { duration_ms: 6 } },
  ];
  const [turn] = mergeHistory([], [{ turn_id: "a", events }]);
  assert.deepEqual([turn.phase, turn.durationMs, answerText(turn)], ["done", 6, "So."]);
  assert.equal(turnFromHistory({ turn_id: "a", events: events.slice(0, 2) }).phase, "done");
});

test("where Claude forgot what was before stands above the next turn, or at the end", () => {
  const [first, second] = ["00000000-0001-7000-8000-000000000000", "00000000-0003-7000-8000-000000000000"];
  const turns = [first, second].map((id) => newTurn(id));
  assert.equal(dividedTurn(turns, 2), second);
  assert.equal(dividedTurn(turns, 3), END);
  assert.equal(dividedTurn([...turns, newTurn(`${LOCAL_ID}1`)], 3), `${LOCAL_ID}1`);
  assert.deepEqual([dividedTurn(turns, 0), dividedTurn([], 3)], ["", ""]);
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
