import assert from "node:assert/strict";
import { test } from "node:test";
import { mayHidePart } from "../../paliadin/web/static/js/markdown/hidden-parts.js";
import {
  chosenPreviews,
  dialogOf,
  replyValue,
  describeReply,
  holdingUp,
  isChosen,
  permissionOptions,
  questionsOf,
} from "../../paliadin/web/static/js/state/interrupts.js";
import { newTurn } from "../../paliadin/web/static/js/state/turn.js";
import { runningTurn } from "../../paliadin/web/static/js/state/turns.js";

const two = questionsOf({
  questions: [
    { question: "Which?", options: [{ label: "A" }, { label: "B", description: "the second" }] },
    { question: "Also?", header: "More", multiSelect: true, options: [{ label: "C" }] },
  ],
});

test("questions come from the list, or from the interrupt itself", () => {
  assert.deepEqual(two[1], {
    question: "Also?",
    header: "More",
    multi: true,
    options: [{ id: "C", label: "C", description: "", preview: "" }],
  });
  const [one] = questionsOf({ message: "Name?", kind: "text" });
  assert.deepEqual(one, { question: "Name?", header: "", multi: false, options: [] });
});

test("a permission for an agent holds up nothing that is typed, and a question of its does", () => {
  const asked = (kind) => [{ id: kind, kind, message: "?" }];
  const own = newTurn("a", { interrupts: asked("permission") });
  const agents = ["permission", "text"].map((kind) => newTurn(kind, { askedBy: "Explore", interrupts: asked(kind) }));
  assert.deepEqual(
    holdingUp([own, ...agents]).map(({ turnId }) => turnId),
    ["a", "text"],
  );
  assert.equal(runningTurn(agents), undefined);
  assert.equal(runningTurn([own, ...agents]).id, "a");
});

test("one question is answered by its label, several labels or free text", () => {
  assert.equal(replyValue([two[0]], [{ labels: ["B"], other: "" }]), "B");
  assert.equal(replyValue([two[0]], [{ labels: [], other: " mine " }]), "mine");
  assert.deepEqual(replyValue([two[1]], [{ labels: ["C"], other: "mine" }]), ["C", "mine"]);
});

test("several questions are answered by question", () => {
  const value = replyValue(two, [
    { labels: ["A"], other: "" },
    { labels: ["C"], other: "" },
  ]);
  assert.deepEqual(value, { "Which?": "A", "Also?": ["C"] });
});

test("blanks are no reply", () => {
  assert.equal(isChosen({ labels: [], other: "  " }), false);
  assert.equal(isChosen({ labels: ["A"], other: "" }), true);
});

test("a reply is put into words", () => {
  assert.equal(describeReply({ "Which?": "A", "Also?": ["C", "D"] }), "A · C, D");
  assert.equal(describeReply(null), "");
});

test("a permission can be allowed or denied where the server names no options", () => {
  assert.deepEqual(
    permissionOptions({}).map(({ id }) => id),
    ["allow", "deny"],
  );
});

test("the previews of what was chosen are found, in whatever form the reply came", () => {
  const options = [{ label: "A", preview: "# A" }, { label: "B" }, { label: "C", preview: "# C" }];
  const [one, many] = [
    { question: "Which?", options },
    { question: "Also?", multi: true, options },
  ];
  const labels = (questions, value) => chosenPreviews({ questions }, value).map(({ label }) => label);
  assert.deepEqual(labels([one], "A"), ["A"]);
  assert.deepEqual(labels([one], "B"), []);
  assert.deepEqual(labels([one], null), []);
  assert.deepEqual(labels([many], ["A", "C", "mine"]), ["A", "C"]);
  assert.deepEqual(labels([many], "A, C"), ["A", "C"]);
  assert.deepEqual(labels([one, many], { "Which?": "C", "Also?": ["A"] }), ["C", "A"]);
  assert.deepEqual(labels([one, many], "A"), ["A", "A"]);
});

test("a dialog of the terminal is read, however odd it is", () => {
  assert.deepEqual(dialogOf({ input: { screen: "Yes?", asks: "login" } }), { screen: "Yes?", asks: "login" });
  for (const input of [null, undefined, "x", { screen: 3, asks: "odd" }])
    assert.deepEqual(dialogOf({ input }), { screen: "", asks: "dialog" });
});

test("a text of which rendering may hide a part is known", () => {
  for (const text of ["a <!-- b -->", "[//]: # (x)", "a\n\n  [note]: /x 'y'", "> [x]: y", "[^1]: a note"])
    assert.ok(mayHidePart(text), text);
  for (const text of ["# Plan\n\n1. [go](x)", "[x] done: yes", "a [b]: c"]) assert.ok(!mayHidePart(text), text);
});
