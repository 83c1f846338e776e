/**
 * The tools that ran one after the other: open while they run, then folded to one line. They fold as the answer goes on
 * below them: folded at its end, they would move the text that is being read.
 * @typedef {import("./context.js").Context} Context
 * @typedef {import("../types.js").ToolPart} ToolPart
 */
import { h, keyed } from "../dom.js";
import { formatDuration, toolName, visible } from "../format.js";
import { plural } from "../i18n.js";
import { icon } from "../icons.js";
import { drawInput } from "./input.js";

/** @type {Record<ToolPart["state"], import("../icons.js").Icon>} */
const ICONS = { running: "dot", ok: "check", failed: "cross", refused: "cross", unknown: "dash" };

/** @param {Context} context */
export function createSteps(context) {
  const { t } = context;
  const count = h("span");
  const names = h("span", { class: "steps-names" });
  const list = h("ul", { class: "steps-list" });
  const el = h("details", { class: "steps", open: true }, h("summary", {}, icon("chevron"), count, names), list);
  const draw = keyed(list, (/** @type {ToolPart} */ tool) => tool.id, () => createStep(context));
  let folded = false;

  return {
    el,
    /**
     * @param {ToolPart[]} tools
     * @param {boolean} over the answer went on after them, or ended
     */
    update(tools, over) {
      const bad = (/** @type {"failed"|"refused"} */ state) => {
        const number = tools.filter((tool) => tool.state === state).length;
        return number > 0 && t(`steps.${state}`, { count: number });
      };
      count.textContent = [plural(t, "steps", tools.length), bad("failed"), bad("refused")].filter(Boolean).join(", ");
      names.textContent = tools.length === 1 ? oneStep(tools) : [...new Set(tools.map((tool) => toolName(tool.name)))].join(", ");
      draw(tools, null);
      // Folds once: whoever opens it afterwards keeps it open.
      if (over && !folded) el.open = false;
      folded ||= over;
    },
  };
}

/** @param {ToolPart[]} tools the first is the only one */
function oneStep([tool]) {
  return tool ? [toolName(tool.name), visible(tool.summary)].filter(Boolean).join(": ") : "";
}

/** @param {Context} context */
function createStep({ t, lang }) {
  const line = h("summary", { class: "step-line" });
  const more = h("div", { class: "step-more" });
  const el = h("li", {}, h("details", {}, line, more));
  return {
    el,
    /** @param {ToolPart} tool */
    update(tool) {
      const summary = visible(tool.summary);
      const facts = [
        tool.rows === null ? "" : plural(t, "rows", tool.rows),
        tool.durationMs === null ? "" : formatDuration(tool.durationMs, lang),
      ];
      el.className = `step step-${tool.state}`;
      line.replaceChildren(
        h("span", { class: "step-mark" }, icon(ICONS[tool.state])),
        h("span", { class: "hidden" }, `${t(`steps.state.${tool.state}`)}: `),
        h("span", { class: "step-name" }, toolName(tool.name)),
        h("span", { class: "step-summary", title: summary }, summary),
        h("span", { class: "step-facts" }, facts.filter(Boolean).join(" · ")),
        h("span", { class: "step-result" }, tool.result),
      );
      more.replaceChildren(
        h("p", {}, t("steps.input")),
        tool.input ? drawInput(tool.input, t) : h("p", {}, t("steps.nothing")),
        h("p", {}, t("steps.output")),
        tool.output ? h("pre", {}, visible(tool.output)) : h("p", {}, t("steps.nothing")),
      );
    },
  };
}
