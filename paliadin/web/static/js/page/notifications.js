/** Tells of a long turn that ended, or of a question, while nobody looks at the page. */
import { clip } from "./format.js";
import { plainText } from "./markdown.js";
import { answerText, isRunning } from "./turns.js";

const LONG_MS = 10_000;
const LENGTH = 140;

/** Whether this browser can do it at all. */
export const canNotify = () => "Notification" in globalThis && isSecureContext;

/** @param {import("./settings.js").Settings} settings */
export const isNotifying = (settings) => canNotify() && settings.get("notify") === "on" && Notification.permission === "granted";

/**
 * @param {import("./conversation.js").Conversation} conversation
 * @param {import("./settings.js").Settings} settings
 * @param {() => import("./i18n.js").Translate} words
 */
export function notifyEnds(conversation, settings, words) {
  /** @type {Map<string, number>} how many questions were open, by the turns that run */
  let running = new Map();

  return conversation.listen(({ turns }) => {
    const before = running;
    running = new Map(turns.filter(isRunning).map((turn) => [turn.id, turn.interrupts.length]));
    if (!document.hidden || !isNotifying(settings)) return;
    for (const turn of turns) {
      const asked = before.get(turn.id);
      if (asked === undefined) continue;
      if (turn.interrupts.length > asked) tell(turn, words()("notify.asks"));
      else if (!isRunning(turn) && Date.now() - (turn.startedAt ?? Date.now()) >= LONG_MS) tell(turn, words()(turn.error ? "notify.failed" : "notify.done"));
    }
  });
}

/**
 * @param {import("./types.js").Turn} turn
 * @param {string} title
 */
function tell(turn, title) {
  const body = clip(plainText(clip(answerText(turn) || turn.question, 5 * LENGTH)), LENGTH);
  const notification = new Notification(title, { body, tag: turn.id });
  notification.onclick = () => {
    globalThis.focus();
    notification.close();
  };
}
