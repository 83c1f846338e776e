/** What a permission is asked for is said in words, and nothing of a tool's input is left out. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { permissionRequest, requestLine, requestWords } from "../../paliadin/web/static/js/state/permission-request.js";
import { loadTranslator } from "../../paliadin/web/static/js/texts/i18n.js";

const [en, de] = await Promise.all([loadTranslator("en"), loadTranslator("de")]);
const ask = (tool, input, more = {}) => ({ id: "i", kind: "permission", message: "", tool, input, ...more });
const said = (interrupt, t = en) =>
  requestWords(permissionRequest(interrupt), t)
    .map(({ text, isName }) => (isName ? `<${text}>` : text))
    .join("");
const IN = { folder: "/home/ada/office" };

const WORDS = [
  [
    ask("Write", { file_path: "/home/ada/office/note.md", content: "a\n\nb\n" }, { ...IN, exists: false }),
    "Create <note.md> (3 lines)",
  ],
  [
    ask("Write", { file_path: "/home/ada/office/a/b.md", content: "a" }, { ...IN, exists: true }),
    "Overwrite <a/b.md> (1 line)",
  ],
  [ask("Write", { file_path: "/home/ada/office/b.md", content: "" }, IN), "Write <b.md> (0 lines)"],
  [ask("Write", { file_path: "/b.md", content: "a … [cut]" }, { ...IN, cut: true }), "Write </b.md>"],
  [
    ask(
      "Edit",
      { file_path: "/home/ada/office/src/app.py", old_string: "a", new_string: "b" },
      { ...IN, exists: true },
    ),
    "Change <src/app.py>",
  ],
  [ask("Edit", { file_path: "/x", old_string: "", new_string: "b" }, { exists: false }), "Create </x>"],
  [ask("NotebookEdit", { notebook_path: "/x.ipynb", new_source: "1" }), "Change </x.ipynb>"],
  [ask("Read", { file_path: "/etc/hosts" }, IN), "Read </etc/hosts>"],
  [ask("Bash", { command: "ls" }), "Run this command"],
  [ask("Bash", { command: "ls", run_in_background: true }), "Run this command in the background"],
  [
    ask("Bash", { command: "ls", run_in_background: true, dangerouslyDisableSandbox: true }),
    "Run this command outside of the sandbox",
  ],
  [ask("WebFetch", { url: "https://example.org/", prompt: "?" }), "Fetch <https://example.org/>"],
  [ask("WebSearch", { query: "tides" }), "Search the web for <tides>"],
  [ask("Grep", { pattern: "TODO" }), "Search the files for <TODO>"],
  [ask("Agent", { description: "Help", prompt: "Do" }), "Let a subagent work on this"],
  [ask("Skill", { skill: "pdf" }), "Use the skill <pdf>"],
  [ask("ExitPlanMode", { plan: "1. Look." }), "Leave plan mode and begin with this plan"],
  [ask("ExitPlanMode", { plan: " \n" }), "Leave plan mode and begin, without a plan to look at"],
  [ask("ExitPlanMode", {}), "Leave plan mode and begin, without a plan to look at"],
  [ask("mcp__plugin_pal_data__look__up", { name: "x" }), "Use the tool <look__up> of the server <plugin_pal_data>"],
  [ask("Juggle", { balls: 3 }), "Use the tool <Juggle>"],
  [ask("constructor", { balls: 3 }), "Use the tool <constructor>"],
  [ask("", null), "Claude asks for permission"],
];

test("each tool has its words", () => {
  for (const [interrupt, words] of WORDS) assert.equal(said(interrupt), words);
  assert.equal(said(WORDS[0][0], de), "<note.md> anlegen (3 Zeilen)");
  assert.equal(said(WORDS[19][0], de), "Das Werkzeug <look__up> des Servers <plugin_pal_data> benutzen");
});

test("what lacks the field that its words name, or has it in another type, is asked for as any tool is", () => {
  for (const input of [null, "text", [1], {}, { file_path: "" }, { file_path: 3, content: "x" }, { file_path: ["/x"] }])
    assert.equal(said(ask("Write", input)), "Use the tool <Write>");
});

test("a path is short inside of the folder only, and only where it cannot be mistaken", () => {
  const name = (path, folder) => permissionRequest(ask("Read", { file_path: path }, { folder })).names.name;
  assert.equal(name("/w/a/b.md", "/w"), "a/b.md");
  assert.equal(name("/w/a/b.md", "/w/"), "a/b.md");
  for (const [path, folder] of [
    ["/w2/a.md", "/w"],
    ["/w", "/w"],
    ["/w/", "/w"],
    ["/w/../etc/passwd", "/w"],
    ["/w/a/./b", "/w"],
    ["/w//etc/passwd", "/w"],
    ["/w/~/.bashrc", "/w"],
    ["/etc/hosts", "/"],
    ["/etc/hosts", ""],
    ["/etc/hosts", null],
    ["a.md", "/w"],
  ])
    assert.equal(name(path, folder), path);
});

/** All of an input's values that are somewhere on the card, as text. */
function onTheCard(interrupt) {
  const { names, plan, first, edits, rest } = permissionRequest(interrupt);
  return [
    ...Object.values(names),
    plan,
    first?.value ?? "",
    ...edits.flat(),
    ...rest.flatMap(({ name, value }) => [name, value]),
  ];
}

