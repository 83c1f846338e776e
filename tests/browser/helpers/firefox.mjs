/**
 * Opens addresses in Firefox, one after the other, and prints what came of it as JSON: {"address", "text"} for each.
 *
 *     node firefox.mjs /usr/bin/firefox-esr <profile folder> <address> …
 *
 * An address may be followed by ` ready=<selector>`: it is waited for.
 */
import puppeteer from "puppeteer-core";

const [executablePath, userDataDir, ...addresses] = process.argv.slice(2);
const browser = await puppeteer.launch({
  browser: "firefox",
  executablePath,
  userDataDir,
  headless: true,
  timeout: 60_000,
  extraPrefsFirefox: { "intl.accept_languages": "en-GB" },
});
const page = await browser.newPage();
// What is shown when it fails: each address, and the requests to which no answer came.
const open = new Set();
page.on("request", (request) => open.add(request));
for (const event of ["requestfinished", "requestfailed"]) page.on(event, (request) => open.delete(request));
const results = [];
for (const each of addresses) {
  const [address, selector] = each.split(" ready=");
  console.error(`${Math.round(performance.now())} ms: ${address}`);
  results.push(await go(address, selector));
}
await browser.close();
process.stdout.write(JSON.stringify(results));

/**
 * Goes there, and looks until the page is complete. `page.goto` waits for events instead, and one was missed once, or
 * never came: nobody could tell.
 */
async function go(address, selector) {
  const before = await page.evaluate(() => location.href);
  await page.evaluate((to) => void setTimeout(() => location.assign(to)), address);
  let seen;
  for (const deadline = Date.now() + 60_000; Date.now() < deadline; await sleep(100)) {
    seen = await Promise.race([page.evaluate(look, selector ?? "body").catch(String), sleep(5000, "no answer")]);
    const there = selector ? seen.address !== before : seen.address === address;
    if (there && seen.ready && seen.state === "complete") return seen;
  }
  for (const request of open) console.error(`open: ${request.resourceType()} ${request.url()}`);
  throw new Error(`not within 60 s: ${address}; it shows ${JSON.stringify(seen)}`);
}

function look(selector) {
  const ready = document.querySelector(selector) !== null;
  return { address: location.href, text: document.body?.innerText ?? "", state: document.readyState, ready };
}

function sleep(milliseconds, value) {
  return new Promise((done) => setTimeout(done, milliseconds, value));
}
