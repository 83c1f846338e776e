/**
 * Keeps the end of the conversation in sight while the reader is there, and leaves alone one who has scrolled up.
 */
const NEAR = 60;

/**
 * @param {HTMLElement} scroller
 * @param {HTMLElement} content
 * @param {HTMLElement} button leads back to the end
 * @param {() => boolean} isEmpty there is no conversation yet: what is there is read from its top
 */
export function followEnd(scroller, content, button, isEmpty) {
  let following = true;
  let lastTop = 0;

  const distance = () => scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight;

  const end = () => (isEmpty() ? 0 : scroller.scrollHeight);

  function toEnd() {
    following = true;
    scroller.scrollTop = end();
    button.hidden = true;
  }

  function onScroll() {
    const up = scroller.scrollTop < lastTop - 1;
    lastTop = scroller.scrollTop;
    // Growing text moves the end away without a scroll by anyone: only going up is leaving.
    if (distance() < NEAR) following = true;
    else if (up) following = false;
    button.hidden = following;
  }

  /**
   * Whoever unfolds something reads there, not at the end.
   * @param {Event} event
   */
  function onUnfold({ target }) {
    const details = target instanceof Element && target.closest("summary")?.parentElement;
    if (!details) return;
    following = false;
    requestAnimationFrame(() => {
      details.scrollIntoView({ block: "nearest" });
      onScroll();
    });
  }

  scroller.addEventListener("scroll", onScroll, { passive: true });
  content.addEventListener("click", onUnfold);
  button.addEventListener("click", toEnd);
  const observer = new ResizeObserver(() => following && toEnd());
  observer.observe(content);
  observer.observe(scroller);

  return {
    toEnd,
    /** To be called after each change: what waits for the observer is counted as a layout shift. */
    keep() {
      if (following) scroller.scrollTop = end();
    },
    /** The reader is led elsewhere. */
    leave: () => (following = false),
    stop: () => observer.disconnect(),
    /**
     * Holds what is on the screen in its place while something is put above it.
     * @template Result
     * @param {() => Promise<Result>} change
     */
    async hold(change) {
      following = false;
      const below = scroller.scrollHeight - scroller.scrollTop;
      const result = await change();
      requestAnimationFrame(() => (scroller.scrollTop = scroller.scrollHeight - below));
      return result;
    },
  };
}
