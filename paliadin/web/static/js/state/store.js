/** Between two notifications while the page is hidden. */
const HIDDEN_MS = 200;

/**
 * Holds a state and notifies its listeners at most once per frame, however many changes there were. A hidden page has
 * no frames, but its title must still show that Claude asks something: there a timer notifies.
 * @template State
 * @param {State} initial
 */
export function createStore(initial) {
  let state = initial;
  let scheduled = false;
  /** @type {Set<(state: State) => void>} */
  const listeners = new Set();

  function notify() {
    scheduled = false;
    listeners.forEach((listener) => listener(state));
  }

  return {
    get: () => state,
    /** @param {Partial<State>} change */
    set(change) {
      state = { ...state, ...change };
      if (scheduled) return;
      scheduled = true;
      if (document.hidden) setTimeout(notify, HIDDEN_MS);
      else requestAnimationFrame(notify);
    },
    /**
     * @param {(state: State) => void} listener called at once and after each change
     * @returns {() => void} stops listening
     */
    listen(listener) {
      listeners.add(listener);
      listener(state);
      return () => listeners.delete(listener);
    },
  };
}
