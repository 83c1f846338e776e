import assert from "node:assert/strict";
import { test } from "node:test";
import {
  groupByDay,
  isAnyBusy,
  idInList,
  isUnread,
  joinFound,
  keepSame,
  markSeen,
  neighbourOf,
  openItem,
  readSeen,
  siblingsOf,
  tabMark,
} from "../../paliadin/web/static/js/state/conversations.js";
import { asShown } from "../../paliadin/web/static/js/state/question-text.js";
import {
  displayTitle,
  formatDay,
  formatMonth,
  nameOfOrigin,
  withoutMarkup,
} from "../../paliadin/web/static/js/texts/conversation-names.js";

const NOW = new Date(2026, 2, 30, 9, 0).getTime(); // the day after the clocks change in much of the world
const on = (...date) => new Date(...date).getTime();
const item = (id, fields = {}) => ({
  id,
  title: id,
  state: "parked",
  pinned: false,
  archived: false,
  created_at: 1,
  last_at: NOW,
  ended_at: null,
  branch_of: null,
  first_turn: null,
  running_turn: null,
  ...fields,
});

test("conversations stand under their day, pinned ones first", () => {
  const items = [
    item("a"),
    item("b", { last_at: on(2026, 2, 29, 23, 59) }),
    item("c", { last_at: on(2026, 2, 28, 0, 1) }),
    item("d", { last_at: on(2026, 2, 23, 12) }),
    item("e", { last_at: on(2026, 2, 22, 12) }),
    item("f", { last_at: on(2025, 10, 3) }),
    item("g", { last_at: on(2025, 10, 2), pinned: true }),
    item("h", { last_at: NOW + 60_000 }),
  ];
  assert.deepEqual(
    groupByDay(items, NOW).map(({ key, items: all }) => `${key}: ${all.map(({ id }) => id)}`),
    ["pinned: g", "today: a,h", "yesterday: b", "week: c,d", "2026-03: e", "2025-11: f"],
  );
  assert.deepEqual(
    groupByDay([item("new", { last_at: null, created_at: null })], NOW).map(({ key }) => key),
    ["today"],
  );
});

test("what has not changed stays the same object", () => {
  const before = [item("a"), item("b")];
  assert.equal(keepSame(before, structuredClone(before)), before);
  const now = keepSame(before, [item("b"), item("a", { title: "other" })]);
  assert.equal(now[0], before[1]);
  assert.equal(now[1].title, "other");
  assert.notEqual(keepSame(before, [item("b"), item("a")]), before);
});

test("what ended since it was last looked at is unread, and nothing in a new browser", () => {
  const items = [item("a", { ended_at: 5 }), item("b", { ended_at: 9 }), item("c")];
  const seen = readSeen("", items);
  assert.deepEqual(
    items.map((each) => isUnread(each, seen)),
    [false, false, false],
  );
  const later = item("a", { ended_at: 12 });
  assert.ok(isUnread(later, seen));
  const after = markSeen(seen, later);
  assert.ok(!isUnread(later, after));
  assert.equal(markSeen(after, later), after);
  assert.deepEqual(readSeen(JSON.stringify(after), []), after);
  assert.deepEqual(readSeen("[1", items), seen);
  assert.deepEqual(readSeen('{"since":null}', items), seen);
});

test("what is remembered as seen has an end, and what is forgotten counts as seen", () => {
  const items = Array.from({ length: 300 }, (_, i) => item(`i${i}`, { ended_at: i + 1 }));
  const seen = items.reduce(markSeen, { since: 0, ended: {} });
  assert.equal(Object.keys(seen.ended).length, 200);
  assert.deepEqual(
    items.filter((each) => isUnread(each, seen)),
    [],
  );
});

test("questions at one place are siblings, in the parent and in each branch", () => {
  const branch = (id, created_at, first_turn, session_id = "p", turn_id = "t2") =>
    item(id, { created_at, first_turn, branch_of: { session_id, turn_id } });
  const items = [
    branch("b2", 30, "u2"),
    item("p", { first_turn: "t1" }),
    branch("b1", 20, "u1"),
    branch("asked-nothing-yet", 40, null),
  ];
  const place = (session, turnId) => ({ session, turnId });
  assert.deepEqual(
    siblingsOf(items, "p"),
    new Map([["t2", { index: 0, count: 3, previous: null, next: place("b1", "u1") }]]),
  );
  assert.deepEqual(
    siblingsOf(items, "b1"),
    new Map([["u1", { index: 1, count: 3, previous: place("p", "t2"), next: place("b2", "u2") }]]),
  );
  const orphans = items.filter(({ id }) => id !== "p");
  assert.deepEqual(siblingsOf(orphans, "b2").get("u2"), {
    index: 1,
    count: 2,
    previous: place("b1", "u1"),
    next: null,
  });
  assert.equal(siblingsOf([item("p"), items[2]].slice(1), "b1").size, 0);
  const nested = [...items, branch("c", 50, "v1", "b1", "u5")];
  assert.deepEqual([...siblingsOf(nested, "b1").keys()].sort(), ["u1", "u5"]);
});

