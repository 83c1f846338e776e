import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import {
  explainFailure,
  loadTranslator,
  pickLang,
  plural,
  translateIfKnown,
} from "../../paliadin/web/static/js/texts/i18n.js";
import { words } from "../../paliadin/web/static/js/texts/words.en.js";

const translators = { en: await loadTranslator("en"), de: await loadTranslator("de") };
const PARTS = new URL("../../paliadin/parts/", import.meta.url);

/** Folders with modules, and the words that these have to themselves: the page's, and each part's. */
const places = [[new URL("../../paliadin/web/static/js/", import.meta.url), Object.keys(words)]];
for (const part of readdirSync(PARTS)) {
  const folder = new URL(`${part}/page/`, PARTS);
  const file = new URL("words.en.js", folder);
  if (existsSync(file)) places.push([folder, Object.keys((await import(file.href)).words)]);
}

test("every text is used", () => {
  assert.ok(places.length > 1);
  for (const [folder, keys] of places) {
    const files = readdirSync(folder, { recursive: true }).filter((name) => /(?<!\bwords\.\w\w)\.js$/.test(name));
    const source = files.map((name) => readFileSync(new URL(name, folder), "utf8")).join("\n");
    // Keys whose last part comes from the server are looked up by their stem.
    const used = (key) =>
      source.includes(`"${key}"`) || [...source.matchAll(/`([a-z.]+\.)\$\{/g)].some(([, stem]) => key.startsWith(stem));
    const plurals = (key) => /\.(one|other)$/.test(key) && source.includes(`"${key.replace(/\.\w+$/, "")}"`);
    const unused = keys.filter((key) => !/^(own_)?error\./.test(key) && !used(key) && !plurals(key));
    assert.deepEqual(unused, [], folder.href);
  }
});

test("every error has a hint", () => {
  const keys = places.flatMap(([, each]) => each);
  for (const key of keys.filter((each) => /^(own_)?error\.\w+$/.test(each)))
    assert.ok(keys.includes(`${key}.hint`), key);
});

test("a part's translator has its own words, and the page's", async () => {
  const t = await loadTranslator("de", { "toy.name": "{name} heißt es", "turn.answer": "Anders" });
  assert.equal(t("toy.name", { name: "Bär" }), "Bär heißt es");
  assert.equal(t("turn.answer"), "Anders");
  assert.equal(t("copy.done"), translators.de("copy.done"));
  assert.notEqual(translators.de("turn.answer"), "Anders");
  assert.equal(translators.de("toy.name"), "");
});

test("blanks are filled and counts agree", () => {
  const t = translators.de;
  assert.equal(t("steps.failed", { count: 2 }), "2 fehlgeschlagen");
  assert.equal(plural(t, "steps", 1), "1 Schritt");
  assert.equal(plural(t, "steps", 3), "3 Schritte");
  assert.equal(translateIfKnown(t, "toString"), "");
});

test("the browser's best known language wins, English otherwise", () => {
  assert.equal(pickLang(["fr", "de-AT", "en"]), "de");
  assert.equal(pickLang(["fr"]), "en");
  assert.equal(pickLang(["", "en-GB"]), "en");
});

test("an error has the daemon's words in English, the page's own in German", () => {
  const failure = {
    code: "pane_died",
    message: "claude exited with status 137",
    hint: "Ask once more.",
    retryable: true,
  };
  assert.deepEqual(explainFailure(translators.en, "en", failure), {
    title: `${failure.message}.`,
    detail: "",
    hint: failure.hint,
  });
  const german = explainFailure(translators.de, "de", failure);
  assert.match(german.title, /beendet/);
  assert.deepEqual([german.detail, german.hint.includes("Ask")], ["", false]);
  const ended = { ...failure, message: "Claude ended as soon as it was started: Please: log in" };
  assert.equal(
    explainFailure(translators.de, "de", ended).detail,
    "Please: log in",
    "the last output of Claude is shown",
  );
  const refused = {
    ...failure,
    code: "options_refused",
    message: "Claude Code does not start with this: No such model",
  };
  assert.equal(explainFailure(translators.de, "de", refused).detail, "No such model");
  const upstream = explainFailure(translators.de, "de", { ...failure, code: "upstream_error" });
  assert.equal(upstream.detail, failure.message, "the service's own words are shown");
});

test("a Claude Code that is too old is named with both versions in both languages", () => {
  const failure = {
    code: "claude_too_old",
    message: "Claude Code 2.1.191 is too old for Paliadin, which needs 2.1.196 or newer",
    hint: "Run `claude update`; then ask again.",
    retryable: true,
  };
  for (const lang of /** @type {const} */ (["en", "de"]))
    for (const forMember of [false, true])
      assert.match(explainFailure(translators[lang], lang, failure, forMember).title, /2\.1\.191.*2\.1\.196/);
  assert.match(explainFailure(translators.de, "de", failure).hint, /aktualisieren .*claude-code@latest/);
  assert.doesNotMatch(explainFailure(translators.de, "de", failure, true).hint, /`/, "a member has no terminal");
});

test("an error that nobody foresaw still says something", () => {
  const { title, hint } = explainFailure(translators.de, "de", { code: "", message: "", hint: "", retryable: false });
  assert.ok(title && hint);
});

test("a member is told to ask the owner, where the advice is a command", () => {
  const failure = {
    code: "pane_died",
    message: "Claude ended as soon as it was started: cannot use /home/olivia",
    hint: "Run `paliadin doctor`.",
    retryable: true,
  };
  for (const lang of /** @type {const} */ (["en", "de"])) {
    const told = explainFailure(translators[lang], lang, failure, true);
    assert.doesNotMatch(`${told.title} ${told.detail} ${told.hint}`, /paliadin doctor|olivia/);
    assert.match(told.hint, /owner|Besitzer/);
  }
  const other = { ...failure, hint: "Ask again in a minute." };
  assert.equal(explainFailure(translators.en, "en", other, true).hint, other.hint);
});
