/**
 * Draws the question of a turn. It can be changed and asked anew, which makes a branch; arrows lead to the other
 * questions that were asked at this place.
 * @typedef {import("../common/context.js").Context} Context
 * @typedef {import("../../types.js").Turn} Turn
 * @typedef {import("../../state/conversations.js").Siblings} Siblings
 */
import { h } from "../../browser/dom.js";
import { icon } from "../../browser/icons.js";
import { formatTime } from "../../texts/format.js";
import { translateIfKnown } from "../../texts/i18n.js";
import { createAttachedFiles } from "../common/attached-files.js";
import { createInlineEditor } from "../common/inline-editor.js";

/** @param {Context} context */
export function createAskedQuestion(context) {
  const { t, lang, branch, openPlace } = context;
  /** @type {Turn} */
  let shown;
  const label = h("h2", { class: "hidden" }, t("turn.you"));
  const text = h("div", { class: "question-text", dir: "auto" });
  const origin = h("p", { class: "question-origin" });
  const edit = h(
    "button",
    {
      type: "button",
      class: "quiet small edit",
      hidden: !branch,
      "aria-label": t("turn.edit"),
      title: t("turn.edit"),
      onclick: startEditing,
    },
    icon("pencil"),
  );
  const line = h("div", { class: "question-line" }, edit, text);
  const fold = h("button", { type: "button", class: "quiet small question-fold", hidden: true, onclick: toggle });
  let isFolded = true;

  function toggle() {
    isFolded = !isFolded;
    showFold();
    if (isFolded) el.scrollIntoView({ block: "nearest" });
  }

  function showFold() {
    fold.hidden = !isLong(text.textContent ?? "");
    text.classList.toggle("question-folded", !fold.hidden && isFolded);
    fold.textContent = fold.hidden ? "" : t(isFolded ? "question.unfold" : "question.fold");
    fold.setAttribute("aria-expanded", String(!isFolded));
  }

  const siblings = createSiblings(t, (place, arrow) => openPlace?.(place, arrow));
  const files = createAttachedFiles(context);
  const el = h("div", { class: "question" }, label, files.el, line, fold, siblings.el, origin);

  function startEditing() {
    if (el.querySelector(".inline-editor")) return;
    const editor = createInlineEditor({
      t,
      text: shown.question,
      label: t("turn.edit"),
      save: t("edit.ask"),
      hint: t("edit.hint"),
      onSave: async (question) => Boolean(await branch?.(shown.id, question, shown.attachments)),
      onClose() {
        line.hidden = false;
        showFold();
        edit.focus();
      },
    });
    line.hidden = fold.hidden = true;
    line.after(editor.el);
    editor.focus();
  }

  return {
    el,
    /**
     * @param {Turn} turn
     * @param {Siblings|undefined} among
     */
    update(turn, among) {
      shown = turn;
      const { question, origin: from, startedAt } = turn;
      const isElsewhere = turn.isRedacted && !question;
      el.hidden = !question && !isElsewhere;
      text.textContent = isElsewhere ? t("redacted.elsewhere") : readable(question, from);
      text.classList.toggle("question-elsewhere", isElsewhere);
      showFold();
      edit.hidden = !branch || isElsewhere || turn.origin === "agent";
      label.textContent = t(turn.askedBy ? "turn.origin.request" : "turn.you");
      files.update(turn.attachments, turn.evidence?.unopened ?? []);
      text.title = startedAt === null ? "" : formatTime(startedAt, lang);
      label.dataset.at = text.title;
      origin.textContent = turn.askedBy ? t("turn.origin.request") : translateIfKnown(t, `turn.origin.${from}`);
      origin.hidden = !origin.textContent;
      siblings.update(among);
    },
  };
}

/**
 * What Claude Code tells Claude when a task in the background has ended, in its one line for people.
 * @param {string} question
 * @param {string} origin
 */
function readable(question, origin) {
  const summary = origin === "agent" && /^\s*<task-notification>[^]*?<summary>([^<]+)<\/summary>/.exec(question)?.[1];
  return summary ? summary.trim() : question;
}

/** A longer question is folded; a line of it counts as several where it is longer than one of the page. */
const MAX_LINES = 8;
const LINE_LENGTH = 80;

/** @param {string} text */
const isLong = (text) =>
  text.split("\n").reduce((sum, { length }) => sum + Math.max(Math.ceil(length / LINE_LENGTH), 1), 0) > MAX_LINES;

/**
 * @param {Context["t"]} t
 * @param {NonNullable<Context["openPlace"]>} open
 */
function createSiblings(t, open) {
  /** @type {Siblings|undefined} */
  let shown;
  /** @param {import("../common/context.js").Arrow} which */
  const arrow = (which) =>
    h(
      "button",
      {
        type: "button",
        class: `quiet small copy siblings-${which}`,
        "aria-label": t(`siblings.${which}`),
        title: t(`siblings.${which}`),
        onclick: () => shown?.[which] && open(shown[which], which),
      },
      icon(which === "next" ? "chevron" : "back"),
    );
  const [previous, next] = [arrow("previous"), arrow("next")];
  const count = h("span", { class: "siblings-count" });
  const el = h("div", { class: "siblings", role: "group", hidden: true, "aria-label": t("siblings.label") });
  el.append(previous, count, next);
  return {
    el,
    /** @param {Siblings|undefined} siblings */
    update(siblings) {
      shown = siblings;
      el.hidden = !siblings;
      if (!siblings) return;
      count.textContent = `${siblings.index + 1}/${siblings.count}`;
      previous.disabled = !siblings.previous;
      next.disabled = !siblings.next;
    },
  };
}
