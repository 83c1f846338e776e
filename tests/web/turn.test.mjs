import assert from "node:assert/strict";
import { test } from "node:test";
import { applyEvent, newTurn, turnFromHistory } from "../../paliadin/web/static/js/state/turn.js";

/** Applies `[event, data]` pairs numbered from 1. */
const play = (turn, ...events) =>
  events.reduce((state, [event, data], i) => applyEvent(state, { id: turn.lastEventId + i + 1, event, data }), turn);
const texts = (turn) => turn.parts.map((part) => (part.kind === "text" ? part.text : part.kind));

test("text is appended to the message it belongs to, in the order in which messages began", () => {
  const turn = play(
    newTurn("t"),
    ["content_delta", { message_id: "a", text: "one " }],
    ["tool_call", { id: "x", name: "Read", summary: "file" }],
    ["tool_result", { id: "x", ok: true, summary: "3 lines" }],
    ["content_delta", { message_id: "b", text: "three" }],
    ["content_delta", { message_id: "a", text: "two" }],
  );
  assert.deepEqual(texts(turn), ["one two", "tool", "three"]);
});

test("an event that was seen changes nothing, not even the object", () => {
  const turn = play(newTurn("t"), ["content_delta", { message_id: "a", text: "once" }]);
  assert.equal(applyEvent(turn, { id: 1, event: "content_delta", data: { message_id: "a", text: "once" } }), turn);
});

test("a reset voids the text and the chips of its message only", () => {
  const turn = play(
    newTurn("t"),
    ["content_delta", { message_id: "a", text: "kept" }],
    ["content_delta", { message_id: "b", text: "void" }],
    ["chip", { label: "kept", message_id: "a" }],
    ["chip", { label: "void", message_id: "b" }],
    ["content_reset", { message_id: "b" }],
  );
  assert.deepEqual(texts(turn), ["kept"]);
  assert.deepEqual(
    turn.chips.map((chip) => chip.label),
    ["kept"],
  );
});

test("a tool's result completes its call, and a tool without one has none when the turn ends", () => {
  const turn = play(
    newTurn("t"),
    ["tool_call", { id: "x", name: "Read", summary: "file" }],
    ["tool_call", { id: "y", name: "Bash", summary: "make" }],
    ["tool_result", { id: "x", name: "Read", ok: true, summary: "3 lines", rows: 3, duration_ms: 12 }],
    ["end", { duration_ms: 5, aborted: true }],
  );
  const [read, bash] = turn.parts;
  assert.deepEqual(
    [read.summary, read.state, read.result, read.rows, read.durationMs],
    ["file", "ok", "3 lines", 3, 12],
  );
  assert.equal(bash.state, "unknown");
});

const TOOL = (id, event = "tool_call") => [event, { id, name: "Bash", ok: true, summary: "make" }];
const REPLIED = (id) => [
  ["interrupt", { id, kind: "permission", message: "May I?" }],
  ["interrupt_resolved", { id, by: "page", value: "allow" }],
];

test("text that is reported after the tools that follow it stands before them", () => {
  const turn = play(
    newTurn("t"),
    TOOL("of a subagent"),
    TOOL("w"),
    TOOL("w", "tool_result"),
    ...REPLIED("q"),
    TOOL("x"),
    TOOL("y"),
    ...REPLIED("p"),
    ["content_delta", { message_id: "a", text: "late" }],
    ["content_delta", { message_id: "a", text: ", too" }],
    TOOL("x", "tool_result"),
    TOOL("y", "tool_result"),
    ["content_delta", { message_id: "b", text: "in time" }],
  );
  assert.deepEqual(texts(turn), ["tool", "tool", "settled", "late, too", "tool", "tool", "settled", "in time"]);
});

test("text after a reply stands after it", () => {
  const turn = play(newTurn("t"), ...REPLIED("q"), ["content_delta", { message_id: "a", text: "so" }]);
  assert.deepEqual(texts(turn), ["settled", "so"]);
});

test("parts that did not change stay the same objects", () => {
  const before = play(
    newTurn("t"),
    ["content_delta", { message_id: "a", text: "x" }],
    ["content_delta", { message_id: "b", text: "y" }],
  );
  const after = play(before, ["content_delta", { message_id: "b", text: "z" }]);
  assert.equal(after.parts[0], before.parts[0]);
  assert.notEqual(after.parts[1], before.parts[1]);
});

