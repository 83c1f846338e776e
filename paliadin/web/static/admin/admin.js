/** The dashboard's script: its forms, which the page's policy forbids to submit, its theme and its language. */
import { settings } from "../js/browser/settings.js";
import { currentTheme, setTheme, THEMES } from "../js/browser/theme.js";

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!(form instanceof HTMLFormElement)) return;
  event.preventDefault();
  const fields = [...new FormData(form)]
    .filter(([, value]) => value !== "")
    .map(([name, value]) => [name, String(value)]);
  const query = new URLSearchParams(fields);
  if (query.has("from") || query.has("to")) query.delete("span");
  location.assign(`${form.action}?${query}`);
});

// Without this script the browser would submit the forms itself, and the theme would not change, in vain: the page
// disables their buttons.
for (const button of document.querySelectorAll("button[type=submit], [data-theme-switch]"))
  button.removeAttribute("disabled");

for (const button of document.querySelectorAll("[data-theme-switch]")) {
  button.addEventListener("click", () =>
    setTheme(THEMES[(THEMES.indexOf(currentTheme()) + 1) % THEMES.length] ?? "auto"),
  );
}

for (const link of document.querySelectorAll("[data-lang]")) {
  link.addEventListener("click", () => settings.set("lang", link.getAttribute("data-lang") ?? ""));
}
