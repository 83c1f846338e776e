/** A dialog that searches the questions and answers of the open conversation. */
import { codeSpans, h } from "../../browser/dom.js";
import { listenToKeys } from "../../browser/keys.js";
import { ApiError } from "../../daemon/api.js";
import { withoutMarkup } from "../../texts/conversation-names.js";
import { formatTime } from "../../texts/format.js";
import { explainFailure } from "../../texts/i18n.js";
import { markWords } from "../common/marked-words.js";
import { openDialog } from "./dialog.js";

/** How long typing must pause before the search begins. */
const PAUSE_MS = 250;

/**
 * @param {import("../common/context.js").BaseContext} context
 * @param {Element} parent
 */
export function openSearch({ conversation, t, lang }, parent) {
  const input = h("input", {
    type: "text",
    role: "searchbox",
    dir: "auto",
    "aria-label": t("search.label"),
    placeholder: t("search.label"),
    autocomplete: "off",
  });
  const state = h("p", { role: "status" });
  const retry = h("button", { type: "button", class: "small", hidden: true, onclick: search }, t("link.retry"));
  const list = h("ul", { class: "found" });
  const dialog = openDialog(parent, {
    title: t("search.title"),
    close: t("banner.close"),
    body: [input, state, retry, list],
    className: "wide",
  });
  input.focus();
  let timer = 0;
  let searched = "";
  let searching = Promise.resolve(); // the search for `searched`

  function search() {
    searching = showFound();
    return searching;
  }

  async function showFound() {
    const words = input.value.trim();
    searched = words;
    if (words.length < 2) return show([], "");
    state.textContent = t("search.works");
    try {
      const results = await conversation.search(words);
      if (searched === words) show(results, results.length === 0 ? t("search.none") : "");
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (searched === words) show([], failureText(error), true);
    }
  }

  /** @param {ApiError} error */
  function failureText({ failure }) {
    if (failure.code === "database_unavailable") return t("search.away");
    const { title, hint } = explainFailure(t, lang, failure);
    return `${title} ${hint}`;
  }

  /**
   * @param {import("../../types.js").SearchResult[]} results
   * @param {string} message
   * @param {boolean} [retryable]
   */
  function show(results, message, retryable = false) {
    state.replaceChildren(...codeSpans(message));
    if (!retryable && retry.matches(":focus")) input.focus();
    retry.hidden = !retryable;
    list.replaceChildren(...results.map((result) => h("li", {}, drawResult(result))));
  }

  /** @param {import("../../types.js").SearchResult} result */
  function drawResult({ turn_id, started_at, user_message, excerpt }) {
    const reveal = () => {
      dialog.close();
      conversation.reveal(turn_id);
    };
    const when = h("small", {}, formatTime(Date.parse(started_at), lang));
    return h(
      "button",
      { type: "button", onclick: reveal },
      h("strong", { dir: "auto" }, ...markWords(user_message, searched)),
      h("span", { dir: "auto" }, ...markWords(withoutMarkup(excerpt), searched)),
      when,
    );
  }

  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(search, PAUSE_MS);
  });
  listenToKeys(input, async (event) => {
    if (event.key !== "Enter") return;
    clearTimeout(timer);
    if (searched !== input.value.trim()) search();
    await searching; // it may have begun by itself
    const first = list.querySelector("button");
    if (searched === input.value.trim()) first?.click();
  });
}
