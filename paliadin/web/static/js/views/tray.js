/**
 * The files above the input that go with the next question, and the ways in which they come there: a button, paste
 * and drop.
 * @typedef {import("./common/context.js").Context} Context
 * @typedef {import("../conversation/attachments.js").Attachments} Attachments
 * @typedef {import("../conversation/attachments.js").Draft} Draft
 */
import { h, keyedList } from "../browser/dom.js";
import { icon } from "../browser/icons.js";
import { MAX_FILES } from "../conversation/attachments.js";
import { explainFailure } from "../texts/i18n.js";
import { escapeInvisible, formatBytes } from "../texts/format.js";
import { drawThumbnail } from "./common/attached-files.js";

/**
 * @param {Context} context
 * @param {Attachments} attachments
 * @param {() => void} focusInput
 */
export function createTray(context, attachments, focusInput) {
  const { t } = context;
  const list = h("ul", { class: "tray-list" });
  const note = h("p", { class: "tray-note", role: "status" });
  const el = h(
    "div",
    { class: "tray", hidden: true, role: "group", "aria-label": t("attachments.attached") },
    list,
    note,
  );
  const picker = h("input", { type: "file", multiple: true, hidden: true, tabindex: -1, "aria-hidden": "true" });
  const button = h(
    "button",
    {
      type: "button",
      class: "round quiet attach",
      "aria-label": t("attachments.attach"),
      title: t("attachments.attach"),
    },
    icon("clip"),
  );
  button.addEventListener("click", () => picker.click());
  picker.addEventListener("change", () => {
    attachments.add([...(picker.files ?? [])]);
    picker.value = "";
    focusInput();
  });
  const draw = keyedList(
    list,
    (/** @type {Draft} */ { key }) => key,
    () => createDraft(context, remove),
  );

  /** @param {string} key */
  function remove(key) {
    const at = attachments.get().files.findIndex((each) => each.key === key);
    const crosses = list.querySelectorAll("button");
    // Not the input: whoever removes several by keyboard would send the question.
    (crosses[at + 1] ?? crosses[at - 1] ?? button).focus();
    attachments.remove(key);
  }

  const unlisten = attachments.listen(({ files, refused }) => {
    const before = list.childElementCount;
    draw(files, null);
    if (list.childElementCount > before) list.scrollTop = list.scrollHeight;
    note.textContent = refused.map((each) => explainRefusal(each, t)).join(" ");
    el.hidden = files.length === 0 && refused.length === 0;
  });

  return {
    el,
    button,
    picker,
    destroy: unlisten,
    /** Brings the first file that was refused into sight; false where there is none. */
    showRefused() {
      const at = attachments.get().files.findIndex(({ failure }) => failure);
      list.children[at]?.scrollIntoView({ block: "nearest" });
      return at >= 0;
    },
    /**
     * Takes what is pasted, if it is files; a picture that comes with text, as from a table, stays text.
     * @param {ClipboardEvent} event
     */
    paste(event) {
      const files = [...(event.clipboardData?.files ?? [])];
      if (!files.length || event.clipboardData?.getData("text/plain")) return;
      event.preventDefault();
      const names = attachments.get().files.map(({ name }) => name);
      const given = files.map((file) => {
        const one = named(file, names);
        names.push(one.name);
        return one;
      });
      attachments.add(given);
    },
    /**
     * Lets files be dropped anywhere on an element.
     * @param {HTMLElement} target
     * @param {() => boolean} isOpen
     */
    takeDropsOn(target, isOpen) {
      const sign = h(
        "div",
        { class: "drop-sign", hidden: true, "aria-hidden": "true" },
        icon("clip"),
        t("attachments.drop"),
      );
      target.append(sign);
      const hasFiles = (/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes("Files") && isOpen();
      target.addEventListener("dragover", (event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        sign.hidden = false;
      });
      target.addEventListener("dragleave", (event) => {
        if (!(event.relatedTarget instanceof Node && target.contains(event.relatedTarget))) sign.hidden = true;
      });
      target.addEventListener("drop", (event) => {
        sign.hidden = true;
        if (!hasFiles(event)) return;
        event.preventDefault();
        const { files, folders } = dropped(event.dataTransfer);
        attachments.add(files, folders);
        focusInput();
      });
    },
  };
}

/**
 * @param {Context} context
 * @param {(key: string) => void} remove
 */
function createDraft({ t, lang }, remove) {
  const image = h("span", { class: "tray-image" });
  const name = h("span", { class: "tray-name", dir: "auto" });
  const state = h("span", { class: "tray-state" });
  const bar = h("progress", { max: 1, class: "tray-progress" });
  const cross = h("button", { type: "button", class: "quiet small copy" }, icon("cross"));
  const el = h("li", { class: "tray-file" }, image, h("div", { class: "tray-text" }, name, state, bar), cross);
  return {
    el,
    /** @param {Draft} draft */
    update({ key, name: given, bytes, progress, attachment, failure, file }) {
      const shown = escapeInvisible(given);
      name.textContent = shown;
      name.title = shown;
      const reason = failure && explainFailure(t, lang, failure);
      state.textContent = reason
        ? [reason.title, reason.hint].join(" ")
        : attachment
          ? formatBytes(bytes, lang)
          : t("attachments.sending");
      state.toggleAttribute("role", false);
      if (reason) state.setAttribute("role", "alert");
      bar.hidden = Boolean(attachment || failure);
      bar.value = progress;
      bar.setAttribute("aria-label", t("attachments.sending.name", { name: shown }));
      el.classList.toggle("tray-failed", Boolean(failure));
      if (!image.firstChild) image.append(drawThumbnail(file, shown));
      const label = t("attachments.remove", { name: shown });
      cross.setAttribute("aria-label", label);
      cross.title = label;
      cross.onclick = () => remove(key);
    },
  };
}

/**
 * @param {string} refused
 * @param {Context["t"]} t
 */
function explainRefusal(refused, t) {
  if (refused === "many") return t("attachments.many", { count: MAX_FILES });
  return t("attachments.folder", { name: escapeInvisible(refused.slice("folder:".length)) });
}

/**
 * A pasted picture has no name of its own.
 * @param {File} file
 * @param {string[]} names those that are taken
 */
function named(file, names) {
  if (file.name && !/^image\.\w+$/.test(file.name)) return file;
  const stem = `pasted-${new Date().toISOString().slice(11, 19).replaceAll(":", "")}`;
  const type = file.type.split("/")[1] ?? "bin";
  const sameTime = names.filter((name) => name.startsWith(stem)).length;
  return new File([file], sameTime ? `${stem}-${sameTime + 1}.${type}` : `${stem}.${type}`, { type: file.type });
}

/**
 * What was dropped. The browser gives a folder as a file that cannot be read.
 * @param {DataTransfer|null} transfer
 */
function dropped(transfer) {
  /** @type {{files: File[], folders: string[]}} */
  const result = { files: [], folders: [] };
  for (const item of transfer?.items ?? []) {
    const entry = item.kind === "file" ? item.webkitGetAsEntry() : null;
    const file = item.kind === "file" ? item.getAsFile() : null;
    if (entry?.isDirectory) result.folders.push(entry.name);
    else if (file) result.files.push(file);
  }
  return result;
}
