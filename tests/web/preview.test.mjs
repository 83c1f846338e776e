/** Text that is shown before it is confirmed. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { codePoints, indexOfCodePoint } from "../../paliadin/web/static/js/state/code-points.js";
import { applyEvent, newTurn, turnFromHistory } from "../../paliadin/web/static/js/state/turn.js";
import { answerText, groupParts } from "../../paliadin/web/static/js/state/turns.js";

const UNNUMBERED = ["preview", "activity"];

/** Applies `[event, data]` pairs; those that have numbers get the next ones. */
function play(turn, ...events) {
  return events.reduce((state, [event, data]) => {
    const id = UNNUMBERED.includes(event) ? null : state.lastEventId + 1;
    return applyEvent(state, { id, event, data });
  }, turn);
}
const preview = (message, offset, text) => ["preview", { message, offset, text }];
const delta = (message_id, text) => ["content_delta", { message_id, text }];
const tool = (id) => ["tool_call", { id, name: "Bash", summary: "make" }];
const result = (id) => ["tool_result", { id, name: "Bash", ok: true, summary: "done" }];
const shown = (turn) => turn.parts.map((part) => (part.kind === "text" ? part.shown : part.kind));
const confirmed = (turn) => turn.parts.map((part) => (part.kind === "text" ? part.text : part.kind));

test("words are shown as they come, and none counts before it is confirmed", () => {
  const turn = play(newTurn("t"), preview(0, 0, "One "), preview(0, 4, "two"), preview(0, 7, "\nthr"));
  assert.deepEqual(shown(turn), ["One two\nthr"]);
  assert.equal(answerText(turn), "");
  assert.equal(turn.lastEventId, 0);
  const line = play(turn, delta("a", "One two\n"));
  assert.deepEqual(shown(line), ["One two\nthr"]);
  assert.equal(answerText(line), "One two");
  const cut = play(line, delta("a", "th"), preview(0, 11, "ee"));
  assert.deepEqual([shown(cut), confirmed(cut)], [["One two\nthree"], ["One two\nth"]]);
});

test("a text that is confirmed keeps its part, its place and the very string that is shown", () => {
  const before = play(newTurn("t"), preview(0, 0, "One.\nTwo"));
  const after = play(before, delta("a", "One.\n"));
  assert.equal(groupParts(after.parts)[0].id, groupParts(before.parts)[0].id);
  assert.equal(after.parts[0].shown, before.parts[0].shown);
  assert.deepEqual([before.parts[0].messageId, after.parts[0].messageId], [null, "a"]);
});

test("a place counts code points: emoji, rare ideographs and letters with marks", () => {
  const text = "a👍🏽 𠮷e\u0301\n日本";
  const parts = [...text];
  let turn = newTurn("t");
  parts.forEach((char, i) => (turn = play(turn, preview(0, i, char))));
  assert.deepEqual(shown(turn), [text]);
  assert.equal(turn.parts[0].shownLength, parts.length);
  const back = play(turn, preview(0, 3, "!"));
  assert.deepEqual(shown(back), ["a👍🏽!"]);
  const line = play(turn, delta("m", "a👍🏽 𠮷"), preview(0, 6, "x"), preview(0, 7, "🎉"), preview(0, 8, "y"));
  assert.deepEqual([shown(line), confirmed(line)], [["a👍🏽 𠮷ex🎉y"], ["a👍🏽 𠮷"]]);
  assert.deepEqual(shown(play(line, preview(0, 5, ""))), ["a👍🏽 𠮷"]);
});

test("code points are counted and found in text of any kind", () => {
  for (const text of ["", "plain", "日本語", "👍", "a👍b👍", "\ud83d", "👍\ude00x"]) {
    const chars = [...text];
    assert.equal(codePoints(text), chars.length, text);
    for (let count = 0; count <= chars.length + 1; count += 1)
      assert.equal(indexOfCodePoint(text, count), chars.slice(0, count).join("").length, `${text} ${count}`);
  }
});

test("a part can be taken back and replaced, and all of it", () => {
  const turn = play(newTurn("t"), delta("a", "Sure.\n"), preview(0, 6, "See [#dead"));
  assert.deepEqual(shown(play(turn, preview(0, 10, ""))), ["Sure.\nSee "]);
  assert.deepEqual(shown(play(turn, preview(0, 10, "it."))), ["Sure.\nSee it."]);
  assert.deepEqual(shown(play(turn, preview(0, 6, ""))), ["Sure.\n"]);
  assert.deepEqual(shown(play(newTurn("t"), preview(0, 0, "Hm"), preview(0, 0, ""))), []);
});

