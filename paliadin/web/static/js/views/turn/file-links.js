/**
 * Makes what names a file of Claude's folder lead to it: paths open the file, pictures are shown. It is done once a
 * piece of an answer is complete, a little at a time, and only where the daemon says that the file is there.
 * @typedef {import("../common/context.js").Context} Context
 * @typedef {import("../../types.js").ShownFile} ShownFile
 * @typedef {{node: Node, path: string, line: number|null, apply: (file: ShownFile) => void, isMention: boolean}} Named
 */
import { h } from "../../browser/dom.js";
import { listenToKeys } from "../../browser/keys.js";
import { namesPicture, pathInCode, pathInHref, pathsInProse } from "../../markdown/file-paths.js";
import { createPicture, THUMBNAIL } from "../common/picture.js";

/** How long the page may be held at once. */
const SLICE_MS = 8;
const MAX_NAMED = 40;

/** @param {Pick<Context, "files"|"openFile"|"t">} context */
export function createFileLinks(context) {
  const { files, openFile } = context;
  if (!files || !openFile) return null;
  const look = files.look;
  /** @type {Element[]} */
  let waiting = [];
  /** @type {Set<Promise<void>>} */
  const asked = new Set();

  function work() {
    const until = performance.now() + SLICE_MS;
    while (waiting.length > 0 && performance.now() < until) {
      const linked = link(/** @type {Element} */ (waiting.shift())).finally(() => asked.delete(linked));
      asked.add(linked);
    }
    if (waiting.length > 0) setTimeout(work);
  }

  /** @param {Element} block */
  async function link(block) {
    const named = findNamed(block, context).slice(0, MAX_NAMED);
    if (named.length === 0) return;
    const shown = await Promise.all(named.map(({ path }) => look(path)));
    const pictures = new Map(
      shown.flatMap((file, i) => (file?.kind === "picture" && named[i]?.isMention ? [[file.path, file]] : [])),
    );
    // From the end, since those of one text stand behind each other.
    [...named.keys()].reverse().forEach((i) => {
      const file = shown[i];
      const each = named[i];
      if (!file || !each || !block.contains(each.node)) return;
      each.apply(file);
    });
    if (pictures.size === 0) return;
    const row = [...pictures.values()].map((file) => createPicture(context, file, THUMBNAIL));
    block.append(h("div", { class: "thumbnails" }, ...row));
  }

  return {
    /** @param {Element} block is complete */
    add(block) {
      if (waiting.push(block) === 1) setTimeout(work);
    },
    /** Waits until nothing of what was added is changed any more. */
    async settled() {
      while (waiting.length > 0 || asked.size > 0) {
        await Promise.allSettled(asked);
        await new Promise((resolve) => setTimeout(resolve));
      }
    },
  };
}

/**
 * @param {Element} block
 * @param {Pick<Context, "files"|"openFile"|"t">} context
 * @returns {Named[]}
 */
function findNamed(block, context) {
  /** @type {Named[]} */
  const named = [];
  const walker = document.createTreeWalker(block, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, (node) => {
    if (!(node instanceof Element)) return NodeFilter.FILTER_ACCEPT;
    return node.matches("a, pre, button, .code, .thumbnails") ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT;
  });
  while (walker.nextNode() && named.length < MAX_NAMED) {
    const node = walker.currentNode;
    if (node instanceof HTMLElement && node.matches("code, span.file, span.picture")) {
      const one = ofElement(node, context);
      if (one) named.push(one);
    } else if (node instanceof Text && !node.parentElement?.closest("code, span.file, span.picture")) {
      named.push(...ofText(node, context));
    }
  }
  return named;
}

/**
 * @param {HTMLElement} el inline code, or a link or an image of Markdown that names no address of the web
 * @param {Pick<Context, "files"|"openFile"|"t">} context
 * @returns {Named|null}
 */
function ofElement(el, context) {
  const isImage = el.matches(".picture");
  const place = el.localName === "code" ? pathInCode(el.textContent ?? "") : pathInHref(el.title);
  if (!place) return null;
  const { path, line } = place;
  /** @param {ShownFile} file */
  const apply = (file) => {
    if (isImage && file.kind === "picture")
      el.replaceWith(createPicture(context, file, undefined, el.textContent ?? ""));
    else makeLink(el, file, line, context);
  };
  return { node: el, path, line, apply, isMention: !isImage };
}

/**
 * @param {Text} node
 * @param {Pick<Context, "files"|"openFile"|"t">} context
 * @returns {Named[]}
 */
function ofText(node, context) {
  const text = node.data;
  return pathsInProse(text).map(({ path, line, from, to }) => {
    /** @param {ShownFile} file */
    const apply = (file) => {
      if (node.data.slice(0, to) !== text.slice(0, to)) return;
      node.splitText(to);
      const link = h("span", {}, text.slice(from, to));
      makeLink(link, file, line, context);
      node.splitText(from).replaceWith(link);
    };
    return { node, path, line, apply, isMention: true };
  });
}

/**
 * Makes an element a link to a file. It is no <button>, which would not be broken into lines as the text around it.
 * @param {HTMLElement} el
 * @param {ShownFile} file
 * @param {number|null} line
 * @param {Pick<Context, "files"|"openFile"|"t">} context
 */
function makeLink(el, file, line, { openFile, t }) {
  const open = () => openFile?.(file.path, line);
  el.classList.add("file-link");
  el.setAttribute("role", "button");
  el.tabIndex = 0;
  el.title = t(namesPicture(file.path) ? "files.open.picture" : "files.open");
  el.addEventListener("click", open);
  listenToKeys(el, (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    open();
  });
}