test("an answered interrupt leaves the open ones and becomes a notice", () => {
  const turn = play(
    newTurn("t"),
    ["interrupt", { id: "1", kind: "permission", message: "Read?" }],
    ["interrupt", { id: "2", kind: "question", message: "Which?" }],
    ["interrupt_resolved", { id: "1", by: "terminal", value: "allow" }],
    ["interrupt_resolved", { id: "9", by: "page", value: "never asked" }],
  );
  assert.deepEqual(
    turn.interrupts.map(({ id }) => id),
    ["2"],
  );
  assert.equal(turn.parts.length, 1);
  assert.deepEqual(
    [turn.parts[0].kind, turn.parts[0].by, turn.parts[0].interrupt.message],
    ["settled", "terminal", "Read?"],
  );
});

test("a dialog of the terminal that comes again takes the place of what it was", () => {
  const turn = play(
    newTurn("t"),
    ["interrupt", { id: "1", kind: "dialog", message: "", input: { screen: "❯ No" } }],
    ["interrupt", { id: "1", kind: "dialog", message: "", input: { screen: "❯ Yes" } }],
  );
  assert.deepEqual(
    turn.interrupts.map(({ input }) => input.screen),
    ["❯ Yes"],
  );
  const over = play(turn, ["interrupt_resolved", { id: "1", by: "terminal", value: null }]);
  assert.deepEqual([over.interrupts.length, over.parts.length], [0, 1]);
});

test("an end closes everything that was open", () => {
  const turn = play(
    newTurn("t"),
    ["status", { phase: "waiting", message: "Waiting" }],
    ["interrupt", { id: "1", kind: "text", message: "Name?" }],
    ["meta", { model: "set" }],
    [
      "end",
      {
        duration_ms: 1200,
        waited_ms: 200,
        first_text_ms: 300,
        usage: { input_tokens: 7 },
        model: "answered",
        aborted: false,
        background_tasks: [{}, {}],
      },
    ],
  );
  assert.deepEqual(
    [turn.phase, turn.status, turn.interrupts, turn.durationMs, turn.waitedMs, turn.backgroundTasks],
    ["done", null, [], 1200, 200, 2],
  );
  assert.equal(turn.model, "answered", "and not the one that was set");
});

test("an error keeps the text that came before it", () => {
  const turn = play(
    newTurn("t"),
    ["content_delta", { message_id: "a", text: "half" }],
    ["error", { code: "pane_died", message: "It ended.", hint: "Ask again.", retryable: true }],
  );
  assert.deepEqual(texts(turn), ["half"]);
  assert.deepEqual(turn.error, { code: "pane_died", message: "It ended.", hint: "Ask again.", retryable: true });
});

test("events that this page does not know count as seen and do no harm", () => {
  const turn = play(
    newTurn("t"),
    ["constructor", {}],
    ["new_thing", { a: 1 }],
    ["content_delta", { message_id: "a", text: "x" }],
  );
  assert.equal(turn.lastEventId, 3);
  assert.deepEqual(texts(turn), ["x"]);
});

test("the start may be a number or a date", () => {
  assert.equal(play(newTurn("t"), ["meta", { started_at: 1000 }]).startedAt, 1000);
  assert.equal(play(newTurn("t"), ["meta", { started_at: "1970-01-01T00:00:01Z" }]).startedAt, 1000);
  assert.equal(play(newTurn("t", { startedAt: 5 }), ["meta", { started_at: null }]).startedAt, 5);
});

test("a turn of the history is the same as the one that was followed", () => {
  const streamed = [
    ["meta", { started_at: 1000, model: "m" }],
    ["content_delta", { message_id: "a", text: "First." }],
    ["tool_call", { id: "x", name: "Bash", summary: "make" }],
    ["interrupt", { id: "1", kind: "permission", message: "Run?" }],
    ["interrupt_resolved", { id: "1", by: "page", value: "allow" }],
    ["tool_result", { id: "x", name: "Bash", ok: false, summary: "exit 2", rows: null, duration_ms: 4 }],
    ["content_delta", { message_id: "b", text: "Then." }],
    ["chip", { label: "c", message_id: "b" }],
    ["evidence", { used_tools: [], rows_seen: [], classifier_tag: "data", observed_tools: ["Bash"], agrees: null }],
    ["end", { duration_ms: 900, first_text_ms: 100, usage: null, aborted: true }],
  ];
  const live = play(newTurn("t", { question: "Why?" }), ...streamed);
  const events = streamed.map(([event, data]) => ({ event, data }));
  const reloaded = turnFromHistory({ turn_id: "t", user_message: "Why?", started_at: "1970-01-01T00:00:01Z", events });
  assert.deepEqual(texts(live), ["First.", "tool", "settled", "Then."]);
  assert.deepEqual({ ...reloaded, lastEventId: 0 }, { ...live, lastEventId: 0 });
});

