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
  extraPrefsFirefox: { "intl.accept_languages": "en-GB" },
});
const page = await browser.newPage();
const results = [];
for (const each of addresses) {
  const [address, selector] = each.split(" ready=");
  await page.goto(address, { waitUntil: "load" });
  if (selector) await page.waitForSelector(selector, { timeout: 20_000 });
  results.push({ address: page.url(), text: await page.evaluate(() => document.body.innerText) });
}
await browser.close();
process.stdout.write(JSON.stringify(results));
