/**
 * The theme that was chosen in this browser; `auto` is the one of the system.
 * @typedef {"auto"|"light"|"dark"} Theme
 */
import { settings } from "./settings.js";

/** @type {Theme[]} */
export const THEMES = ["auto", "light", "dark"];

/** @returns {Theme} */
export function currentTheme() {
  return THEMES.find((theme) => theme === settings.get("theme")) ?? "auto";
}

/** @param {Theme} theme */
export function setTheme(theme) {
  settings.set("theme", theme === "auto" ? "" : theme);
  document.documentElement.dataset.theme = theme;
}
