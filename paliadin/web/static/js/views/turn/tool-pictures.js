/**
 * The pictures that tools returned, below their steps. Loaded with the first one. The page shows them by their address;
 * a drawer, whose application may allow no pictures of another origin, draws them.
 * @typedef {import("../common/context.js").Context} Context
 * @typedef {import("../../types.js").ToolPart} ToolPart
 */
import { h } from "../../browser/dom.js";
import { ApiError } from "../../daemon/api.js";
import { toolName } from "../../texts/tool-names.js";
import { fileOf } from "./tool-files.js";

/** The height of one, in pixels: its place is known before it is loaded. */
const HEIGHT = 160;
const MAX_WIDTH = 480;
/** Calls of one group of steps whose pictures are shown. */
const MAX_CALLS = 24;

/**
 * @param {Context} context
 * @param {string} turnId
 * @param {HTMLElement} place
 */
export function createToolPictures(context, turnId, place) {
  const { t, addressOfPicture, readPicture } = context;
  /** @type {Set<string>} calls */
  const seen = new Set();

  /**
   * @param {string} name
   * @param {string} words
   */
  function draw(name, words) {
    if (!addressOfPicture) return drawOnCanvas(name, words);
    const href = addressOfPicture(turnId, name);
    const image = h("img", { src: href, alt: words, height: HEIGHT, loading: "lazy", decoding: "async" });
    const link = h("a", { class: "tool-picture", href, target: "_blank", rel: "noopener", title: words }, image);
    image.addEventListener("error", () => link.replaceWith(missing(words, "pictures.failed")));
    return link;
  }

  /**
   * @param {string} name
   * @param {string} words
   */
  function drawOnCanvas(name, words) {
    const canvas = h("canvas", {
      class: "tool-picture",
      role: "img",
      "aria-label": words,
      height: HEIGHT,
      width: HEIGHT,
    });
    paint(canvas, name).catch((error) => {
      canvas.replaceWith(missing(words, "pictures.failed"));
      if (!(error instanceof ApiError || error instanceof DOMException)) throw error;
    });
    return canvas;
  }

  /**
   * @param {HTMLCanvasElement} canvas
   * @param {string} name
   */
  async function paint(canvas, name) {
    const blob = await readPicture?.(turnId, name);
    if (!blob) return;
    const picture = await createImageBitmap(blob);
    const scale = Math.min(1, MAX_WIDTH / picture.width, (2 * HEIGHT) / picture.height);
    canvas.width = Math.max(Math.round(picture.width * scale), 1);
    canvas.height = Math.max(Math.round(picture.height * scale), 1);
    canvas.getContext("2d")?.drawImage(picture, 0, 0, canvas.width, canvas.height);
    picture.close();
  }

  /**
   * @param {string} words
   * @param {import("../../texts/i18n.js").Key} why
   */
  const missing = (words, why) => h("span", { class: "tool-picture-gone" }, `${words}: ${t(why)}`);

  /** @param {ToolPart} tool */
  async function show(tool) {
    const path = fileOf(tool);
    const file = path && (await context.files?.look(path));
    if (file && file.kind === "picture") return; // tool-files.js shows it
    tool.pictures.forEach((name, i) => {
      const words = t("pictures.alt", { number: i + 1, tool: toolName(tool.name, t) });
      place.append(name ? draw(name, words) : missing(words, "pictures.gone"));
    });
    place.hidden = false;
  }

  return {
    /** @param {ToolPart[]} tools */
    async update(tools) {
      for (const tool of tools) {
        if (tool.pictures.length === 0 || seen.has(tool.id) || seen.size >= MAX_CALLS) continue;
        seen.add(tool.id);
        await show(tool);
      }
    },
  };
}
