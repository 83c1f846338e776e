const HIDDEN_MS = 200;

/**
 * The one place that holds what is shown. Listeners hear of changes once per frame, however many events came. A hidden
 * page has no frames, but its title still tells of a question.
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
     * @param {(state: State) => void} listener called at once, too
     * @returns {() => void} stops listening
     */
    listen(listener) {
      listeners.add(listener);
      listener(state);
      return () => listeners.delete(listener);
    },
  };
}
