/** Finds what was asked and answered, in all conversations of the session. */
import { ApiError } from "../api.js";
import { h, withCode } from "../dom.js";
import { formatTime } from "../format.js";
import { explain } from "../i18n.js";
import { openDialog } from "./dialog.js";

const PAUSE_MS = 250;

/**
 * @param {import("./context.js").Given} context
 * @param {Element} parent
 */
export function openSearch({ conversation, t, lang }, parent) {
  const input = h("input", { type: "text", role: "searchbox", "aria-label": t("search.label"), placeholder: t("search.label"), autocomplete: "off" });
  const state = h("p", { role: "status" });
  const retry = h("button", { type: "button", class: "small", hidden: true, onclick: search }, t("link.retry"));
  const list = h("ul", { class: "found" });
  const dialog = openDialog(parent, { title: t("search.title"), close: t("banner.close"), body: [input, state, retry, list], look: "wide" });
  input.focus();
  let timer = 0;
  let asked = "";

  async function search() {
    const words = input.value.trim();
    asked = words;
    if (words.length < 2) return show([], "");
    state.textContent = t("search.works");
    try {
      const found = await conversation.search(words);
      if (asked === words) show(found, found.length === 0 ? t("search.none") : "");
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (asked === words) show([], failed(error), true);
    }
  }

  /** @param {ApiError} error */
  function failed({ failure }) {
    if (failure.code === "database_unavailable") return t("search.away");
    const { title, hint } = explain(t, lang, failure);
    return `${title} ${hint}`;
  }

  /**
   * @param {import("../types.js").Found[]} found
   * @param {string} words
   * @param {boolean} [again] it may be tried once more
   */
  function show(found, words, again = false) {
    state.replaceChildren(...withCode(words));
    if (!again && retry.matches(":focus")) input.focus();
    retry.hidden = !again;
    list.replaceChildren(...found.map((each) => h("li", {}, entry(each))));
  }

  /** @param {import("../types.js").Found} found */
  function entry({ turn_id, started_at, user_message, excerpt }) {
    const go = () => {
      dialog.close();
      conversation.reveal(turn_id);
    };
    const when = h("small", {}, formatTime(Date.parse(started_at), lang));
    return h("button", { type: "button", onclick: go }, h("strong", {}, ...marked(user_message)), h("span", {}, ...marked(plain(excerpt))), when);
  }

  /** @param {string} text */
  function marked(text) {
    const at = text.toLowerCase().indexOf(asked.toLowerCase());
    return at < 0 ? [text] : [text.slice(0, at), h("mark", {}, text.slice(at, at + asked.length)), text.slice(at + asked.length)];
  }

  input.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(search, PAUSE_MS);
  });
  input.addEventListener("keydown", async (event) => {
    if (event.key !== "Enter" || event.isComposing) return;
    clearTimeout(timer);
    if (asked !== input.value.trim()) await search();
    const first = list.querySelector("button");
    if (asked === input.value.trim()) first?.click();
  });
}

/**
 * An excerpt of Markdown, without the marks that only say how it looks.
 * @param {string} excerpt
 */
const plain = (excerpt) => excerpt.replace(/\*\*|`+|^\s*#+\s|\s\|(?=\s|$)|^\s*\|/gm, "");
