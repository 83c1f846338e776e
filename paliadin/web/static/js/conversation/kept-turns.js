/**
 * Where the daemon keeps no words (AUDIT=redacted), this browser keeps what was said in a conversation, shows it again,
 * and tells the daemon of it with the next question.
 * @typedef {import("../types.js").Turn} Turn
 * @typedef {ReturnType<typeof createKeptTurns>} KeptTurns
 */
import { newTurn } from "../state/turn.js";
import { answerText, askedAt, isLocal, isStreaming } from "../state/turns.js";

/** What a conversation may take here, and what is told of it with a question. */
const MOST_TURNS = 100;
const MOST_KEPT = 1_000_000;
const LONGEST_TITLE = 80;
const MOST_TOLD = 50;
const MOST_TOLD_CHARACTERS = 50_000;

/**
 * @param {import("../browser/settings.js").Settings} settings
 * @param {string} session
 */
export function createKeptTurns(settings, session) {
  const name = `kept.${session}`;
  const title = `title.${session}`;
  /** @type {Map<string, Turn>} */
  const known = new Map(read().map((turn) => [turn.id, { ...newTurn(turn.id), ...turn, key: turn.id }]));

  /** @returns {Turn[]} */
  function read() {
    try {
      const read = JSON.parse(settings.get(name) || "[]");
      return Array.isArray(read) ? read.filter((turn) => typeof turn?.id === "string") : [];
    } catch {
      return [];
    }
  }

  /** Writes the newest turns for which there is room. */
  function write() {
    let turns = [...known.values()].sort((a, b) => (a.id < b.id ? -1 : 1)).slice(-MOST_TURNS);
    for (let text = JSON.stringify(turns); turns.length > 0; text = JSON.stringify(turns)) {
      if (text.length <= MOST_KEPT) {
        settings.set(name, text);
        if (settings.get(name) === text) return;
      }
      turns = turns.slice(Math.ceil(turns.length / 2)); // this browser's storage is full
    }
  }

  return {
    /**
     * Keeps those of the turns that are over and have words.
     * @param {Turn[]} turns
     */
    keep(turns) {
      const added = turns.filter(
        (turn) => !isStreaming(turn) && !isLocal(turn) && turn.question && known.get(turn.id) !== turn,
      );
      for (const turn of added) known.set(turn.id, turn);
      if (added.length === 0) return;
      write();
      const [first] = turns.filter((turn) => turn.question);
      if (first && !settings.get(title)) settings.set(title, first.question.slice(0, LONGEST_TITLE));
    },
    /**
     * Puts what is kept in the place of turns of which the daemon knows no words.
     * @param {Turn[]} turns
     */
    fill: (turns) =>
      turns.map((turn) => {
        const kept = turn.isRedacted && !turn.question ? known.get(turn.id) : undefined;
        return kept ? { ...kept, feedback: turn.feedback } : turn;
      }),
  };
}

/**
 * The title of a conversation of which the daemon knows no words: its first question that is kept.
 * @param {import("../browser/settings.js").Settings} settings
 * @param {string} session
 */
export const keptTitle = (settings, session) => settings.get(`title.${session}`);

/**
 * Forgets what is kept of a conversation.
 * @param {import("../browser/settings.js").Settings} settings
 * @param {string} session
 * @returns {() => void} brings it back
 */
export function forgetKept(settings, session) {
  const names = [`kept.${session}`, `title.${session}`];
  const values = names.map((each) => settings.get(each));
  for (const each of names) settings.set(each, "");
  return () => names.forEach((each, at) => settings.set(each, values[at] ?? ""));
}

/**
 * Keeps for a branch what is kept of the conversation from which it branched off.
 * @param {import("../browser/settings.js").Settings} settings
 * @param {string} from
 * @param {string} to
 */
export function copyKept(settings, from, to) {
  const kept = settings.get(`kept.${from}`);
  if (kept) settings.set(`kept.${to}`, kept);
}

/** @param {import("../types.js").State} state */
export const keepsWords = ({ health }) => health?.keeps_words !== false;

/**
 * What the daemon is told of a conversation with a question: the newest turns since it was reset, oldest first.
 * @param {Turn[]} turns
 * @param {number} forgotAt
 */
export function told(turns, forgotAt) {
  /** @type {{turn_id: string, question: string, answer: string}[]} */
  const pairs = [];
  let room = MOST_TOLD_CHARACTERS;
  for (const turn of [...turns].reverse()) {
    const pair = { turn_id: turn.id, question: turn.question, answer: answerText(turn) };
    if (isStreaming(turn) || !pair.question || !pair.answer) continue;
    room -= pair.question.length + pair.answer.length;
    if (askedAt(turn.id) <= forgotAt || room < 0 || pairs.length >= MOST_TOLD) break;
    pairs.unshift(pair);
  }
  return pairs;
}
