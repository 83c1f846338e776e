/** A picture of Claude's folder, as a button that shows it larger. */
import { h } from "../../browser/dom.js";
import { escapeInvisible } from "../../texts/format.js";

/** The most that it takes on the page, in pixels. */
const LARGE = { width: 640, height: 400 };
export const THUMBNAIL = { width: 180, height: 110 };

/**
 * @param {Pick<import("./context.js").Context, "files"|"openFile"|"t">} context
 * @param {import("../../types.js").ShownFile} file
 * @param {{width: number, height: number}} [most]
 * @param {string} [text] what it shows
 */
export function createPicture({ files, openFile, t }, file, most = LARGE, text = "") {
  const { path, width = 1, height = 1 } = file;
  const scale = Math.min(1, most.width / width, most.height / height);
  const label = escapeInvisible(text || path);
  const image = h("img", {
    src: files?.pictureAddress(file),
    alt: label,
    width: Math.max(Math.round(width * scale), 1), // its place is kept while it is loaded
    height: Math.max(Math.round(height * scale), 1),
    loading: "lazy",
    decoding: "async",
  });
  const name = t("files.enlarge", { name: label });
  return h(
    "button",
    { type: "button", class: "picture-button", "aria-label": name, title: name, onclick: () => openFile?.(path, null) },
    image,
  );
}
