/**
 * The input: it grows with its text, keeps a draft over a reload, and its button sends or stops.
 * @typedef {import("./context.js").Context} Context
 * @typedef {import("../types.js").State} State
 */
import { h } from "../dom.js";
import { icon } from "../icons.js";
import { runningTurn } from "../turns.js";

const MAX_HEIGHT = 0.4;

/** @param {Context} context */
export function createComposer({ conversation, settings, t }) {
  const draftKey = `draft.${conversation.session}`;
  const input = h("textarea", { rows: 1, "aria-label": t("composer.label"), placeholder: t("composer.placeholder"), enterkeyhint: "send" });
  const button = h("button", { type: "submit", class: "round primary" });
  const hint = h("p", { class: "composer-hint" });
  const el = h("form", { class: "composer" }, h("div", { class: "composer-box" }, input, button), hint);
  let running = false;

  function grow() {
    input.style.height = "auto";
    input.style.height = `${Math.min(input.scrollHeight, innerHeight * MAX_HEIGHT)}px`;
  }

  /** @param {string} text */
  function fill(text) {
    input.value = text;
    settings.set(draftKey, text);
    grow();
    ready();
  }

  function ready() {
    button.disabled = !running && input.value.trim() === "";
  }

  async function submit() {
    const text = input.value.trim();
    if (running || !text) return;
    fill("");
    // What was typed meanwhile is the newer one: both stay.
    if (!(await conversation.send(text))) fill([text, input.value].filter(Boolean).join("\n"));
  }

  input.addEventListener("input", () => fill(input.value));
  input.addEventListener("keydown", (event) => {
    // isComposing: this Enter picks a character of an input method.
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    submit();
  });
  el.addEventListener("submit", (event) => {
    event.preventDefault();
    if (running) conversation.stop();
    else submit();
  });
  input.value = settings.get(draftKey);

  return {
    el,
    focus: () => input.focus(),
    /** The height depends on the width, which is known once the input is in the page. */
    grow,
    /** @param {State} state */
    update({ turns }) {
      const turn = runningTurn(turns);
      if (!button.firstChild || running !== Boolean(turn)) {
        running = Boolean(turn);
        button.replaceChildren(icon(running ? "stop" : "send"));
        button.setAttribute("aria-label", t(running ? "composer.stop" : "composer.send"));
        button.title = t(running ? "composer.stop" : "composer.send");
      }
      ready();
      if (turn?.phase === "stopping") button.disabled = true;
      hint.textContent = t(turn?.interrupts.length ? "composer.asked" : turn ? "composer.busy" : "composer.hint");
    },
  };
}