test("nothing of the input is left out, and what the words say whole is not said again", () => {
  const long = `https://example.org/${"a".repeat(300)}?token=x`;
  const edit = { old_string: "old", new_string: "new" };
  const inputs = [
    ["Write", { file_path: "/w/a.md", content: "text", mode: "777" }],
    ["Edit", { file_path: "/w/a.md", ...edit, replace_all: true }],
    ["MultiEdit", { file_path: "/w/a.md", edits: [edit, { ...edit, replace_all: true }] }],
    ["Bash", { command: "ls", description: "List", timeout: 5 }],
    ["Bash", { command: { odd: "object" } }],
    ["WebFetch", { url: long, prompt: "What?" }],
    ["WebFetch", { url: "https://example.org/\u202eevil", prompt: "What?" }],
    ["Read", { file_path: `/w/${"deep/".repeat(60)}a.md`, offset: 3 }],
    ["Read", { file_path: `/w/a${" ".repeat(90)}b` }],
    ["ExitPlanMode", { plan: "1. Look.", planFilePath: "/p" }],
    ["mcp__a__b", { one: 1, two: [2, { three: 3 }] }],
    ["Write", { file_path: "/a", content: "/a" }],
    [`mcp__${"a".repeat(90)}__b`, { one: 1 }],
    ["Write", { content: "no path" }],
    ["Read", { file_path: "/a", "": "no name" }],
    ["EnterPlanMode", { "": "no name either" }],
    ["Write", "a text"],
  ];
  for (const [tool, input] of inputs) {
    const shown = onTheCard(ask(tool, input, { folder: "/w" })).join("\n");
    const values = typeof input === "string" ? [input] : Object.values(input);
    for (const value of values.filter((each) => typeof each !== "object"))
      assert.ok(shown.includes(String(value).replace("\u202e", "⟨U+202E⟩")), `${tool}: ${value}`);
  }
  assert.equal(permissionRequest(ask("Write", { file_path: "/a", content: "/a" })).first?.value, "/a");
  const tool = `mcp__${"a".repeat(90)}__b`;
  assert.deepEqual(permissionRequest(ask(tool, {})).rest, [{ name: "tool", value: tool }]);
  const outside = permissionRequest(ask("Read", { file_path: "/etc/hosts" }, { folder: "/w" }));
  assert.deepEqual([outside.first, outside.rest], [null, []]);
  const fetched = permissionRequest(ask("WebFetch", { url: "https://example.org/", prompt: "?" }));
  assert.deepEqual([fetched.first, fetched.rest], [null, [{ name: "prompt", value: "?" }]]);
});

test("the command, the text and the change come first", () => {
  const first = (tool, input) => permissionRequest(ask(tool, input)).first?.value;
  assert.equal(first("Bash", { description: "List", command: "ls" }), "ls");
  assert.equal(first("Write", { file_path: "/a", content: "text" }), "text");
  assert.equal(first("WebFetch", { url: `https://e.org/${"a".repeat(90)}` }), `https://e.org/${"a".repeat(90)}`);
  const edited = permissionRequest(ask("Edit", { file_path: "/a", old_string: "b", new_string: "c" }));
  assert.deepEqual([edited.first, edited.edits], [null, [["b", "c"]]]);
});

test("a command has its folder, and a link the file to which it leads", () => {
  assert.equal(permissionRequest(ask("Bash", { command: "ls" }, IN)).folder, "/home/ada/office");
  assert.equal(permissionRequest(ask("Read", { file_path: "/a" }, IN)).folder, "");
  const linked = permissionRequest(ask("Write", { file_path: "/a", content: "" }, { leads_to: "/b\u200b\n/c" }));
  assert.equal(linked.leadsTo, "/b⟨U+200B⟩⟨U+000A⟩/c");
});

test("a name is one short line in which nothing is hidden, whatever it holds", () => {
  const name = (path) => permissionRequest(ask("Read", { file_path: path })).names.name;
  assert.equal(name("/a\n\n`b` {name}\u202e"), "/a `b` {name}⟨U+202E⟩");
  assert.equal(said(ask("Read", { file_path: "/`{name}" })), "Read </`{name}>");
  assert.ok(name(`/${"a".repeat(9_000)}z`).length < 90);
  assert.ok(name(`/${"a".repeat(9_000)}z`).endsWith("z"));
});

test("in one line, what the words do not name follows them", () => {
  assert.equal(
    requestLine(ask("Bash", { command: "wc -l \\\n  notes", timeout: 5 }), en),
    "Run this command: wc -l \\ notes",
  );
  assert.equal(requestLine(WORDS[0][0], en), "Create note.md (3 lines)");
  assert.equal(requestLine(ask("mcp__a__b", { one: 1 }), en), "Use the tool b of the server a: 1");
  assert.equal(requestLine(ask("Juggle", {}), en), "Use the tool Juggle");
  assert.equal(requestLine({ ...ask("", null), message: "Go on?" }, de), "Claude bittet um Erlaubnis: Go on?");
});
