/**
 * The files that tools worked on: pictures are shown below the steps, others open from their step.
 * @typedef {import("../common/context.js").Context} Context
 * @typedef {import("../../types.js").ToolPart} ToolPart
 */
import { h } from "../../browser/dom.js";
import { namesPicture } from "../../markdown/file-paths.js";
import { clip, clipPath, escapeInvisible } from "../../texts/format.js";
import { createPicture, THUMBNAIL } from "../common/picture.js";

const NAMES = ["file_path", "notebook_path"];
/** Pictures of one group of steps. */
const MAX_PICTURES = 8;

/**
 * The file that a tool names in its input, or "".
 * @param {ToolPart} tool
 */
export function fileOf({ input }) {
  if (input === null || typeof input !== "object") return "";
  const values = Object.entries(input).filter(([name]) => NAMES.includes(name));
  return values.map(([, value]) => (typeof value === "string" ? value : "")).find(Boolean) ?? "";
}

/**
 * What a call was given, in at most `longest` characters: of a path, the end is what tells.
 * @param {ToolPart} tool
 * @param {number} longest
 */
export function shortSummary(tool, longest) {
  const text = escapeInvisible(tool.summary);
  return fileOf(tool) || /^[/~…]\S+$/.test(text) ? clipPath(text, longest) : clip(text, longest);
}

/** @param {Context} context */
export function createToolFiles(context) {
  const el = h("div", { class: "thumbnails", hidden: true });
  /** @type {Set<string>} what was looked at */
  const seen = new Set();

  /** @param {string} path */
  async function show(path) {
    const file = await context.files?.look(path);
    if (file?.kind !== "picture" || el.childElementCount >= MAX_PICTURES) return;
    el.append(createPicture(context, file, THUMBNAIL));
    el.hidden = false;
  }

  return {
    el,
    /** @param {ToolPart[]} tools */
    update(tools) {
      if (!context.files) return;
      for (const tool of tools) {
        const path = tool.state === "ok" ? fileOf(tool) : "";
        if (!namesPicture(path) || seen.has(path) || seen.size >= MAX_PICTURES) continue;
        seen.add(path);
        show(path);
      }
    },
  };
}

/**
 * A button that opens the file of a step, once the daemon says that it is there.
 * @param {Context} context
 * @param {ToolPart} tool
 */
export function drawFileButton({ files, openFile, t }, tool) {
  const path = fileOf(tool);
  if (!files || !path || tool.state !== "ok") return null;
  const open = () => openFile?.(path, null);
  const button = h("button", { type: "button", class: "small quiet", hidden: true, onclick: open }, t("files.open"));
  const line = h("p", {}, button);
  files.look(path).then((file) => {
    button.hidden = !file;
  });
  return line;
}
