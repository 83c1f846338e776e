/**
 * Shows what Claude is doing, and for how long, or that the connection is lost, so that nobody knows. It stands above
 * the input: below a growing answer it would move with every line.
 * @typedef {import("./common/context.js").Context} Context
 * @typedef {import("../types.js").Turn} Turn
 */
import { h } from "../browser/dom.js";
import { openItem } from "../state/conversations.js";
import { displayTitle } from "../texts/conversation-names.js";
import { clip, escapeInvisible, formatDuration } from "../texts/format.js";
import { plural, translateIfKnown } from "../texts/i18n.js";
import { toolAtWork } from "../texts/tool-names.js";

/** How long a text stays at least, so that it can be read. */
const HOLD_MS = 300;
/** Characters of a title. */
const MAX_TITLE = 40;

/** @param {Context} context */
export function createStatus({ t, lang, list }) {
  const label = h("span", { class: "shimmer" });
  const clock = h("span", { class: "status-clock" });
  const el = h("p", { class: "status", hidden: true }, h("span", { class: "status-dot" }), label, clock);
  let shownAt = 0;
  let wanted = "";
  let holding = 0;
  let ticking = 0;
  /** @type {number|null} */
  let startedAt = null;

  function show() {
    holding = 0;
    if (label.textContent === wanted) return;
    label.textContent = wanted;
    shownAt = performance.now();
  }

  function clear() {
    clearTimeout(holding);
    holding = 0;
    label.textContent = "";
  }

  /** Says that something goes on although Claude itself rests. */
  function showBackground() {
    const count = (list && openItem(list.get())?.background_tasks) || 0;
    el.hidden = count === 0;
    el.classList.toggle("status-behind", count > 0);
    el.classList.remove("status-lost");
    clear();
    clock.textContent = "";
    if (count > 0) label.textContent = plural(t, "status.background", count);
  }

  function tick() {
    const ms = startedAt === null ? 0 : Date.now() - startedAt;
    clock.textContent = ms >= 3000 ? formatDuration(Math.floor(ms / 1000) * 1000, lang) : "";
  }

  return {
    el,
    /**
     * @param {Turn|undefined} turn the running one
     * @param {boolean} cutOff nothing of it can arrive now
     */
    update(turn, cutOff) {
      clearInterval(ticking);
      if (!turn) return showBackground();
      el.hidden = false;
      el.classList.remove("status-behind");
      const lost = cutOff && turn.phase !== "sending"; // that is known without a connection
      if (!lost && turn.phase === "running" && turn.interrupts.length > 0) {
        el.hidden = true; // the card below says that Claude waits
        return clear();
      }
      el.classList.toggle("status-lost", lost);
      startedAt = lost ? null : turn.startedAt;
      wanted = lost ? t("status.lost") : heldText(turn, t, list) || statusText(turn, t);
      if (!label.textContent) show();
      else if (!holding) holding = setTimeout(show, shownAt + HOLD_MS - performance.now());
      tick();
      if (lost) return;
      ticking = setInterval(tick, 1000);
    },
  };
}

/**
 * Says which conversations hold all places.
 * @param {Turn} turn
 * @param {Context["t"]} t
 * @param {Context["list"]} list
 * @returns {string} "" unless the turn waits for a place
 */
function heldText({ phase, status }, t, list) {
  if (phase !== "running" || status?.phase !== "held") return "";
  const items = list?.get().items ?? [];
  const titles = status.heldBy.map((id) => displayTitle(items.find((item) => item.id === id)?.title ?? ""));
  const known = titles.filter(Boolean).map((title) => `“${clip(title, MAX_TITLE)}”`);
  const others = titles.length - known.length;
  const names = [...known, ...(others ? [plural(t, "status.held.others", others)] : [])];
  return names.length ? t("status.held.by", { titles: names.join(", ") }) : t("status.held");
}

/**
 * The texts for what well-known tools do.
 * @type {Record<string, import("../texts/i18n.js").Key>}
 */
const TOOL_TEXTS = {
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
function statusText({ phase, status, activity, interrupts, parts }, t) {
  if (phase === "sending" || phase === "stopping") return t(`status.${phase}`);
  const now = activity && interrupts.length === 0 && activityText(activity, t);
  if (now) return now;
  if (!status) return t("status.sent");
  const tool = parts.filter((part) => part.kind === "tool").at(-1);
  if (status.phase === "tool" && tool) return toolText(tool, t);
  return translateIfKnown(t, `status.${status.phase}`) || status.message;
}

/**
 * @param {import("../types.js").Activity} activity
 * @param {Context["t"]} t
 * @returns {string} "" for one that this page does not know
 */
function activityText({ phase, tool }, t) {
  if (phase === "thinking") return t("status.thinking");
  if (phase === "writing") return t("status.answering");
  return phase === "tool" ? toolText({ name: tool, summary: "" }, t) : "";
}

/**
 * @param {Pick<import("../types.js").ToolPart, "name"|"summary">} tool without a summary while its input is written
 * @param {Context["t"]} t
 */
function toolText({ name, summary }, t) {
  const file = escapeInvisible(summary).split("/").at(-1) || t("status.tool.file");
  const known = Object.hasOwn(TOOL_TEXTS, name) ? TOOL_TEXTS[name] : undefined;
  if (known) return t(known, { file });
  return name ? toolAtWork(name, t) : t("status.tool");
}