test("the tab tells that another conversation asks, or that one has finished", () => {
  const seen = { since: 10, ended: {} };
  assert.equal(tabMark([item("a"), item("b", { ended_at: 10 })], seen, "a"), "");
  assert.equal(tabMark([item("a"), item("b", { ended_at: 11 })], seen, "a"), "finished");
  assert.equal(tabMark([item("a", { ended_at: 11 }), item("b", { state: "waiting" })], seen, "a"), "asks");
  assert.equal(tabMark([item("a", { state: "waiting" })], seen, "a"), "");
});

test("in a drawer main is the person's first conversation", () => {
  const own = `ada-${"0a".repeat(16)}`;
  assert.equal(idInList([item("abcdefgh2345"), item(own)], "main", true), own);
  assert.equal(idInList([item(own), item("main")], "main", true), "main");
  assert.deepEqual([idInList([item("a")], "main", true), idInList([item(own)], "b", true)], ["main", "b"]);
  assert.equal(idInList([item(own)], "main", false), "main"); // on the page it was just deleted
});

test("something goes on where a turn runs, Claude asks, or a question waits", () => {
  const busy = [{ running_turn: "t" }, { state: "waiting" }, { queued: 1 }].map((fields) => item("a", fields));
  assert.deepEqual(
    [...busy.map((each) => isAnyBusy([item("b"), each])), isAnyBusy([item("b")])],
    [true, true, true, false],
  );
});

test("the next one comes in place of one that goes, at the end the one before", () => {
  const items = [item("a"), item("b")];
  assert.deepEqual([neighbourOf(items, "a"), neighbourOf(items, "b"), neighbourOf([item("a")], "a")], ["b", "a", ""]);
});

test("a title is one line of text in which nothing is hidden", () => {
  assert.equal(displayTitle("  <b>one</b>\n two\t\u202ethree"), "<b>one</b> two ⟨U+202E⟩three");
  assert.equal(displayTitle("x".repeat(1_000)).length, 300);
});

test("days are short, and have their year where it is another one", () => {
  assert.match(formatDay(on(2026, 2, 30, 8, 5), "en", NOW), /8:05/);
  assert.match(formatDay(on(2026, 1, 3), "de", NOW), /3\. Feb/);
  assert.match(formatDay(on(2025, 1, 3), "de", NOW), /25/);
  assert.match(formatMonth("2025-11", "de"), /November 2025/);
  assert.deepEqual([nameOfOrigin("https://app.example:8443"), nameOfOrigin("odd")], ["app.example:8443", "odd"]);
});

test("what is found in the list and in the archive is one list, newest first", () => {
  const found = [item("a", { last_at: 3 }), item("b", { last_at: 1, pinned: true })];
  const put = [item("c", { last_at: 2 }), item("b", { last_at: 1, archived: true })];
  assert.deepEqual(
    joinFound(found, put).map(({ id, archived }) => `${id} ${archived}`),
    ["a false", "c false", "b true"],
  );
});

test("the open conversation is found in the archive, too", () => {
  const [listed, put] = [item("a"), item("b", { archived: true })];
  assert.equal(openItem({ items: [listed], openArchived: put, made: null, current: "a" }), listed);
  assert.equal(openItem({ items: [listed], openArchived: put, made: null, current: "b" }), put);
  assert.equal(openItem({ items: [listed], openArchived: put, made: null, current: "c" }), undefined);
});

test("an excerpt has no marks of tables and lists", () => {
  assert.equal(withoutMarkup("| a | b |\n|---|---|\n| x | y |").replace(/\s+/g, " ").trim(), "a b x y");
  assert.equal(withoutMarkup("- one point\n  - nested"), "one point\nnested");
  assert.equal(withoutMarkup("a - b -- c --- d"), "a - b -- c --- d");
});

test("a question is shown as the daemon will show it", () => {
  assert.equal(asShown("one \u202etxt.exe\u2066 two\u200b\r\nthree\t!  "), "one txt.exe two\nthree    !");
  assert.equal(asShown("\u{1f469}\u200d\u{1f4bb} e\u0301"), "\u{1f469}\u200d\u{1f4bb} \u00e9");
});
