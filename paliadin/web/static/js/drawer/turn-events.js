/** Tells the application of turns as they begin and end. */
import { isLocal, isRunning } from "../state/turns.js";

/**
 * @param {import("../conversation/conversation.js").Conversation} conversation
 * @param {(name: "sent"|"answer", detail: object) => void} emit
 */
export function tellTurns(conversation, emit) {
  /** @type {Set<string>} */
  let running = new Set();
  conversation.listen(({ turns }) => {
    const now = new Set(turns.filter((turn) => isRunning(turn) && !isLocal(turn) && !turn.askedBy).map(({ id }) => id));
    for (const turn of turns) {
      if (now.has(turn.id) && !running.has(turn.id)) emit("sent", { turn_id: turn.id, question: turn.question });
      if (running.has(turn.id) && !now.has(turn.id))
        emit("answer", { turn_id: turn.id, error: turn.error?.code ?? null });
    }
    running = now;
  });
}
