/**
 * What is happening now, in words, and for how long. It stands above the input: under a growing text it would move with
 * every line.
 * @typedef {import("./context.js").Context} Context
 * @typedef {import("../types.js").Turn} Turn
 */
import { h } from "../dom.js";
import { formatDuration, toolName, visible } from "../format.js";
import { maybe } from "../i18n.js";

/** Shorter than this nobody can read it. */
const HOLD_MS = 300;

/** @param {Context} context */
export function createStatus({ t, lang }) {
  const words = h("span", { class: "shimmer" });
  const clock = h("span", { class: "status-clock" });
  const el = h("p", { class: "status", hidden: true }, h("span", { class: "status-dot" }), words, clock);
  let shownAt = 0;
  let wanted = "";
  let holding = 0;
  let ticking = 0;
  /** @type {number|null} */
  let startedAt = null;

  function show() {
    holding = 0;
    if (words.textContent === wanted) return;
    words.textContent = wanted;
    shownAt = performance.now();
  }

  function forget() {
    clearTimeout(holding);
    holding = 0;
    words.textContent = "";
  }

  function tick() {
    const ms = startedAt === null ? 0 : Date.now() - startedAt;
    clock.textContent = ms >= 3000 ? formatDuration(Math.floor(ms / 1000) * 1000, lang) : "";
  }

  return {
    el,
    /** @param {Turn|undefined} turn the running one */
    update(turn) {
      el.hidden = !turn;
      clearInterval(ticking);
      if (!turn) return forget();
      startedAt = turn.startedAt;
      wanted = statusText(turn, t);
      if (!words.textContent) show();
      else if (!holding) holding = setTimeout(show, shownAt + HOLD_MS - performance.now());
      tick();
      ticking = setInterval(tick, 1000);
    },
  };
}

/**
 * What a tool does, in words for a person.
 * @type {Record<string, import("../i18n.js").Key>}
 */
const DOING = {
  Read: "status.tool.read",
  NotebookRead: "status.tool.read",
  Write: "status.tool.write",
  Edit: "status.tool.write",
  MultiEdit: "status.tool.write",
  NotebookEdit: "status.tool.write",
  Bash: "status.tool.run",
  Grep: "status.tool.search",
  Glob: "status.tool.search",
  LS: "status.tool.search",
  WebFetch: "status.tool.web",
  WebSearch: "status.tool.web",
  Task: "status.tool.helper",
  Agent: "status.tool.helper",
  TodoWrite: "status.tool.plan",
};

/**
 * @param {Turn} turn
 * @param {Context["t"]} t
 */
function statusText({ phase, status, parts }, t) {
  if (phase === "sending" || phase === "stopping") return t(`status.${phase}`);
  if (!status) return t("status.sent");
  const tool = parts.findLast((part) => part.kind === "tool");
  if (status.phase === "tool" && tool) return doing(tool, t);
  return maybe(t, `status.${status.phase}`) || status.message;
}

/**
 * @param {import("../types.js").ToolPart} tool
 * @param {Context["t"]} t
 */
function doing({ name, summary }, t) {
  const file = visible(summary).split("/").at(-1) ?? "";
  const known = Object.hasOwn(DOING, name) ? DOING[name] : undefined;
  return known ? t(known, { file }) : t("status.tool.named", { name: visible(toolName(name)) });
}