test("confirmed text that differs drops the preview, and its own words stay", () => {
  const turn = play(newTurn("t"), preview(0, 0, "One two\nthree"), delta("a", "One 2\n"));
  assert.deepEqual(shown(turn), ["One 2\n"]);
  assert.deepEqual(shown(play(turn, preview(0, 6, "three"))), ["One 2\nthree"]);
});

test("confirmed text that is longer than the preview leaves none", () => {
  const turn = play(newTurn("t"), preview(0, 0, "One t"), delta("a", "One two\n"));
  assert.deepEqual([shown(turn), turn.parts[0].shownLength], [["One two\n"], 8]);
});

test("a preview cannot change what is confirmed, and goes on behind it where both agree", () => {
  const turn = play(newTurn("t"), delta("a", "One two\n"));
  assert.deepEqual(shown(play(turn, preview(0, 4, "two\nthree"))), ["One two\nthree"]);
  assert.deepEqual(shown(play(turn, preview(0, 4, "2\nthree"))), ["One two\n"]);
  assert.deepEqual(shown(play(turn, preview(0, 4, "tw"))), ["One two\n"]);
});

test("a preview that something is missing before is not shown", () => {
  const turn = play(newTurn("t"), delta("a", "One\n"));
  assert.equal(play(turn, preview(0, 9, "three")), turn);
  assert.deepEqual(shown(play(turn, preview(2, 0, "far"))), ["One\n"]);
});

test("a preview that changes nothing leaves the turn the same object", () => {
  const turn = play(newTurn("t"), delta("a", "One\n"), preview(0, 4, "two"));
  assert.equal(play(turn, preview(0, 7, "")), turn);
  assert.equal(play(turn, preview(0, 4, "two")), turn);
  assert.equal(play(newTurn("t"), preview(0, 0, "")).parts.length, 0);
});

test("a message that is void loses its preview, and its number is not given again", () => {
  const turn = play(newTurn("t"), delta("a", "One\n"), preview(0, 4, "two"), ["content_reset", { message_id: "a" }]);
  assert.deepEqual(shown(turn), []);
  const again = play(turn, preview(1, 0, "Once more"), delta("b", "Once "));
  assert.deepEqual(shown(again), ["Once more"]);
  assert.deepEqual(again.parts[0].messageId, "b");
});

test("the preview of a void message can begin anew", () => {
  const turn = play(newTurn("t"), delta("a", "One\n"), ["content_reset", { message_id: "a" }], preview(0, 0, "On"));
  assert.deepEqual(shown(turn), ["On"]);
  assert.deepEqual(shown(play(turn, delta("a", "One\n"))), ["One\n"]);
  assert.deepEqual(shown(play(turn, ["content_reset", { message_id: "a" }])), []);
});

test("a preview of the next message ends that of the one before", () => {
  const turn = play(
    newTurn("t"),
    delta("a", "One\n"),
    preview(0, 4, "tw"),
    tool("x"),
    result("x"),
    preview(1, 0, "Th"),
  );
  assert.deepEqual(shown(turn), ["One\n", "tool", "Th"]);
  assert.deepEqual(shown(play(turn, delta("b", "Three\n"))), ["One\n", "tool", "Three\n"]);
});

test("a preview of an earlier message ends that of a later one: only one message is written at a time", () => {
  const turn = play(newTurn("t"), delta("a", "One\n"), preview(1, 0, "stale"), preview(0, 4, ""));
  assert.deepEqual(shown(turn), ["One\n"]);
});

test("a reconnection corrects what had become stale", () => {
  const lost = play(newTurn("t"), delta("a", "One\n"), preview(0, 4, "two or"));
  const back = play(lost, delta("a", "two\n"), preview(0, 8, "three"));
  assert.deepEqual(shown(back), ["One\ntwo\nthree"]);
  assert.deepEqual(shown(play(lost, preview(0, 4, "")))[0], "One\n", "nothing is being written");
  assert.deepEqual(shown(play(lost, preview(0, 4, "two is")))[0], "One\ntwo is");
  const elsewhere = play(lost, delta("a", "two\n"), tool("x"), result("x"), preview(1, 0, ""));
  assert.deepEqual(shown(elsewhere), ["One\ntwo\n", "tool"]);
});

