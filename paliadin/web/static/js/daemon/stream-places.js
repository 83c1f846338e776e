/**
 * Places for the streams of this browser's pages. Over HTTP/1.1 a browser opens six connections to a host, for all its
 * tabs together: three are left for requests.
 */

const PLACES = ["paliadin.stream.1", "paliadin.stream.2", "paliadin.stream.3"];

/**
 * Takes a place, if one is free.
 * @param {() => void} onTaken called when another page takes the place away
 * @param {boolean} insists the user works in this page: it takes a place away from another one if none is free
 * @returns {Promise<(() => void)|null>} gives the place back; null: there is none
 */
export async function takeStreamPlace(onTaken, insists) {
  // Without locks (the page came over plain HTTP from another machine), only the page that has the focus has a stream.
  if (!navigator.locks) return document.hasFocus() ? () => {} : null;
  for (const name of PLACES) {
    const giveBack = await take(name, { ifAvailable: true }, onTaken);
    if (giveBack) return giveBack;
  }
  const name = PLACES[Math.floor(Math.random() * PLACES.length)] ?? "";
  return insists ? take(name, { steal: true }, onTaken) : null;
}

/**
 * @param {string} name
 * @param {LockOptions} options
 * @param {() => void} onTaken
 * @returns {Promise<(() => void)|null>}
 */
function take(name, options, onTaken) {
  return new Promise((resolve) => {
    const held = (/** @type {Lock|null} */ lock) =>
      lock ? new Promise((release) => resolve(() => release(undefined))) : resolve(null);
    navigator.locks.request(name, options, held).catch(() => {
      resolve(null); // the page is being left
      onTaken();
    });
  });
}
