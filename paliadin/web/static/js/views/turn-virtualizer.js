/**
 * Keeps a long conversation light: a turn far from the screen is a blank of its height, and an old one is drawn only when
 * it comes near. A conversation of usual length is there as a whole.
 * @typedef {import("../types.js").Turn} Turn
 * @typedef {{el: HTMLElement, update: (turn: Turn, beginning: string) => void}} View
 */
import { h } from "../dom.js";
import { isRunning } from "../turns.js";

const FEW = 80;
const GUESS = 320;
const NEAR = "2500px 0px";

export function createParking() {
  /** @type {Map<Element, (near: boolean, height: number) => void>} */
  const spots = new Map();
  /** @type {IntersectionObserver|null} */
  let observer = null;
  let many = false;

  return {
    /** @param {Element} scroller */
    watch(scroller) {
      observer = new IntersectionObserver(onSight, { root: scroller, rootMargin: NEAR });
      spots.forEach((_, el) => observer?.observe(el));
    },
    /** @param {number} count of the turns that are shown */
    expect: (count) => (many = count > FEW),
    /** @param {Iterable<Element>} shown the others are gone */
    keep(shown) {
      const all = new Set(shown);
      for (const el of spots.keys()) if (!all.has(el)) forget(el);
    },
    stop: () => observer?.disconnect(),
    park,
  };

  /** @param {IntersectionObserverEntry[]} entries */
  function onSight(entries) {
    for (const { target, isIntersecting, boundingClientRect } of entries) spots.get(target)?.(isIntersecting, boundingClientRect.height);
  }

  /** @param {Element} el */
  function forget(el) {
    observer?.unobserve(el);
    spots.delete(el);
  }

  /**
   * @param {(el: HTMLElement) => Pick<View, "update">} create fills the element
   * @returns {View}
   */
  function park(create) {
    const el = h("article", { class: "turn", tabindex: -1 });
    /** @type {Pick<View, "update">|null} */
    let view = null;
    /** @type {[Turn, string]|null} */
    let waiting = null;
    let parked = many;
    if (parked) blank(el, GUESS);
    spots.set(el, (near, height) => {
      if (near) leave();
      else if (many && view && !parked && !el.matches(":focus-within")) enter(height);
    });
    observer?.observe(el);

    function leave() {
      if (!parked) return;
      parked = false;
      el.classList.remove("parked");
      el.style.height = "";
      if (waiting) draw(...waiting);
    }

    /** @param {number} height */
    function enter(height) {
      parked = true;
      blank(el, height);
    }

    /**
     * @param {Turn} turn
     * @param {string} beginning
     */
    function draw(turn, beginning) {
      waiting = null;
      view ??= create(el);
      view.update(turn, beginning);
    }

    return {
      el,
      update(turn, beginning) {
        el.dataset.turn = turn.id;
        if (parked && isRunning(turn)) leave();
        if (parked) waiting = [turn, beginning];
        else draw(turn, beginning);
      },
    };
  }
}

/**
 * @param {HTMLElement} el
 * @param {number} height
 */
function blank(el, height) {
  el.style.height = `${height}px`;
  el.classList.add("parked");
}
