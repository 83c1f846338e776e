/**
 * Questions that wait until Claude is done with the one before. The daemon keeps them.
 * @typedef {import("../types.js").QueuedTurn} QueuedTurn
 */
import { LOCAL_ID } from "../state/turns.js";
import { withoutQueued } from "./live-turns.js";

/**
 * @param {import("./conversation-store.js").ConversationStore} store
 * @param {ReturnType<typeof import("./live-turns.js").createLiveTurns>} live
 * @param {() => Promise<unknown>} refresh
 */
export function createQueue({ api, session, get, set, fail }, live, refresh) {
  let asked = 0;

  /** @param {string} id */
  const remove = (id) => set({ queue: withoutQueued(get().queue, id) });

  /**
   * @param {string} id
   * @param {Partial<QueuedTurn>} change
   */
  function change(id, change) {
    const { queue } = get();
    set({ queue: { ...queue, turns: queue.turns.map((one) => (one.turn_id === id ? { ...one, ...change } : one)) } });
  }

  /**
   * Calls the daemon. If that fails, what really waits is read; where that fails as well, all is as it was before.
   * @param {() => Promise<unknown>} act
   * @param {() => void} restore
   * @returns {Promise<boolean>} whether it worked
   */
  async function attempt(act, restore) {
    try {
      await act();
      return true;
    } catch (error) {
      fail(error);
      if (!(await refresh())) restore();
      return false;
    }
  }

  return {
    /**
     * Shows a question as waiting while the daemon is asked to take it.
     * @param {string} question
     * @param {import("../types.js").Attachment[]} attachments
     * @returns {{taken: (turnId: string) => void, refused: () => void}}
     */
    add(question, attachments) {
      const id = `${LOCAL_ID}queued${++asked}`;
      const { queue } = get();
      const waiting = { turn_id: id, user_message: question, queued_at: Date.now(), attachments };
      set({ queue: { ...queue, turns: [...queue.turns, waiting] } });
      return {
        taken(turnId) {
          const { turns } = get().queue;
          const known = [...turns.map((one) => one.turn_id), ...get().turns.map((turn) => turn.id)];
          if (known.includes(turnId))
            remove(id); // the history has told of it already
          else if (!turns.some((one) => one.turn_id === id)) put({ ...waiting, turn_id: turnId });
          else change(id, { turn_id: turnId });
          live.release();
        },
        refused() {
          remove(id);
          live.release();
        },
      };
    },
    /**
     * @param {string} turnId
     * @param {string} question
     */
    async edit(turnId, question) {
      const before = get().queue.turns.find((one) => one.turn_id === turnId)?.user_message ?? "";
      change(turnId, { user_message: question });
      return attempt(
        () => api.changeQueued(turnId, question),
        () => change(turnId, { user_message: before }),
      );
    },
    /** @param {string} turnId */
    async withdraw(turnId) {
      const before = get().queue.turns.find((one) => one.turn_id === turnId);
      remove(turnId);
      return attempt(
        () => api.withdrawQueued(turnId),
        () => before && put(before),
      );
    },
    /** Goes on after Stop, an error or a reset. */
    async goOn() {
      const { held } = get().queue;
      set({ queue: { ...get().queue, held: null } });
      return attempt(
        () => api.goOn(session),
        () => set({ queue: { ...get().queue, held } }),
      );
    },
  };

  /** @param {QueuedTurn} queued */
  function put(queued) {
    const { queue } = get();
    const turns = [...queue.turns, queued].sort((a, b) => (a.turn_id < b.turn_id ? -1 : 1));
    set({ queue: { ...queue, turns } });
  }
}
