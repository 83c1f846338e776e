/**
 * Keeps a long conversation light: a turn far from the screen becomes a blank of its height, and an old turn is drawn
 * only when it comes near. A conversation of usual length is drawn as a whole.
 * @typedef {import("../types.js").Turn} Turn
 * @typedef {{el: HTMLElement, update: (turn: Turn, around: Surroundings) => void}} View
 * @typedef {import("./common/context.js").Surroundings} Surroundings
 */
import { h } from "../browser/dom.js";
import { isRunning } from "../state/turns.js";

/** Up to this many turns, all are drawn. */
const FEW = 80;
/** Height of a turn that was never drawn, in pixels. */
const GUESS = 320;
/** How far above and below the screen turns are drawn. */
const NEAR = "2500px 0px";

export function createVirtualizer() {
  /** @type {Map<Element, (near: boolean, height: number) => void>} */
  const places = new Map();
  /** @type {IntersectionObserver|null} */
  let observer = null;
  let many = false;
  let isForPaper = false;

  return {
    /** @param {Element} scroller */
    watch(scroller) {
      observer = new IntersectionObserver(onSight, { root: scroller, rootMargin: NEAR });
      places.forEach((_, el) => observer?.observe(el));
    },
    /** @param {number} count of the turns that are shown */
    expect: (count) => (many = count > FEW),
    /** @param {Iterable<Element>} shown all others are forgotten */
    keep(shown) {
      const all = new Set(shown);
      for (const el of places.keys()) if (!all.has(el)) forget(el);
    },
    /** Draws all turns, for paper. Those far from the screen become blanks again at the next look. */
    drawAll() {
      isForPaper = true;
      places.forEach((see) => see(true, 0));
    },
    /** Looks again where each turn is. */
    look() {
      isForPaper = false;
      for (const el of places.keys()) {
        observer?.unobserve(el);
        observer?.observe(el); // tells of it anew
      }
    },
    stop: () => observer?.disconnect(),
    place,
  };

  /** @param {IntersectionObserverEntry[]} entries */
  function onSight(entries) {
    for (const { target, isIntersecting, boundingClientRect } of entries)
      places.get(target)?.(isIntersecting, boundingClientRect.height);
  }

  /** @param {Element} el */
  function forget(el) {
    observer?.unobserve(el);
    places.delete(el);
  }

  /**
   * Makes the place of one turn.
   * @param {(el: HTMLElement) => Pick<View, "update">} create fills its element
   * @returns {View}
   */
  function place(create) {
    const el = h("article", { class: "turn", tabindex: -1 });
    /** @type {Pick<View, "update">|null} */
    let view = null;
    /** @type {[Turn, Surroundings]|null} */
    let waiting = null;
    let isBlank = many && !isForPaper;
    if (isBlank) blank(el, GUESS);
    places.set(el, (near, height) => {
      if (near) unblank();
      else if (many && view && !isBlank && !isForPaper && !el.matches(":focus-within")) makeBlank(height);
    });
    observer?.observe(el);

    function unblank() {
      if (!isBlank) return;
      isBlank = false;
      el.classList.remove("turn-blank");
      el.style.height = "";
      if (waiting) draw(...waiting);
    }

    /** @param {number} height */
    function makeBlank(height) {
      isBlank = true;
      blank(el, height);
    }

    /**
     * @param {Turn} turn
     * @param {Surroundings} around
     */
    function draw(turn, around) {
      waiting = null;
      view ??= create(el);
      view.update(turn, around);
    }

    return {
      el,
      update(turn, around) {
        el.dataset.turn = turn.id;
        if (isBlank && isRunning(turn)) unblank();
        if (isBlank) waiting = [turn, around];
        else draw(turn, around);
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
  el.classList.add("turn-blank");
}
