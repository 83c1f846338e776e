/**
 * The evidence of an answer, one line that can be unfolded: the tools that ran, Claude's own account, times and tokens.
 * @typedef {import("../common/context.js").Context} Context
 * @typedef {import("../../types.js").Turn} Turn
 * @typedef {import("../../types.js").Claim} Claim
 */
import { h } from "../../browser/dom.js";
import { icon } from "../../browser/icons.js";
import { formatDuration, formatNumber, formatTime } from "../../texts/format.js";
import { plural, translateIfKnown } from "../../texts/i18n.js";
import { countNames, rowCount, toolName } from "../../texts/tool-names.js";
import { checkedClaims } from "../../state/claims.js";
import { sumUp } from "./claim-words.js";

/** Statuses that are marked as the answer marks such claims. */
const DOUBTFUL = new Set(["unsupported", "differs"]);

/** @param {Context} context */
export function createEvidence(context) {
  const { t, lang } = context;
  const summary = h("summary");
  const facts = h("dl");
  const help = h("p", { class: "evidence-help" });
  const el = h("details", { class: "evidence", hidden: true }, summary, help, facts);
  /** @type {import("./claim-list.js").ListedClaims|null} */
  let list = null;
  /** @type {Claim[]} */
  let checked = [];
  let isListed = false;
  summary.addEventListener("click", drawList); // before it is unfolded: then it is scrolled to
  el.addEventListener("toggle", () => el.open && drawList());
  // On paper the claims are footnotes (turn-list.js).
  el.addEventListener("addnotes", () => list && el.after(list.drawNotes(checked)));
  el.addEventListener("removenotes", () => el.parentElement?.querySelector(".print-notes")?.remove());

  function drawList() {
    if (isListed || !list) return;
    isListed = true;
    list.draw(checked);
  }

  return {
    el,
    /** @param {import("./claim-list.js").ListedClaims} claims */
    attach(claims) {
      list = claims;
      help.after(list.el);
      if (el.open) drawList();
    },
    /** To be called when more of the claims can be led to. */
    redraw() {
      isListed = false;
      if (el.open) drawList();
    },
    unfold() {
      context.leaveEnd?.();
      el.open = true;
      drawList();
    },
    /** @param {Turn} turn */
    update(turn) {
      const { evidence, usage, durationMs, waitedMs } = turn;
      el.hidden = turn.phase !== "done" || (!evidence && !usage && durationMs === null);
      if (el.hidden) return;
      checked = checkedClaims(evidence?.claims);
      isListed = false;
      const sum = sumUp(checked, t, lang);
      const differs = evidence?.agrees === false || Boolean(evidence?.differences.length);
      const brief = [
        evidence && evidence.observed_tools.length > 0 && countNames(evidence.observed_tools, t),
        durationMs !== null && formatDuration(Math.max(durationMs - waitedMs, 0), lang),
      ];
      const line = [
        icon("chevron"),
        h("span", { title: t("evidence.title.help") }, t("evidence.title")),
        h("span", { class: "evidence-brief" }, brief.filter(Boolean).join(" · ")),
        ...(differs
          ? [
              h(
                "span",
                { class: "evidence-flag", title: t("evidence.disagrees.help") },
                icon("alert"),
                t("evidence.disagrees"),
              ),
            ]
          : []),
      ];
      summary.replaceChildren(h("span", { class: "evidence-line" }, ...line), ...(sum ? [drawSum(sum)] : []));
      // For who has no pointer to rest on the words above.
      help.textContent = t(differs ? "evidence.disagrees.help" : "evidence.title.help");
      facts.replaceChildren(
        ...factsOf(turn, t, lang).flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]),
      );
    },
  };
}

/**
 * Draws the sentence about the facts. A blank before it parts it from what stands above, for who hears or copies it.
 * @param {NonNullable<ReturnType<typeof sumUp>>} sum
 */
function drawSum({ facts, counts }) {
  const pieces = counts.flatMap(({ status, text }, i) => [
    i === 0 ? ": " : ", ",
    DOUBTFUL.has(status) ? h("span", { class: `evidence-${status}` }, text) : text,
  ]);
  return h("span", { class: "evidence-facts" }, " ", facts, ...pieces);
}

