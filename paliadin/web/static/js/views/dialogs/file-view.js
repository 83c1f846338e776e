/** A dialog that shows a file of Claude's folder: a text at a line, or a picture. Nothing can be changed in it. */
import { h } from "../../browser/dom.js";
import { ApiError } from "../../daemon/api.js";
import { escapeInvisible, formatNumber } from "../../texts/format.js";
import { explainFailure } from "../../texts/i18n.js";
import { openDialog } from "./dialog.js";

/** Lines that are read at once: before and behind the one that is wanted, or more of them. */
const AROUND = 400;

/**
 * @param {import("../common/context.js").Context} context
 * @param {Element} parent
 * @param {string} path
 * @param {number|null} line
 */
export async function openFileView(context, parent, path, line) {
  const { files, t, lang } = context;
  if (!files) return;
  const state = h("p", { role: "status" }, t("files.loads"));
  const content = h("div", { class: "file-content" });
  openDialog(parent, {
    title: escapeInvisible(path),
    close: t("banner.close"),
    body: [state, content],
    className: "file-dialog",
  });
  try {
    const file = await files.look(path);
    if (file?.kind === "picture") return showPicture(file);
    await showText(context, { path, line, content, state });
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const { title, hint } = explainFailure(t, lang, error.failure);
    state.textContent = `${title} ${hint}`;
  }

  /** @param {import("../../types.js").ShownFile} file */
  function showPicture(file) {
    const { width = 0, height = 0 } = file;
    const size = `${formatNumber(width, lang)} × ${formatNumber(height, lang)}`;
    const image = h("img", { src: files?.pictureAddress(file), alt: escapeInvisible(path), width, height });
    state.textContent = size;
    content.replaceChildren(image);
  }
}

/**
 * @param {import("../common/context.js").Context} context
 * @param {{path: string, line: number|null, content: HTMLElement, state: HTMLElement}} view
 */
async function showText({ files, t, lang }, { path, line, content, state }) {
  if (!files) return;
  const read = files.text;
  const wanted = line ?? 1;
  const window = await read(path, Math.max(wanted - AROUND, 1), wanted + AROUND);
  let first = window.first;
  let last = window.first + window.lines.length - 1;
  const { total } = window;
  const lines = h("div", { class: "file-lines" });
  const earlier = h("button", { type: "button", class: "small", onclick: () => more(-1) }, t("files.earlier"));
  const later = h("button", { type: "button", class: "small", onclick: () => more(1) }, t("files.later"));
  const label = t("files.content", { name: escapeInvisible(path) });
  const scroller = h("div", { class: "file-scroller", tabindex: 0, role: "group", "aria-label": label });
  scroller.append(earlier, lines, later);
  lines.append(...draw(window));
  content.replaceChildren(scroller);
  update();
  const target = line === null ? null : lines.querySelector(".file-line-wanted");
  if (target) target.scrollIntoView({ block: "center", inline: "start" });
  scroller.focus({ preventScroll: true });

  /** @param {import("../../types.js").TextWindow} part */
  function draw(part) {
    return part.lines.map(({ text, left_out: leftOut }, i) => {
      const number = part.first + i;
      const isWanted = number === line;
      return h(
        "div",
        {
          class: isWanted ? "file-line file-line-wanted" : "file-line",
          "data-number": number,
          "aria-current": isWanted && "location",
        },
        escapeInvisible(text),
        leftOut > 0 && h("em", {}, t("files.left_out", { count: formatNumber(leftOut, lang) })),
        "\n",
      );
    });
  }

  function update() {
    earlier.hidden = first <= 1;
    later.hidden = total === null ? window.lines.length === 0 : last >= total;
    const shown = { first: formatNumber(first, lang), last: formatNumber(last, lang) };
    const isWhole = first === 1 && last === total;
    const range = isWhole
      ? ""
      : t(total === null ? "files.range" : "files.range_of", { ...shown, total: formatNumber(total ?? 0, lang) });
    const missing = line !== null && total !== null && line > total;
    state.textContent = missing ? t("files.no_line", { line, total }) : total === 0 ? t("files.empty") : range;
  }

  /** @param {1|-1} direction */
  async function more(direction) {
    const [from, to] = direction < 0 ? [Math.max(first - AROUND, 1), first - 1] : [last + 1, last + AROUND];
    try {
      const part = await read(path, from, to);
      if (part.first !== from) return void (later.hidden = true); // it has become shorter, or ends here
      const height = scroller.scrollHeight;
      if (direction < 0) lines.prepend(...draw(part));
      else lines.append(...draw(part));
      if (direction < 0) scroller.scrollTop += scroller.scrollHeight - height; // what is read stays where it is
      first = Math.min(first, part.first);
      last = Math.max(last, part.first + part.lines.length - 1);
      update();
      if (earlier.hidden || later.hidden) scroller.focus({ preventScroll: true });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      state.textContent = explainFailure(t, lang, error.failure).title;
    }
  }
}
