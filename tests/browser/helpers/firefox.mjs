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
page.setDefaultTimeout(60_000); // where other browsers run on the same cores, a start takes long
const results = [];
for (const each of addresses) {
  const [address, selector] = each.split(" ready=");
  console.error(`${Math.round(performance.now())} ms: ${address}`); // shown when it fails
  await page.goto(address, { waitUntil: "load" });
  if (selector) await page.waitForSelector(selector);
  results.push({ address: page.url(), text: await page.evaluate(() => document.body.innerText) });
}
await browser.close();
process.stdout.write(JSON.stringify(results));
