/**
 * Firefox for a test: does what the lines of its input say, one after the other, and answers each with a line.
 *
 *     node firefox.mjs /usr/bin/firefox-esr <profile folder>
 *
 * `["click", ".item-link"]` is answered with `{"value": …}` or `{"error": "…"}`. It ends with its input.
 */
import { createInterface } from "node:readline";
import puppeteer from "puppeteer-core";

const [executablePath, userDataDir] = process.argv.slice(2);
const MOUSE = 6; // (pointer: fine) and (hover: hover); without a window system it has neither
const browser = await puppeteer.launch({
  browser: "firefox",
  executablePath,
  userDataDir,
  headless: true,
  timeout: 60_000,
  defaultViewport: { width: 1280, height: 800 },
  extraPrefsFirefox: {
    "intl.accept_languages": "en-GB",
    "dom.events.testing.asyncClipboard": true, // what is copied needs no click before
    "ui.prefersReducedMotion": 1,
    "ui.primaryPointerCapabilities": MOUSE,
    "ui.allPointerCapabilities": MOUSE,
  },
});
const reports = [];
// What is shown when it fails: the requests to which no answer came.
const open = new Set();
const tabs = [];
let page = await openTab();

const acts = {
  go,
  evaluate: (code) => page.evaluate(code),
  click: (selector) => page.locator(selector).click(),
  type: (text) => page.keyboard.type(text),
  press,
  attach: async (selector, ...paths) => (await page.$(selector)).uploadFile(...paths),
  resize: (width, height) => page.setViewport({ width, height }),
  tab: async (number) => {
    page = tabs[number] ?? (await openTab());
    await page.bringToFront();
  },
  screenshot: (path) => page.screenshot({ path }).then(() => null),
  reports: async () => reports.splice(0),
};
for await (const line of createInterface({ input: process.stdin })) {
  const [name, ...args] = JSON.parse(line);
  const answer = await acts[name](...args).then(
    (value) => ({ value: value ?? null }),
    (error) => ({ error: `${name} ${args}: ${error.message}` }),
  );
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
await browser.close();

async function openTab() {
  const tab = await browser.newPage();
  tabs.push(tab);
  tab.setDefaultTimeout(30_000);
  tab.on("console", (message) => ["error", "warn"].includes(message.type()) && reports.push(message.text()));
  tab.on("pageerror", (error) => reports.push(`uncaught: ${error.message}`));
  tab.on("request", (request) => open.add(request));
  for (const event of ["requestfinished", "requestfailed"]) tab.on(event, (request) => open.delete(request));
  return tab;
}

/**
 * Goes there, and looks until the page is complete and has what the selector names, wherever that led to. `page.goto` waits for events
 * instead, and one was missed once, or never came: nobody could tell.
 */
async function go(address, selector) {
  const before = await page.evaluate(() => performance.timeOrigin);
  await page.evaluate((to) => void setTimeout(() => location.assign(to)), address);
  let seen;
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await sleep(100)) {
    seen = await Promise.race([page.evaluate(look, selector ?? "body").catch(String), sleep(5000, "no answer")]);
    // On the way to another site it shows about:blank for a moment: complete, and new.
    const there = selector ? seen.born > before : seen.address === address;
    if (there && seen.ready && seen.state === "complete") return seen;
  }
  const waiting = [...open].map((request) => `${request.resourceType()} ${request.url()}`);
  throw new Error(`not within 60 s; it shows ${JSON.stringify(seen)}; open: ${waiting}`);
}

function look(selector) {
  const ready = document.querySelector(selector) !== null;
  const [address, text] = [location.href, document.body?.innerText ?? ""];
  return { address, text, state: document.readyState, born: performance.timeOrigin, ready };
}

/** Presses keys together: `Control+Shift+O`. */
async function press(keys) {
  const names = keys.split("+");
  for (const name of names) await page.keyboard.down(name);
  for (const name of names.reverse()) await page.keyboard.up(name);
}

function sleep(milliseconds, value) {
  return new Promise((done) => setTimeout(done, milliseconds, value));
}
