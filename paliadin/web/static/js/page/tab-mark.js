/** The tab's title and icon: a conversation asks, or one has finished unseen. */
import { openItem } from "../state/conversations.js";
import { markOf } from "../state/marks.js";
import { displayTitle } from "../texts/conversation-names.js";
import { clip } from "../texts/format.js";

const SIGNS = { asks: "● ", finished: "✓ ", "": "" };
const ICONS = { asks: "favicon-asks.svg", finished: "favicon-finished.svg", "": "favicon.svg" };
/** Characters of a conversation's title. */
const MAX_TITLE = 60;

/**
 * @param {import("../types.js").ListState} list
 * @param {import("../types.js").State} conversation the open one
 */
export function markTab(list, { turns }) {
  const mark = markOf(list, turns);
  const name = displayTitle(openItem(list)?.title ?? "");
  const title = `${SIGNS[mark]}${name ? `${clip(name, MAX_TITLE)} · ` : ""}Paliadin`;
  if (document.title !== title) document.title = title;
  const link = document.querySelector("link[rel=icon]");
  const href = `paliadin/static/${ICONS[mark]}`;
  if (link && link.getAttribute("href") !== href) link.setAttribute("href", href);
}