test("one that joins in mid-word is shown everything behind the confirmed text", () => {
  const joined = play(
    turnFromHistory({ turn_id: "t", running: true }),
    delta("a", "One\n"),
    preview(0, 4, "two and thr"),
  );
  assert.deepEqual(shown(play(joined, preview(0, 15, "ee"))), ["One\ntwo and three"]);
});

test("a new message is previewed where its confirmed text would stand", () => {
  const turn = play(newTurn("t"), tool("x"), result("x"), tool("y"), preview(0, 0, "It wrote"));
  assert.deepEqual(shown(turn), ["tool", "It wrote", "tool"]);
  assert.deepEqual(shown(play(turn, delta("a", "It wrote this."))), ["tool", "It wrote this.", "tool"]);
});

test("a preview that began before the result of a tool was reported moves behind the tool", () => {
  const early = play(newTurn("t"), tool("x"), preview(0, 0, "Found"));
  assert.deepEqual(shown(early), ["Found", "tool"]);
  const placed = play(early, result("x"));
  assert.deepEqual(shown(placed), ["tool", "Found"]);
  assert.deepEqual(shown(play(placed, delta("a", "Found it."), tool("y"), result("y"))), ["tool", "Found it.", "tool"]);
});

test("a preview stays before the tools that Claude asks for behind it, whatever is reported first", () => {
  const turn = play(newTurn("t"), preview(0, 0, "Let me look."), tool("x"), result("x"), delta("a", "Let me look."));
  assert.deepEqual(shown(turn), ["Let me look.", "tool"]);
});

for (const [name, data] of [
  ["answered", { duration_ms: 5 }],
  ["end", { duration_ms: 5 }],
  ["error", { code: "pane_died" }],
]) {
  test(`nothing that is not confirmed is left after ${name}, and nothing comes`, () => {
    const turn = play(newTurn("t"), delta("a", "One\n"), preview(0, 4, "two"), ["activity", { phase: "writing" }]);
    const over = play(turn, [name, data]);
    assert.deepEqual([shown(over), over.activity], [["One\n"], null]);
    assert.equal(play(over, preview(0, 4, "late")), over);
    assert.equal(play(over, ["activity", { phase: "thinking" }]), over);
    assert.deepEqual(shown(play(newTurn("t"), preview(0, 0, "two"), [name, data])), []);
  });
}

test("a turn that is being stopped keeps what it shows until it is over", () => {
  const turn = play(newTurn("t", { phase: "stopping" }), delta("a", "One\n"), preview(0, 4, "tw"), preview(0, 6, "o"));
  assert.deepEqual(shown(turn), ["One\ntwo"]);
  assert.deepEqual(shown(play(turn, ["end", { aborted: true }])), ["One\n"]);
});

test("what is being generated goes before the status until there is a new one", () => {
  const turn = play(
    newTurn("t"),
    ["status", { phase: "sent" }],
    ["activity", { phase: "tool", tool: "Write", at: 1000 }],
  );
  assert.deepEqual([turn.activity, turn.status.phase], [{ phase: "tool", tool: "Write" }, "sent"]);
  assert.equal(play(turn, ["activity", { phase: "", tool: "", at: 2000 }]).activity, null);
  assert.equal(play(turn, ["status", { phase: "tool" }]).activity, null);
});

test("parts that a preview does not belong to stay the same objects", () => {
  const before = play(newTurn("t"), delta("a", "One\n"), tool("x"), result("x"), preview(1, 0, "Tw"));
  const after = play(before, preview(1, 2, "o"));
  assert.deepEqual(
    after.parts.map((part, i) => part === before.parts[i]),
    [true, true, false],
  );
});

test("the work for a word does not grow with the answer", () => {
  const words = 60_000;
  let turn = play(newTurn("t"), delta("a", "x".repeat(200_000)));
  const start = performance.now();
  for (let i = 0; i < words; i += 1) turn = play(turn, preview(0, 200_000 + 5 * i, "word "));
  assert.equal(turn.parts[0].shownLength, 200_000 + 5 * words);
  assert.ok(performance.now() - start < 60_000, "a quadratic one takes minutes");
});
