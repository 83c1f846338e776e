/** Draws attached files: a picture small, any other one as a sign with its name. */
import { h } from "../../browser/dom.js";
import { icon } from "../../browser/icons.js";
import { escapeInvisible, formatBytes } from "../../texts/format.js";

/** A picture larger than this is not decoded for a thumbnail before the daemon has looked at it. */
const MAX_PREVIEW = 12 * 1024 * 1024;
const SHOWN = /^image\/(png|jpeg|gif|webp)$/;

/**
 * @param {File|null} file
 * @param {string} name
 */
export function drawThumbnail(file, name) {
  if (!file || !SHOWN.test(file.type) || file.size > MAX_PREVIEW) return drawSign(name);
  const url = URL.createObjectURL(file);
  const done = () => URL.revokeObjectURL(url);
  const image = h("img", { src: url, alt: "", class: "thumbnail", onload: done });
  image.addEventListener("error", () => {
    done();
    image.replaceWith(drawSign(name));
  });
  return image;
}

/** @param {string} name */
function drawSign(name) {
  const suffix = /\.([\w]{1,5})$/.exec(name)?.[1] ?? "";
  return h("span", { class: "file-sign", "aria-hidden": "true" }, suffix ? suffix.toUpperCase() : icon("clip"));
}

/**
 * The files of a question that was asked.
 * @param {import("../common/context.js").Context} context
 */
export function createAttachedFiles({ t, lang, addressOfFile }) {
  const el = h("ul", { class: "attached", hidden: true, "aria-label": t("attachments.attached") });
  let drawn = "";
  return {
    el,
    /**
     * @param {import("../../types.js").Attachment[]} attachments
     * @param {string[]} unopened ids of those that Claude has not opened
     */
    update(attachments, unopened) {
      const wanted = JSON.stringify([attachments, unopened]);
      if (wanted === drawn) return;
      drawn = wanted;
      el.hidden = attachments.length === 0;
      el.replaceChildren(...attachments.map((each) => h("li", {}, drawOne(each, unopened.includes(each.id)))));
    },
  };

  /**
   * @param {import("../../types.js").Attachment} attachment
   * @param {boolean} isUnopened
   */
  function drawOne({ id, name, bytes, kind }, isUnopened) {
    const href = addressOfFile?.(id);
    const shown = escapeInvisible(name);
    const picture =
      kind === "image" && href
        ? h("img", { src: href, alt: "", class: "thumbnail", loading: "lazy", decoding: "async" })
        : drawSign(name);
    const note = isUnopened && h("span", { class: "attached-note" }, t("attachments.unopened"));
    const text = h(
      "span",
      { class: "attached-text" },
      h("span", { class: "attached-name", dir: "auto" }, shown),
      h("span", { class: "attached-size" }, formatBytes(bytes, lang)),
      note,
    );
    const link = { class: "attached-file", title: shown, href, target: "_blank", rel: "noopener" };
    return href ? h("a", link, picture, text) : h("span", { class: "attached-file", title: shown }, picture, text);
  }
}
