/**
 * Files behind `@`, for the list of a text field. What is inserted is what Claude Code takes for a file.
 * @typedef {import("../../types.js").FoundFile} FoundFile
 */
import { h } from "../../browser/dom.js";
import { icon } from "../../browser/icons.js";
import { ApiError } from "../../daemon/api.js";
import { escapeInvisible } from "../../texts/format.js";
import { explainFailure } from "../../texts/i18n.js";

/**
 * @param {import("../../conversation/files.js").Files} files
 * @param {Pick<import("../common/context.js").Context, "t"|"lang">} context
 * @returns {import("./completion.js").Source<FoundFile>}
 */
export function createFileSource(files, { t, lang }) {
  return {
    // At a word's beginning only: Claude Code attaches nothing elsewhere.
    pattern: /(?<start>^|\s)@(?:"(?<quoted>[^"\n]{0,200})|(?<query>(?:[^\s"]\S{0,199})?))$/,
    label: t("files.label"),
    async search(query, signal) {
      try {
        const items = await files.search(query.replace(/^\.\//, ""), signal);
        return { items, note: t(query ? "files.none.match" : "files.none") };
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        const { title, hint } = explainFailure(t, lang, error.failure);
        return { items: [], note: `${title} ${hint}` };
      }
    },
    draw: (file) => drawFile(file, t),
    isBarred: ({ obstacle }) => Boolean(obstacle),
    insert: ({ path }) => ({ text: mention(path), open: path.endsWith("/") }),
  };
}

/**
 * How a question names a file. In quotation marks it may have blanks, and end with a full stop; a folder has no second
 * one, as it goes on. One that has a quotation mark itself needs none (paliadin/files/attachable.py).
 * @param {string} path
 */
export function mention(path) {
  const name = /^[\p{L}\p{N}_.]/u.test(path) && !path.startsWith("agent-") ? path : `./${path}`;
  if (name.includes('"') || /^[\p{L}\p{M}\p{N}_./+-]*[\p{L}\p{M}\p{N}_/]$/u.test(name)) return `@${name}`;
  return path.endsWith("/") ? `@"${name}` : `@"${name}"`;
}

/**
 * @param {FoundFile} file
 * @param {import("../common/context.js").Context["t"]} t
 */
function drawFile({ path, ignored, marks, obstacle }, t) {
  const chars = [...path];
  const nameAt = chars.lastIndexOf("/", chars.length - 2) + 1;
  const marked = new Set(marks);
  const folder = path.endsWith("/");
  return [
    h("span", { class: "file-icon" }, icon(folder ? "folder" : "file")),
    h("span", { class: "file-name" }, ...markChars(chars, marked, nameAt, chars.length)),
    h("span", { class: "file-folder" }, ...markChars(chars, marked, 0, nameAt)),
    obstacle && h("span", { class: "file-barred" }, t(`files.barred.${obstacle}`)),
    ignored && !obstacle && h("span", { class: "file-ignored" }, t("files.ignored")),
  ].filter((node) => node instanceof Node);
}

/**
 * @param {string[]} chars
 * @param {Set<number>} marked
 * @param {number} from
 * @param {number} to
 */
function markChars(chars, marked, from, to) {
  /** @type {(Node|string)[]} */
  const pieces = [];
  for (let at = from; at < to;) {
    let end = at + 1;
    while (end < to && marked.has(end) === marked.has(at)) end += 1;
    const text = escapeInvisible(chars.slice(at, end).join(""));
    pieces.push(marked.has(at) ? h("mark", {}, text) : text);
    at = end;
  }
  return pieces;
}
