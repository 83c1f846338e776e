/**
 * Where the reader is in a conversation: a turn, and how far its top is from the top of what is seen.
 * @typedef {{turnId: string, offset: number}} Place
 */

/**
 * @param {HTMLElement} scroller
 * @param {HTMLElement[]} turns
 * @returns {Place|null}
 */
export function readPlace(scroller, turns) {
  const top = scroller.getBoundingClientRect().top;
  const first = turns.find((turn) => turn.getBoundingClientRect().bottom > top);
  return first ? { turnId: first.dataset.turn ?? "", offset: first.getBoundingClientRect().top - top } : null;
}

/**
 * @param {Place|null} place
 * @param {HTMLElement} scroller
 * @param {(id: string) => HTMLElement|null} find
 * @returns {boolean} whether the turn is there
 */
export function returnTo(place, scroller, find) {
  const turn = place && find(place.turnId);
  if (!turn) return false;
  const now = turn.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
  scroller.scrollTop += now - place.offset;
  return true;
}
