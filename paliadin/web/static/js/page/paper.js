/** The style of the printed page. It is loaded when the page is first used, or printed. */
import { h } from "../browser/dom.js";

/** @type {Promise<unknown>|undefined} */
let style;

/** @returns {Promise<unknown>} fulfilled once it is there, or cannot be loaded */
export function addPaperStyle() {
  style ??= new Promise((resolve) => {
    const link = h("link", { rel: "stylesheet", media: "print", href: "paliadin/static/css/print.css" });
    link.addEventListener("load", resolve);
    link.addEventListener("error", resolve);
    document.head.append(link);
  });
  return style;
}
