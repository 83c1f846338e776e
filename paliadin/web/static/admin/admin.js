/** What the dashboard needs a script for: its forms (the policy forbids submitting any), the theme, the language. */
import { settings } from "../js/settings.js";
import { THEMES, currentTheme, setTheme } from "../js/theme.js";

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement)) return;
  event.preventDefault();
  const given = [...new FormData(form)].filter(([, value]) => value !== "").map(([name, value]) => [name, String(value)]);
  const query = new URLSearchParams(given);
  if (query.has("from") || query.has("to")) query.delete("span");
  location.assign(`${form.action}?${query}`);
});

// Until now the browser itself would have submitted, in vain.
for (const button of document.querySelectorAll("button[type=submit]")) button.removeAttribute("disabled");

for (const button of document.querySelectorAll("[data-theme-switch]")) {
  button.addEventListener("click", () => setTheme(THEMES[(THEMES.indexOf(currentTheme()) + 1) % THEMES.length] ?? "auto"));
}

for (const link of document.querySelectorAll("[data-lang]")) {
  link.addEventListener("click", () => settings.set("lang", link.getAttribute("data-lang") ?? ""));
}
