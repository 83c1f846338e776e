/** Pixels from the end within which the reader counts as being there. */
const NEAR = 60;

/**
 * Keeps the end of the conversation in sight as it grows, unless the reader has scrolled up.
 * @param {HTMLElement} scroller
 * @param {HTMLElement} content
 * @param {HTMLElement} button leads back to the end
 * @param {() => boolean} isEmpty there is no conversation: what stands in its place is shown from its top
 */
export function stickToEnd(scroller, content, button, isEmpty) {
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
    // A growing text moves the end away, too: only scrolling up means that the reader left it.
    if (distance() < NEAR) following = true;
    else if (up) following = false;
    button.hidden = following;
  }

  /**
   * Stays with what the reader has unfolded.
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
    /** To be called after each change: the observer comes later, and the browser would count a layout shift. */
    keep() {
      if (following) scroller.scrollTop = end();
    },
    isFollowing: () => following,
    /** To be called before the page itself scrolls elsewhere. */
    leave: () => (following = false),
    stop: () => observer.disconnect(),
    /**
     * Keeps what is on the screen in its place while something is added above it.
     * @template Result
     * @param {() => Promise<Result>} change
     */
    async hold(change) {
      following = false;
      const below = scroller.scrollHeight - scroller.scrollTop;
      const result = await change();
      requestAnimationFrame(() => {
        scroller.scrollTop = scroller.scrollHeight - below;
        onScroll();
      });
      return result;
    },
  };
}
