import assert from "node:assert/strict";
import { test } from "node:test";
import { parted } from "../../paliadin/web/static/js/views/turn/chip-names.js";

const NAME = "Hearing · 2027-01-15";

test("what nothing around it says is shown whole", () => {
  assert.deepEqual(parted(NAME, ""), { known: "", news: NAME });
  assert.deepEqual(parted(NAME, "The appointment on 2027-01-15 stands."), { known: "", news: NAME });
  assert.deepEqual(parted("", "Anything."), { known: "", news: "" });
});

test("the day is shown when the words name the thing alone, or another day", () => {
  const parts = { known: "Hearing · ", news: "2027-01-15" };
  assert.deepEqual(parted(NAME, "The hearing is the next."), parts);
  for (const other of ["16 January 2027", "2027-01-16", "25.1.2027", "15 January 2028", "115.1.2027", "5.1.2027"])
    assert.deepEqual(parted(NAME, `The hearing is on ${other}.`), parts, other);
});

for (const day of [
  "2027-01-15",
  "15 January 2027",
  "Friday 15 January 2027",
  "15 Jan 2027",
  "January 15, 2027",
  "Jan 15, 2027",
  "15. Januar 2027",
  "15. Jan. 2027",
  "15.1.2027",
  "15.01.2027",
])
  test(`the day is known when it stands there as ${day}`, () => {
    assert.deepEqual(parted(NAME, `The hearing is on ${day}.`), { known: NAME, news: "" });
  });

test("a day of one figure is known with and without its zero", () => {
  for (const day of ["5.3.2027", "05.03.2027", "5. März 2027"])
    assert.deepEqual(parted("Frist · 2027-03-05", `Die Frist endet am ${day}.`).news, "", day);
});

test("a part of a longer word is not the thing", () => {
  assert.equal(parted("Fee", "The feeling is good.").news, "Fee");
  assert.equal(parted("Fee", "The coffee is good.").news, "Fee");
  assert.equal(parted("Fee", "The fee is due.").news, "");
});

test("a name that was cut is known by its beginning", () => {
  const words = "Statement of claim in the matter of the estate of the late owner of the mill";
  assert.equal(parted(`${words.slice(0, 60)}…`, `${words} is here.`).news, "");
});
