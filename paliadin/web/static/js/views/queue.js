/**
 * The questions that wait, above the input: each can be changed or withdrawn. After Stop or an error they wait until
 * the user lets them go on.
 * @typedef {import("./common/context.js").Context} Context
 * @typedef {import("../types.js").State} State
 * @typedef {import("../types.js").QueuedTurn} QueuedTurn
 */
import { h, keyedList } from "../browser/dom.js";
import { icon } from "../browser/icons.js";
import { isLocal } from "../state/turns.js";
import { translateIfKnown } from "../texts/i18n.js";
import { createInlineEditor } from "./common/inline-editor.js";

/**
 * @param {Context} context
 * @param {{focus: () => void, add: (text: string) => void}} input it gets the focus once what had it is gone, and the
 *   text of a question that began while it was being changed
 */
export function createQueueView(context, input) {
  const { conversation, t } = context;
  const title = h("p", { class: "queue-title" });
  const goOn = h("button", { type: "button", class: "small primary", onclick: proceed }, t("queue.go_on"));
  const held = h("div", { class: "queue-held", role: "status" }, h("p", {}), goOn);
  const items = h("ol", { class: "queue-list" });
  const el = h("section", { class: "queue", hidden: true, "aria-label": t("queue.title") }, title, held, items);
  /** @type {Map<string, ReturnType<typeof createQueued>>} */
  const views = new Map();
  const draw = keyedList(items, (/** @type {QueuedTurn} */ { turn_id }) => turn_id, create);

  /** @param {QueuedTurn} queued */
  function create({ turn_id }) {
    const view = createQueued(context);
    views.set(turn_id, view);
    return view;
  }

  function proceed() {
    conversation.queue.goOn();
    input.focus();
  }

  /** @param {QueuedTurn[]} turns */
  function saveUnsaved(turns) {
    for (const [id, view] of views) {
      if (turns.some(({ turn_id }) => turn_id === id)) continue;
      views.delete(id);
      const text = view.unsaved();
      if (text) input.add(text);
    }
  }

  return {
    el,
    /** @param {State} state */
    update({ queue, signedIn }) {
      const lost = el.matches(":focus-within");
      el.hidden = queue.turns.length === 0 || !signedIn;
      title.textContent = t("queue.title");
      title.hidden = Boolean(queue.held);
      held.hidden = !queue.held;
      const reason = translateIfKnown(t, `queue.held.${queue.held}`) || t("queue.held.stopped");
      if (held.firstChild && held.firstChild.textContent !== reason) held.firstChild.textContent = reason;
      saveUnsaved(queue.turns);
      draw(queue.turns, null);
      if (lost && !el.matches(":focus-within")) input.focus();
    },
  };
}

/** @param {Context} context */
function createQueued({ conversation, t }) {
  /** @type {QueuedTurn} */
  let shown;
  const text = h("span", { class: "queue-text", dir: "auto" });
  const edit = button("pencil", t("queue.edit"), startEditing);
  const withdraw = button("cross", t("queue.withdraw"), () => conversation.queue.withdraw(shown.turn_id));
  const count = h("span");
  const files = h("span", { class: "queue-files", title: t("attachments.attached") }, icon("clip"), count);
  const line = h("div", { class: "queue-line" }, text, files, edit, withdraw);
  const el = h("li", { class: "queued" }, line);
  /** @type {ReturnType<typeof createInlineEditor>|null} */
  let editor = null;

  function startEditing() {
    const { turn_id, user_message } = shown;
    editor = createInlineEditor({
      t,
      text: user_message,
      label: t("queue.edit"),
      save: t("edit.save"),
      onSave: (question) => conversation.queue.edit(turn_id, question),
      onClose() {
        editor = null;
        line.hidden = false;
        edit.focus();
      },
    });
    line.hidden = true;
    el.append(editor.el);
    editor.focus();
  }

  return {
    el,
    /** What was changed and not saved, or "". */
    unsaved: () => editor?.unsaved() ?? "",
    /** @param {QueuedTurn} queued */
    update(queued) {
      shown = queued;
      text.textContent = queued.user_message;
      count.textContent = queued.attachments?.length ? String(queued.attachments.length) : "";
      files.hidden = !queued.attachments?.length;
      const sending = isLocal({ id: queued.turn_id });
      edit.disabled = withdraw.disabled = sending;
    },
  };
}

/**
 * @param {import("../browser/icons.js").Icon} mark
 * @param {string} label
 * @param {() => void} onclick
 */
const button = (mark, label, onclick) =>
  h("button", { type: "button", class: "quiet small copy", "aria-label": label, title: label, onclick }, icon(mark));
