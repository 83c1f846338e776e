/** The style of the printed page. It is loaded with the first turns, or when the page is printed. */
import { h } from "../browser/dom.js";

/** @type {Promise<void>|null} */
let style = null;

/** @returns {Promise<void>} fulfilled once it is there, rejected where it cannot be loaded */
export function addPaperStyle() {
  style ??= new Promise((resolve, reject) => {
    const link = h("link", { rel: "stylesheet", media: "print", href: "paliadin/static/css/print.css" });
    link.addEventListener("load", () => resolve());
    link.addEventListener("error", () => {
      link.remove();
      style = null; // the next one who needs it asks again
      reject(new Error("the style of the printed page is not loaded"));
    });
    document.head.append(link);
  });
  return style;
}
