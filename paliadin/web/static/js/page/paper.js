/** The style of the printed page. It is loaded with the first turns, or when the page is printed. */
import { h } from "../browser/dom.js";

/** @returns {Promise<void>} fulfilled once it is there, rejected where it cannot be loaded */
export function addPaperStyle() {
  return new Promise((resolve, reject) => {
    const link = h("link", { rel: "stylesheet", media: "print", href: "paliadin/static/css/print.css" });
    link.addEventListener("load", () => resolve());
    link.addEventListener("error", () => {
      link.remove();
      reject(new Error("the style of the printed page is not loaded"));
    });
    document.head.append(link);
  });
}
