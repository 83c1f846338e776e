/**
 * Tools that ran one after the other: unfolded while they run, then folded to one line. They fold when the answer goes
 * on below them; at its end that would move the text which is being read. What a tool is about to do stands on the card
 * of its permission only, while that is open.
 * @typedef {import("../common/context.js").Context} Context
 * @typedef {import("../../types.js").ToolPart} ToolPart
 */
import { h, keyedList } from "../../browser/dom.js";
import { icon } from "../../browser/icons.js";
import { loader } from "../../browser/load.js";
import { escapeInvisible, formatDuration } from "../../texts/format.js";
import { plural } from "../../texts/i18n.js";
import { countNames, rowCount, toolName } from "../../texts/tool-names.js";
import { drawToolInput } from "../common/tool-input.js";
import { createToolFiles, drawFileButton, shortSummary } from "./tool-files.js";

const loadPictures = loader(() => import("./tool-pictures.js"));
const LONGEST_SUMMARY = 72; // characters: two lines of a phone
/** @type {Record<ToolPart["state"], import("../../browser/icons.js").Icon>} */
const ICONS = { running: "dot", ok: "check", failed: "cross", refused: "cross", unknown: "dash" };

/**
 * @param {Context} context
 * @param {() => string} turnIdOf
 */
export function createToolSteps(context, turnIdOf) {
  const { t } = context;
  const count = h("span");
  const names = h("span", { class: "steps-names" });
  const list = h("ul", { class: "steps-list" });
  const details = h("details", { class: "steps", open: true }, h("summary", {}, icon("chevron"), count, names), list);
  const files = createToolFiles(context);
  const el = h("div", {}, details, files.el);
  const draw = keyedList(
    list,
    (/** @type {ToolPart} */ tool) => tool.id,
    () => createToolStep(context),
  );
  let folded = false;
  /** @type {ReturnType<typeof import("./tool-pictures.js").createToolPictures>|undefined} */
  let pictures;

  /** @param {ToolPart[]} tools */
  async function showPictures(tools) {
    if (!tools.some((tool) => tool.pictures.length > 0)) return;
    const { createToolPictures } = await loadPictures();
    pictures ??= createToolPictures(context, turnIdOf(), files.el);
    await pictures.update(tools);
  }

  return {
    el,
    /**
     * @param {ToolPart[]} tools
     * @param {boolean} over the answer went on below them, or has ended
     */
    update(tools, over) {
      const countOf = (/** @type {"failed"|"refused"} */ state) => {
        const number = tools.filter((tool) => tool.state === state).length;
        return number > 0 && t(`steps.${state}`, { count: number });
      };
      count.textContent = [plural(t, "steps", tools.length), countOf("failed"), countOf("refused")]
        .filter(Boolean)
        .join(", ");
      names.textContent =
        tools.length === 1
          ? describeOnly(tools, t)
          : countNames(
              tools.map((tool) => tool.name),
              t,
            );
      draw(tools, null);
      files.update(tools);
      showPictures(tools).catch(reportError);
      // Only once: what the user unfolds afterwards stays so.
      if (over && !folded) details.open = false;
      folded ||= over;
    },
  };
}

/**
 * @param {ToolPart[]} tools the first is the only one
 * @param {Context["t"]} t
 */
function describeOnly([tool], t) {
  if (!tool) return "";
  const rows = tool.rows !== null && rowCount(tool.name, tool.rows, t);
  return [toolName(tool.name, t), rows, shortPlace(tool)].filter(Boolean).join(" · ");
}

/** @param {ToolPart} tool */
const shortPlace = (tool) => (tool.asks ? "" : shortSummary(tool, LONGEST_SUMMARY));

/** @param {Context} context */
function createToolStep(context) {
  const { t, lang } = context;
  const line = h("summary", { class: "step-line" });
  const more = h("div", { class: "step-more" });
  const el = h("li", {}, h("details", {}, line, more));
  return {
    el,
    /** @param {ToolPart} tool */
    update(tool) {
      const raw = escapeInvisible(tool.name);
      const summary = tool.asks ? "" : escapeInvisible(tool.summary);
      const state = tool.asks ? "asks" : tool.state;
      // “File written” alone would say that it was.
      const isDone = tool.state !== "failed" && tool.state !== "refused";
      const facts = [
        isDone ? "" : t(`steps.state.${tool.state}`),
        tool.rows === null ? "" : rowCount(tool.name, tool.rows, t),
        tool.pictures.length === 0 ? "" : plural(t, "pictures", tool.pictures.length),
        tool.durationMs === null ? "" : formatDuration(tool.durationMs, lang),
      ];
      el.className = `step step-${state}`;
      el.dataset.call = tool.id;
      line.replaceChildren(
        h("span", { class: "step-mark" }, icon(ICONS[tool.state])),
        h("span", { class: "hidden" }, isDone ? `${t(`steps.state.${state}`)}: ` : ""),
        h("span", { class: "step-name", title: raw }, toolName(tool.name, t)),
        h("span", { class: "step-summary", title: summary }, shortPlace(tool)),
        h("span", { class: "step-facts" }, facts.filter(Boolean).join(" · ")),
        h("span", { class: "step-result", dir: "auto" }, tool.result),
      );
      const file = drawFileButton(context, tool);
      more.replaceChildren(
        ...(file ? [file] : []),
        h("p", {}, `${t("steps.tool")}: `, h("code", {}, raw)),
        h("p", {}, t("steps.input")),
        tool.input ? drawToolInput(tool.input, t) : h("p", {}, t("steps.missing")),
        h("p", {}, t("steps.output")),
        tool.output
          ? h("pre", { class: "step-output", dir: "auto" }, escapeInvisible(tool.output))
          : h("p", {}, describeNoOutput(tool, t)),
      );
      for (const long of more.querySelectorAll("pre")) {
        long.tabIndex = 0; // the keyboard scrolls it
        long.role = "group";
        long.ariaLabel = t(long.matches("dl *") ? "steps.input" : "steps.output");
      }
    },
  };
}

/**
 * Why there is no output. A turn whose folder was deleted comes from its row, which has neither inputs nor outputs.
 * @param {ToolPart} tool
 * @param {Context["t"]} t
 */
function describeNoOutput({ state, asks, input }, t) {
  if (asks) return t("steps.asks");
  if (state === "running") return t("steps.pending");
  if (input === undefined) return t("steps.missing");
  return t(state === "unknown" ? "steps.unseen" : "steps.empty");
}
