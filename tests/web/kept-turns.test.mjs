/** What the browser keeps where the daemon keeps no words. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createKeptTurns, forgetKept, keptTitle, told } from "../../paliadin/web/static/js/conversation/kept-turns.js";
import { newTurn } from "../../paliadin/web/static/js/state/turn.js";

/** A browser's storage with room for so many characters a value. */
function createSettings(room = Infinity) {
  const values = new Map();
  return {
    values,
    get: (name) => values.get(name) ?? "",
    set: (name, value) => (value.length > room ? undefined : values.set(name, value)),
  };
}

const id = (number) => `019a2b3c-4d5e-7f60-8123-${String(number).padStart(12, "0")}`;
const turn = (number, fields = {}) =>
  newTurn(id(number), {
    phase: "done",
    question: `Question ${number}`,
    parts: [{ kind: "text", id: "m", text: `Answer ${number}` }],
    ...fields,
  });
const redacted = (number) => newTurn(id(number), { phase: "done", isRedacted: true });

test("what was said is there again after a reload, and nothing that is not over", () => {
  const settings = createSettings();
  createKeptTurns(settings, "main").keep([
    turn(1, { key: "~1" }),
    turn(2, { phase: "running" }),
    newTurn("~1", { question: "x" }),
  ]);
  const [first, second, other] = createKeptTurns(settings, "main").fill([redacted(1), redacted(2), turn(3)]);
  assert.deepEqual([first.question, second.question, other.question], ["Question 1", "", "Question 3"]);
  assert.equal(first.parts[0].text, "Answer 1");
  assert.equal(first.key, first.id); // that of the turn while it was sent may be another's by now
  assert.equal(keptTitle(settings, "main"), "Question 1");
  assert.equal(keptTitle(settings, "other"), "");
});

test("the daemon's verdict on a kept turn wins", () => {
  const settings = createSettings();
  createKeptTurns(settings, "main").keep([turn(1)]);
  const rated = { ...redacted(1), feedback: { verdict: "up", word: "" } };
  assert.equal(createKeptTurns(settings, "main").fill([rated])[0].feedback.verdict, "up");
});

test("where there is no room the newest stay", () => {
  const settings = createSettings(3000);
  const kept = createKeptTurns(settings, "main");
  kept.keep(Array.from({ length: 30 }, (_, number) => turn(number)));
  const again = createKeptTurns(settings, "main").fill([redacted(0), redacted(29)]);
  assert.deepEqual(
    again.map(({ question }) => question),
    ["", "Question 29"],
  );
});

test("damaged storage is nothing kept", () => {
  const settings = createSettings();
  for (const value of ["{", "7", '[null, {"id": 4}, 3]', '{"a": 1}']) {
    settings.set("kept.main", value);
    assert.equal(createKeptTurns(settings, "main").fill([redacted(1)])[0].question, "");
  }
});

test("what is told is the newest, since the conversation was reset, within its size", () => {
  const pairs = told([turn(1), turn(2), turn(3, { phase: "running" }), turn(4, { parts: [] })], 0);
  assert.deepEqual(
    pairs.map(({ question, answer, turn_id }) => [turn_id, question, answer]),
    [
      [id(1), "Question 1", "Answer 1"],
      [id(2), "Question 2", "Answer 2"],
    ],
  );
  assert.deepEqual(told([turn(1)], Date.now() + 1e12), []);
  const long = { parts: [{ kind: "text", id: "m", text: "x".repeat(30_000) }] };
  assert.equal(told([turn(1, long), turn(2, long), turn(3, { question: "Q" })], 0).length, 2);
  assert.equal(
    told(
      Array.from({ length: 80 }, (_, number) => turn(number)),
      0,
    ).length,
    50,
  );
});

test("what is forgotten comes back only when that is undone", () => {
  const settings = createSettings();
  createKeptTurns(settings, "main").keep([turn(1)]);
  const bringBack = forgetKept(settings, "main");
  assert.equal(createKeptTurns(settings, "main").fill([redacted(1)])[0].question, "");
  bringBack();
  assert.equal(createKeptTurns(settings, "main").fill([redacted(1)])[0].question, "Question 1");
});
