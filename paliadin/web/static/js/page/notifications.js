/** Notifies of the end of a long turn, and of a question by Claude, while the page is hidden. */
import { isBusy } from "../state/conversations.js";
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
 * @param {import("../conversation/conversation.js").Conversation} conversation
 * @param {import("../browser/settings.js").Settings} settings
 * @param {() => import("../texts/i18n.js").Translate} getTranslate in the language that the page has now
 */
export function startNotifications(conversation, settings, getTranslate) {
  /** @type {Map<string, number>} how many interrupts are open in each running turn */
  let running = new Map();

  return conversation.listen(({ turns }) => {
    const before = running;
    running = new Map(turns.filter(isRunning).map((turn) => [turn.id, turn.interrupts.length]));
    if (!document.hidden || !isNotifying(settings)) return;
    for (const turn of turns) {
      const openBefore = before.get(turn.id);
      if (openBefore === undefined) continue;
      if (turn.interrupts.length > openBefore) notify(turn, getTranslate()("notify.asks"));
      else if (!isRunning(turn) && !turn.askedBy && Date.now() - (turn.startedAt ?? Date.now()) >= LONG_MS)
        notify(turn, getTranslate()(turn.error ? "notify.failed" : "notify.done")).catch(reportError);
    }
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
      if (now?.waiting && was && !was.waiting) show("notify.asks");
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
