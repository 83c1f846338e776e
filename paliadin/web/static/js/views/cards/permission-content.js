/**
 * Draws what a permission is asked for, as text only: the command, the text or the change first, then all the rest. A
 * plan is rendered, with its text beside it.
 * @typedef {import("../common/context.js").Context} Context
 * @typedef {import("../common/context.js").Context["t"]} Translate
 * @typedef {import("../../state/permission-request.js").PermissionRequest} PermissionRequest
 */
import { h } from "../../browser/dom.js";
import { namedWords, requestWords } from "../../state/permission-request.js";
import { mayHidePart } from "../../markdown/hidden-parts.js";
import { drawMarkdown } from "../common/claude-text.js";
import { drawFolded } from "../common/folded-text.js";
import { drawDiff, drawRows } from "../common/tool-input.js";

/**
 * @param {PermissionRequest} request
 * @param {Translate} t
 */
export const drawRequestTitle = (request, t) => requestWords(request, t).map(drawWord);

/**
 * @param {PermissionRequest} request
 * @param {Context} context
 * @returns {HTMLElement} empty if the title has said it all; otherwise the keyboard can scroll it
 */
export function drawRequest({ leadsTo, plan, first, edits, rest, folder }, context) {
  const { t } = context;
  const rows = folder ? [...rest, { name: t("ask.folder"), value: folder }] : rest;
  const parts = [
    ...(leadsTo
      ? [h("p", { class: "ask-link" }, ...namedWords(t("ask.leads_to"), { path: leadsTo }).map(drawWord))]
      : []),
    ...(plan ? drawPlan(plan, context) : []),
    ...(first ? [h("pre", { class: "ask-first" }, ...drawFolded(first.value, t))] : []),
    ...edits.map(([before, after]) => drawDiff(before, after, t)),
    ...(rows.length > 0 ? [h("dl", { class: "input ask-rest" }, ...drawRows(rows, t))] : []),
  ];
  return parts.length > 0
    ? h("div", { class: "input-frame", tabindex: 0, role: "group", "aria-label": t("steps.input") }, ...parts)
    : h("div");
}

/**
 * Draws a plan as Markdown, and as the text that it is: what rendering does not show stands there.
 * @param {string} plan
 * @param {Context} context
 */
function drawPlan(plan, context) {
  const { t } = context;
  const hides = mayHidePart(plan);
  return [
    drawMarkdown(context, plan, "ask-plan"),
    h(
      "details",
      { class: "plan-text", open: hides },
      h("summary", {}, t(hides ? "ask.plan.text_more" : "ask.plan.text")),
      h("pre", { class: "ask-first" }, ...drawFolded(plan, t)),
    ),
  ];
}

/**
 * Says what the button “for this session” allows.
 * @param {import("../../types.js").Interrupt} interrupt
 * @param {PermissionRequest} request
 * @param {Translate} t
 * @returns {(Node|string)[]} none if the daemon does not say it
 */
export function drawSessionScope({ session_covers }, { names }, t) {
  const key = SCOPES.find((scope) => scope === `ask.covers.${session_covers}`);
  return key ? namedWords(t(key), names).map(drawWord) : [];
}

/** @type {import("../../texts/i18n.js").Key[]} */
const SCOPES = ["ask.covers.command", "ask.covers.changes", "ask.covers.reading", "ask.covers.tool"];

/** @param {{text: string, isName: boolean}} word */
const drawWord = ({ text, isName }) => (isName ? h("code", {}, text) : text);
