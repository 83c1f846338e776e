/** Notifies of the end of a long turn, and of a question by Claude, while the page is hidden. */
import { isBusy } from "../state/conversations.js";
import { openInterrupts } from "../state/interrupts.js";
import { answerText, isRunning } from "../state/turns.js";
import { displayTitle } from "../texts/conversation-names.js";
import { clip } from "../texts/format.js";

/** Turns shorter than this are not notified of. */
const LONG_MS = 10_000;
/** Characters of an answer in a notification. */
const MAX_LENGTH = 140;

/** Whether this browser can show notifications on this page. */
export const canNotify = () => "Notification" in globalThis && isSecureContext;

/** @param {import("../browser/settings.js").Settings} settings */
export const isNotifying = (settings) =>
  canNotify() && settings.get("notify") === "on" && Notification.permission === "granted";

/**
 * What there is to tell of a conversation's turns since they were last looked at. A hidden page hears of several
 * changes at once: a turn may be new and ask already, and one question may have taken another one's place.
 * @typedef {import("../types.js").Turn} Turn
 * @param {Turn[]} before
 * @param {Turn[]} turns
 * @returns {{turn: Turn, key: "notify.asks"|"notify.failed"|"notify.done"}[]}
 */
export function newsOf(before, turns) {
  const ran = new Set(before.filter(isRunning).map(({ id }) => id));
  const asked = new Set(openInterrupts(before).map(({ interrupt }) => interrupt.id));
  const asking = openInterrupts(turns).filter(({ interrupt }) => !asked.has(interrupt.id));
  const askers = new Set(asking.map(({ turnId }) => turnId));
  const isOver = (/** @type {Turn} */ turn) =>
    ran.has(turn.id) && !isRunning(turn) && !turn.askedBy && Date.now() - (turn.startedAt ?? Date.now()) >= LONG_MS;
  return turns.flatMap((turn) => {
    if (askers.has(turn.id)) return { turn, key: "notify.asks" };
    return isOver(turn) ? { turn, key: turn.error ? "notify.failed" : "notify.done" } : [];
  });
}

/**
 * @param {import("../conversation/conversation.js").Conversation} conversation
 * @param {import("../browser/settings.js").Settings} settings
 * @param {() => import("../texts/i18n.js").Translate} getTranslate in the language that the page has now
 */
export function startNotifications(conversation, settings, getTranslate) {
  /** @type {Turn[]} */
  let before = [];

  return conversation.listen(({ turns }) => {
    const news = newsOf(before, turns);
    before = turns;
    if (!document.hidden || !isNotifying(settings)) return;
    for (const { turn, key } of news) notify(turn, getTranslate()(key)).catch(reportError);
  });
}

/**
 * The same for the conversations that are not open, as far as the list tells.
 * @param {import("../conversation/conversation-list.js").ConversationList} list
 * @param {import("../browser/settings.js").Settings} settings
 * @param {() => import("../texts/i18n.js").Translate} getTranslate
 * @param {(id: string) => void} open
 */
export function watchOthers(list, settings, getTranslate, open) {
  /** @type {Map<string, {since: number, waiting: boolean}>} those that run: since when, and whether they ask */
  let running = new Map();

  return list.listen(({ items, current }) => {
    const before = running;
    const busy = items.filter((item) => item.id !== current && (isBusy(item) || item.state === "waiting"));
    running = new Map(
      busy.map(({ id, state }) => [id, { since: before.get(id)?.since ?? Date.now(), waiting: state === "waiting" }]),
    );
    if (!document.hidden || !isNotifying(settings)) return;
    for (const { id, title, state } of items) {
      const [was, now] = [before.get(id), running.get(id)];
      const show = (/** @type {import("../texts/i18n.js").Key} */ key) =>
        showNotification(getTranslate()(key), displayTitle(title), id, () => open(id));
      if (now?.waiting && !was?.waiting) show("notify.asks");
      else if (was && !now && id !== current && Date.now() - was.since >= LONG_MS)
        show(state === "failed" ? "notify.failed" : "notify.done");
    }
  });
}

/**
 * @param {import("../types.js").Turn} turn
 * @param {string} title
 */
async function notify(turn, title) {
  const { plainText } = await import("../markdown/render.js");
  const body = clip(plainText(clip(answerText(turn) || turn.question, 5 * MAX_LENGTH)), MAX_LENGTH);
  showNotification(title, body, turn.id);
}

/**
 * @param {string} title
 * @param {string} body
 * @param {string} tag
 * @param {() => void} [act]
 */
function showNotification(title, body, tag, act) {
  const notification = new Notification(title, { body, tag });
  notification.onclick = () => {
    globalThis.focus();
    act?.();
    notification.close();
  };
}
