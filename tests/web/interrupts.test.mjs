import assert from "node:assert/strict";
import { test } from "node:test";
import { answerValue, describeAnswer, isAnswered, permissionOptions, questionsOf, subject } from "../../paliadin/web/static/js/interrupts.js";

const two = questionsOf({
  questions: [
    { question: "Which?", options: [{ label: "A" }, { label: "B", description: "the second" }] },
    { question: "Also?", header: "More", multiSelect: true, options: [{ label: "C" }] },
  ],
});

test("questions come from the list, or from the interrupt itself", () => {
  assert.deepEqual(two[1], { question: "Also?", header: "More", multi: true, options: [{ id: "C", label: "C", description: "" }] });
  const [one] = questionsOf({ message: "Name?", kind: "text" });
  assert.deepEqual(one, { question: "Name?", header: "", multi: false, options: [] });
});

test("one question is answered by its label, several labels or free text", () => {
  assert.equal(answerValue([two[0]], [{ labels: ["B"], other: "" }]), "B");
  assert.equal(answerValue([two[0]], [{ labels: [], other: " mine " }]), "mine");
  assert.deepEqual(answerValue([two[1]], [{ labels: ["C"], other: "mine" }]), ["C", "mine"]);
});

test("several questions are answered by question", () => {
  const value = answerValue(two, [{ labels: ["A"], other: "" }, { labels: ["C"], other: "" }]);
  assert.deepEqual(value, { "Which?": "A", "Also?": ["C"] });
});

test("blanks are no answer", () => {
  assert.equal(isAnswered({ labels: [], other: "  " }), false);
  assert.equal(isAnswered({ labels: ["A"], other: "" }), true);
});

test("an answer is told in words", () => {
  assert.equal(describeAnswer({ "Which?": "A", "Also?": ["C", "D"] }), "A · C, D");
  assert.equal(describeAnswer(null), "");
});

test("a permission can be allowed or denied where the server names no options", () => {
  assert.deepEqual(permissionOptions({}).map(({ id }) => id), ["allow", "deny"]);
});

test("a permission's subject is one short line", () => {
  assert.equal(subject({ tool: "Bash", input: { command: "wc -l \\\n  notes", timeout: 5 }, message: "" }), "wc -l \\ notes");
  assert.equal(subject({ tool: "Read", input: {}, message: "Claude wants to use Read" }), "");
  assert.equal(subject({ message: "Go on?" }), "Go on?");
});
