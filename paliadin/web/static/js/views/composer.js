/**
 * The input: it grows with its text, keeps a draft over a reload, and its button sends or stops. While Claude waits for
 * one answer in words, what is written is that answer; while it waits for a choice, the input is closed.
 * @typedef {import("./context.js").Context} Context
 * @typedef {import("../types.js").State} State
 * @typedef {import("./asks.js").Ask} Ask
 */
import { h } from "../dom.js";
import { icon } from "../icons.js";
import { openAsks, questionsOf } from "../interrupts.js";
import { runningTurn } from "../turns.js";

const MAX_HEIGHT = 0.4;

/** @param {Context} context */
export function createComposer({ conversation, settings, t, embedded }) {
  const draftKey = `draft.${conversation.session}`;
  const input = h("textarea", { rows: 1, enterkeyhint: "send" });
  const button = h("button", { type: "submit", class: "round primary" });
  const hint = h("p", { class: "composer-hint" });
  const el = h("form", { class: "composer" }, h("div", { class: "composer-box" }, input, button), hint);
  let running = false;
  let stopping = false;
  /** @type {Ask[]} */
  let asks = [];
  /** @type {Ask|null} the one that the input answers */
  let answering = null;

  function grow() {
    input.style.height = "auto";
    input.style.height = `${Math.min(input.scrollHeight, innerHeight * MAX_HEIGHT)}px`;
  }

  /** @param {string} text */
  function fill(text) {
    input.value = text;
    if (!answering) settings.set(draftKey, text);
    grow();
    draw();
  }

  /** Somebody who is writing a question goes on; they are not made to answer with it. */
  function settle() {
    const one = oneInWords(asks);
    const busy = !answering && input.value !== "" && input.matches(":focus");
    if (one?.interrupt.id === answering?.interrupt.id || busy) return draw();
    answering = one;
    fill(one ? "" : settings.get(draftKey));
  }

  function draw() {
    const text = input.value.trim();
    const closed = asks.length > 0 && !answering && !(text && input.matches(":focus"));
    const stops = running && !(answering && text);
    input.readOnly = closed;
    el.classList.toggle("composer-closed", closed);
    const label = t(answering ? "composer.answer" : "composer.label");
    if (input.getAttribute("aria-label") !== label) input.setAttribute("aria-label", label);
    input.placeholder = t(answering ? "composer.answer" : closed ? "composer.closed" : "composer.placeholder");
    if (!button.firstChild || button.dataset.stops !== String(stops)) {
      button.dataset.stops = String(stops);
      button.replaceChildren(icon(stops ? "stop" : "send"));
      button.title = t(stops ? (embedded ? "composer.halt" : "composer.stop") : "composer.send");
      button.setAttribute("aria-label", button.title);
    }
    button.disabled = stops ? stopping : text === "";
    hint.textContent = t(answering ? "composer.hint" : asks.length ? "composer.asked" : running ? (embedded ? "composer.works" : "composer.busy") : "composer.hint");
  }

  async function submit() {
    const text = input.value.trim();
    if (!text || (running && !answering)) return;
    const to = answering;
    fill("");
    const sent = to ? conversation.answer(to.turnId, { interrupt_id: to.interrupt.id, value: words(to, text) }) : conversation.send(text);
    // What was typed meanwhile is the newer one: both stay.
    if (!(await sent) && to?.interrupt.id === answering?.interrupt.id) fill([text, input.value].filter(Boolean).join("\n"));
  }

  input.addEventListener("input", () => fill(input.value));
  input.addEventListener("blur", settle);
  input.addEventListener("keydown", (event) => {
    const last = conversation.get().turns.findLast((turn) => turn.question)?.question;
    if (event.key === "ArrowUp" && input.value === "" && !answering && !input.readOnly && last) {
      event.preventDefault();
      fill(last);
    }
    // isComposing: this Enter picks a character of an input method.
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    submit();
  });
  el.addEventListener("submit", (event) => {
    event.preventDefault();
    if (button.dataset.stops === "true") conversation.stop();
    else submit();
    input.focus();
  });
  input.value = settings.get(draftKey);

  return {
    el,
    focus() {
      grow(); // it may have been out of sight, and of no height
      input.focus();
    },
    /** The height depends on the width, which is known once the input is in the page. */
    grow,
    /**
     * Puts a text there to be changed, the cursor at its end.
     * @param {string} text
     */
    write(text) {
      fill(text);
      input.focus();
      input.setSelectionRange(text.length, text.length);
    },
    /** @param {State} state */
    update({ turns }) {
      const turn = runningTurn(turns);
      running = Boolean(turn);
      stopping = turn?.phase === "stopping";
      asks = openAsks(turns);
      settle();
    },
  };
}

/**
 * The one open question, if it takes an answer in words.
 * @param {Ask[]} asks
 */
function oneInWords(asks) {
  const [ask] = asks;
  const one = asks.length === 1 && ask && ask.interrupt.kind !== "permission" && questionsOf(ask.interrupt).length === 1;
  return one ? ask : null;
}

/**
 * @param {Ask} ask
 * @param {string} text
 */
const words = ({ interrupt }, text) => (questionsOf(interrupt)[0]?.multi ? [text] : text);
