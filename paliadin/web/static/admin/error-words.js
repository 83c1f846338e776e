/** Says what an error means, in the words of the chat page, instead of its code. A code without words stays. */
import { errors } from "../js/texts/errors.js";

/** @type {Readonly<Record<string, string>>} */
const words = errors[document.documentElement.lang === "de" ? "de" : "en"];

for (const element of document.querySelectorAll("[data-error]")) {
  const key = `error.${element.getAttribute("data-error")}`;
  if (Object.hasOwn(words, key)) element.textContent = words[key] ?? "";
}