test("a turn of the history that has no end is over all the same", () => {
  const turn = turnFromHistory({ turn_id: "t", events: [{ event: "tool_call", data: { id: "x", name: "Read" } }] });
  assert.deepEqual([turn.phase, turn.parts[0].state], ["done", "unknown"]);
});

test("a chip that is verified later takes its own place, and another one comes behind", () => {
  const chip = (id, verified) => [
    "chip",
    { kind: "deadline", action: "open", id, value: null, message_id: "a", verified },
  ];
  const turn = play(newTurn("t"), chip("1", false), chip("2", false), chip("1", true), chip("1", true));
  assert.deepEqual(
    turn.chips.map(({ id, verified }) => [id, verified]),
    [
      ["1", true],
      ["2", false],
      ["1", true],
    ],
  );
});

test("a running turn of the history waits for its stream, which replays from the start", () => {
  const turn = turnFromHistory({ turn_id: "t", user_message: "Why?", events: [], running: true });
  assert.deepEqual([turn.phase, turn.parts, turn.lastEventId, turn.question], ["running", [], 0, "Why?"]);
  assert.equal(turn.status?.phase, ""); // it is long on its way
});

test("a tool says for which permission it waits, and for none once that is replied to", () => {
  const long = "x".repeat(3_000);
  const asks = (turn) => turn.parts.filter((part) => part.kind === "tool").map((part) => part.asks);
  const read = (id, path) => ["tool_call", { id, name: "Read", summary: path, input: { file_path: path } }];
  const asked = (id, tool, input) => ["interrupt", { id, kind: "permission", tool, input }];
  const cut = { command: `${long.slice(0, 1_900)} … 100 more` };
  const turn = play(
    newTurn("t"),
    read("a", "/1"),
    read("b", "/2"),
    ["tool_call", { id: "c", name: "Bash", input: cut }],
    asked("i2", "Read", { file_path: "/2" }),
    asked("i3", "Bash", { command: long }),
    asked("i4", "Read", { file_path: "/3" }),
  );
  assert.deepEqual(asks(turn), ["", "i2", "i3"]);
  const replied = play(turn, ["interrupt_resolved", { id: "i2", by: "page", value: "allow" }]);
  assert.deepEqual(asks(replied), ["", "", "i3"]);
  assert.deepEqual(asks(play(replied, ["tool_result", { id: "c", name: "Bash", ok: true }])), ["", "", ""]);
  assert.deepEqual(asks(play(turn, ["end", { aborted: true }])), ["", "", ""], "once the turn is over, for none");
});

test("words that joined the turn stand behind the tool with whose result Claude got them", () => {
  const turn = play(
    newTurn("t"),
    ["content_delta", { message_id: "a", text: "I wait.\n" }],
    ["tool_call", { id: "x", name: "Bash", summary: "make" }],
    ["tool_result", { id: "x", name: "Bash", ok: true, summary: "1 line", rows: 1, duration_ms: 12 }],
    ["content_delta", { message_id: "b", text: "It is there.\n" }],
    ["tool_call", { id: "y", name: "Bash", summary: "make" }],
    ["joined", { text: "and the other one", after: "x" }],
    ["joined", { text: "please", after: "x" }],
    ["content_delta", { message_id: "b", text: "And more.\n" }],
    ["joined", { text: "and now", after: null }],
  );
  assert.deepEqual(
    turn.parts.map((part) => (part.kind === "joined" ? part.text : part.kind)),
    ["text", "tool", "and the other one", "please", "text", "tool", "and now"],
  );
});

test("words that joined the turn with the reply to a question stand behind that", () => {
  const turn = play(
    newTurn("t"),
    ["interrupt", { id: "i", kind: "question" }],
    ["interrupt_resolved", { id: "i", by: "page", value: "a" }],
    ["content_delta", { message_id: "b", text: "Good.\n" }],
    ["joined", { text: "quickly", after: "a call without a part" }],
  );
  assert.deepEqual(
    turn.parts.map((part) => part.kind),
    ["settled", "joined", "text"],
  );
});

test("a turn says that its last words were not confirmed", () => {
  const turn = play(
    newTurn("t"),
    ["content_delta", { message_id: "a", text: "So f" }],
    ["unconfirmed", { message_id: "a", length: 4 }],
    ["end", { duration_ms: 5, aborted: true }],
  );
  assert.deepEqual([texts(turn), turn.unconfirmed, turn.aborted], [["So f"], true, true]);
});
