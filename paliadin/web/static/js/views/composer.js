/**
 * The input for questions. It grows with its text and keeps a draft over a reload. While Claude works it can be
 * stopped, and a question that is sent waits for its turn. While Claude waits for one reply in words, the input takes
 * that reply; while it waits for a choice, the input is closed.
 * @typedef {import("./common/context.js").Context} Context
 * @typedef {import("../types.js").State} State
 * @typedef {import("../state/interrupts.js").OpenInterrupt} OpenInterrupt
 */
import { h } from "../browser/dom.js";
import { icon } from "../browser/icons.js";
import { listenToKeys } from "../browser/keys.js";
import { holdingUp, questionsOf } from "../state/interrupts.js";
import { runningTurn } from "../state/turns.js";
import { plural } from "../texts/i18n.js";
import { createCommandSource } from "./composer/command-source.js";
import { createCompletion } from "./composer/completion.js";
import { createFigures } from "./composer/figures.js";
import { createFileSource } from "./composer/file-source.js";
import { findOwnCommand, ownCommands } from "./own-commands.js";
import { createTray } from "./tray.js";

/** As a part of the window. */
const MAX_HEIGHT = 0.4;

/** @param {Context} context */
export function createComposer(context) {
  const { conversation, settings, t, lang, embedded, files } = context;
  const { attachments } = conversation;
  const tray = createTray(context, attachments, () => input.focus());
  const draftKey = `draft.${conversation.session}`;
  const input = h("textarea", { rows: 1, enterkeyhint: "send", dir: "auto", id: embedded ? null : "question" });
  const stopLabel = t(embedded ? "composer.halt" : "composer.stop");
  const stop = h(
    "button",
    { type: "button", class: "round primary", hidden: true, "aria-label": stopLabel, title: stopLabel },
    icon("stop"),
  );
  const button = h("button", { type: "submit", class: "round primary" }, icon("send"));
  const hint = h("p", { class: "composer-hint" });
  const note = h("p", { class: "composer-note", role: "status" });
  const commands = ownCommands(context);
  const figures = createFigures(context);
  /** @type {import("./composer/completion.js").Source<any>[]} */
  const sources = [];
  const fileSource = files && createFileSource(files, { t, lang });
  if (fileSource) sources.push(fileSource);
  if (commands.length && context.askOffers)
    sources.push(createCommandSource(commands, context.askOffers, ({ name }) => runOwn(`/${name}`), context));
  const mayAttach = () => !context.member && conversation.get().health?.may_attach !== false;
  const completion = createCompletion(input, () => (mayAttach() ? sources : sources.filter((s) => s !== fileSource)), {
    write(text, cursor) {
      fill(text);
      input.setSelectionRange(cursor, cursor);
    },
    isOff: () => replyTo !== null || input.readOnly,
    announce: (count) => plural(t, "completion.count", count),
  });
  const el = h(
    "form",
    { class: "composer" },
    completion.el,
    tray.el,
    h("div", { class: "composer-box" }, tray.button, input, stop, button),
    hint,
  );
  el.prepend(note);
  el.append(figures.el, tray.picker);
  /** In a drawer, who asks is known once the daemon has told it. */
  const placeholder = () =>
    context.member || conversation.get().health?.person?.role === "member"
      ? "composer.placeholder.member"
      : "composer.placeholder";
  let running = false;
  /** The question waits for a free place. */
  let held = false;
  let stopping = false;
  /** @type {OpenInterrupt[]} */
  let open = [];
  /** @type {OpenInterrupt|null} the one to which the input replies */
  let replyTo = null;

  function grow() {
    input.style.height = "auto";
    input.style.height = `${Math.min(input.scrollHeight, innerHeight * MAX_HEIGHT)}px`;
  }

  /** @param {string} text */
  function fill(text) {
    input.value = text;
    if (!replyTo) settings.set(draftKey, text);
    grow();
    draw();
  }

  /** Chooses what the input is for. A question that is being written stays a question. */
  function choosePurpose() {
    const one = onlyInWords(open);
    const busy = !replyTo && input.value !== "" && input.matches(":focus");
    if (one?.interrupt.id === replyTo?.interrupt.id || busy) return draw();
    replyTo = one;
    fill(one ? "" : settings.get(draftKey));
  }

  function draw() {
    const text = input.value.trim();
    const closed = open.length > 0 && !replyTo && !(text && input.matches(":focus"));
    input.readOnly = closed;
    el.classList.toggle("composer-closed", closed);
    const label = t(replyTo ? "composer.reply" : "composer.label");
    if (input.getAttribute("aria-label") !== label) input.setAttribute("aria-label", label);
    input.placeholder = t(replyTo ? "composer.reply" : closed ? "composer.closed" : placeholder());
    tray.button.hidden = !mayAttach() || Boolean(replyTo) || closed;
    tray.el.classList.toggle("tray-aside", Boolean(replyTo) || closed);
    drawButtons(text !== "" || (!replyTo && attachments.ready().length > 0), Boolean(replyTo));
    const hintKey = isHeldBack()
      ? "attachments.wait"
      : replyTo
        ? "composer.hint"
        : open.length
          ? "composer.asked"
          : running
            ? busyHint()
            : sources.length > 1
              ? mayAttach()
                ? "composer.hint.page"
                : "composer.hint.commands"
              : "composer.hint";
    hint.textContent = !closed ? t(hintKey) : embedded ? "\u00a0" : t("composer.escape");
  }

  const isHeldBack = () => !replyTo && attachments.isSending();

  /** @returns {import("../texts/i18n.js").Key} */
  const busyHint = () => {
    if (held) return embedded ? "composer.waits" : "composer.held";
    return embedded ? "composer.works" : "composer.busy";
  };

  /**
   * @param {boolean} hasText
   * @param {boolean} isReply
   */
  function drawButtons(hasText, isReply) {
    const sendLabel = t(running && !isReply ? "composer.queue" : "composer.send");
    stop.hidden = !running || (isReply && hasText);
    stop.disabled = stopping;
    // Beside Send, Stop is the lesser one.
    stop.classList.toggle("primary", !hasText);
    button.hidden = running && !hasText;
    button.disabled = !hasText || isHeldBack();
    if (button.title === sendLabel) return;
    button.title = sendLabel;
    button.setAttribute("aria-label", sendLabel);
  }

  /** @param {boolean} [asText] it is no command, although it begins with a slash */
  async function submit(asText = false) {
    const text = input.value.trim();
    const to = replyTo;
    const files = to ? [] : attachments.ready();
    if ((!text && !files.length) || isHeldBack()) return;
    completion.close(); // what it says belongs to the text that goes
    if (!to && !asText && runOwn(text)) return;
    if (!to && tray.showRefused()) {
      note.textContent = t("attachments.refused");
      return;
    }
    if (!to) attachments.clear();
    fill("");
    const sent = to
      ? conversation.reply(to.turnId, { interrupt_id: to.interrupt.id, value: asReply(to, text) })
      : conversation.send(text, files, asText);
    if (await sent) return;
    // It did not arrive: it is put back above what was typed in the meantime.
    attachments.putBack(files);
    if (to?.interrupt.id === replyTo?.interrupt.id) fill([text, input.value].filter(Boolean).join("\n"));
  }

  /**
   * Does what the page itself does for a message.
   * @param {string} text
   */
  function runOwn(text) {
    const own = findOwnCommand(commands, text);
    if (!own) return false;
    fill("");
    conversation.dismissFailure();
    note.textContent = own.command.name === "compact" ? t("command.compact.running") : "";
    Promise.resolve(own.command.act(own.argument)).then((outcome) => {
      note.textContent = outcome.note ?? "";
      if (outcome.failed && !input.value) fill(text);
    });
    return true;
  }

  input.addEventListener("input", () => {
    note.textContent = "";
    fill(input.value);
  });
  input.addEventListener("blur", choosePurpose);
  input.addEventListener("paste", (event) => !tray.button.hidden && tray.paste(event));
  const unlisten = attachments.listen(draw);
  listenToKeys(input, (event) => {
    if (completion.onKey(event)) return;
    const last = conversation
      .get()
      .turns.filter((turn) => turn.question)
      .at(-1)?.question;
    if (event.key === "ArrowUp" && input.value === "" && !replyTo && !input.readOnly && last) {
      event.preventDefault();
      fill(last);
    }
    if (event.key !== "Enter" || event.shiftKey) return;
    event.preventDefault();
    submit();
  });
  el.addEventListener("submit", (event) => {
    event.preventDefault();
    submit();
    input.focus();
  });
  stop.addEventListener("click", () => {
    conversation.stop();
    input.focus();
  });
  input.value = settings.get(draftKey);

  return {
    el,
    /** Lets files be dropped on an element. */
    takeDropsOn: (/** @type {HTMLElement} */ target) => tray.takeDropsOn(target, () => !tray.button.hidden),
    destroy() {
      unlisten();
      figures.destroy();
      tray.destroy();
    },
    focus() {
      input.focus();
    },
    /** To be called once the input can be seen: its height depends on its width. */
    grow,
    sendAsText() {
      submit(true);
      input.focus();
    },
    /**
     * Puts a text into the input, with the cursor at its end.
     * @param {string} text
     */
    write(text) {
      fill(text);
      input.focus();
      input.setSelectionRange(text.length, text.length);
    },
    /**
     * Adds a text below what is being written.
     * @param {string} text
     */
    add: (text) => fill([input.value, text].filter(Boolean).join("\n")),
    /** @param {State} state */
    update({ turns }) {
      const turn = runningTurn(turns);
      running = Boolean(turn);
      held = turn?.phase === "running" && turn.status?.phase === "held";
      stopping = turn?.phase === "stopping";
      open = holdingUp(turns);
      choosePurpose();
    },
  };
}

/**
 * The only open interrupt, if it can be replied to in words.
 * @param {OpenInterrupt[]} open
 */
function onlyInWords(open) {
  const [first] = open;
  const one =
    open.length === 1 && first && first.interrupt.kind !== "permission" && questionsOf(first.interrupt).length === 1;
  return one ? first : null;
}

/**
 * @param {OpenInterrupt} open
 * @param {string} text
 */
const asReply = ({ interrupt }, text) => (questionsOf(interrupt)[0]?.multi ? [text] : text);