/**
 * The names and values of what is known of an answer.
 * @param {Turn} turn
 * @param {Context["t"]} t
 * @param {Context["lang"]} lang
 * @returns {[string, string][]}
 */
function factsOf({ parts, evidence, usage, model, durationMs, waitedMs, firstTextMs, startedAt }, t, lang) {
  /** @type {[string, string][]} */
  const all = [];
  if (evidence) {
    const { observed_tools, agrees, classifier_tag, guessed, claims } = evidence;
    const ran = parts.flatMap((part) =>
      part.kind === "tool" && observed_tools.includes(part.name) ? [describeRun(part, t, lang)] : [],
    );
    all.push([t("evidence.tools"), ran.join("\n") || countNames(observed_tools, t) || t("evidence.none")]);
    all.push([
      t("evidence.claimed"),
      describeClaim(evidence, t) || t(agrees === null ? "evidence.silent" : "evidence.none"),
    ]);
    if (evidence.differences.length)
      all.push([t("evidence.differs"), evidence.differences.map((each) => describeDifference(each, t)).join("\n")]);
    if (claims && checkedClaims(claims).length === 0) all.push([t("claims.title"), t("claims.nothing")]);
    const tag = classifier_tag && (translateIfKnown(t, `evidence.tag.${classifier_tag}`) || classifier_tag);
    if (tag) all.push([t("evidence.tag"), guessed ? t("evidence.guessed", { tag }) : tag]);
  }
  if (startedAt !== null) all.push([t("evidence.started"), formatTime(startedAt, lang)]);
  if (durationMs !== null) {
    const times = [
      formatDuration(durationMs, lang),
      waitedMs > 0 && t("evidence.waited", { time: formatDuration(waitedMs, lang) }),
      firstTextMs !== null && t("evidence.first", { time: formatDuration(firstTextMs, lang) }),
    ];
    all.push([t("evidence.duration"), times.filter(Boolean).join(", ")]);
  }
  if (usage && Object.values(usage).some(isNumber)) all.push([t("evidence.tokens"), describeUsage(usage, t, lang)]);
  if (model) all.push([t("evidence.model"), model]);
  return all;
}

/**
 * Puts the claim of Claude into words. Only with as many numbers of rows as tools is it clear which belongs to which.
 * @param {import("../../types.js").Evidence} evidence
 * @param {Context["t"]} t
 */
function describeClaim({ used_tools, rows_seen }, t) {
  if (used_tools.length === rows_seen.length)
    return used_tools.map((name, i) => `${toolName(name, t)} · ${rowCount(name, rows_seen[i] ?? 0, t)}`).join("\n");
  const rows = rows_seen.length > 0 && t("evidence.claimed.rows", { rows: rows_seen.join(", ") });
  return [countNames(used_tools, t), rows].filter(Boolean).join(" · ");
}

/**
 * @param {import("../../types.js").Difference} difference
 * @param {Context["t"]} t
 */
function describeDifference({ tool, what, claimed, seen }, t) {
  return translateIfKnown(t, `evidence.differs.${what}`, {
    tool: toolName(tool, t),
    claimed: rowCount(tool, claimed ?? 0, t),
    seen: rowCount(tool, seen ?? 0, t),
  });
}

/**
 * @param {import("../../types.js").ToolPart} tool
 * @param {Context["t"]} t
 * @param {Context["lang"]} lang
 */
function describeRun({ name, rows: count, pictures, durationMs }, t, lang) {
  const facts = [
    toolName(name, t),
    count !== null && rowCount(name, count, t),
    pictures.length > 0 && plural(t, "pictures", pictures.length),
    durationMs !== null && formatDuration(durationMs, lang),
  ];
  return facts.filter(Boolean).join(" · ");
}

/** @type {(value: unknown) => value is number} */
const isNumber = (value) => typeof value === "number";

/**
 * @param {import("../../types.js").Usage} usage
 * @param {Context["t"]} t
 * @param {Context["lang"]} lang
 */
function describeUsage(usage, t, lang) {
  const number = (/** @type {unknown} */ count) => (isNumber(count) ? formatNumber(count, lang) : "–");
  return t("evidence.tokens.value", {
    input: number(usage.input_tokens),
    output: number(usage.output_tokens),
    read: number(usage.cache_read_tokens),
    write: number(usage.cache_write_tokens),
  });
}
