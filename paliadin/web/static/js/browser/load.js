/** Loads parts of the page that not everybody needs. */

const AGAIN_MS = 1000;
let opening = false;

/**
 * Makes a function that loads a part, once for all who call it; a failure is not kept. Where the connection breaks it
 * tries again after a moment: a page that one leaves gives up its requests, too, and is gone by then.
 * @template T
 * @param {() => Promise<T>} load
 */
export function loader(load) {
  /** @type {Promise<T>|null} */
  let loading = null;
  const again = () => new Promise((resolve) => setTimeout(resolve, AGAIN_MS)).then(load);
  return () =>
    (loading ??= load()
      .catch(again)
      .catch((error) => {
        loading = null;
        throw error;
      }));
}

/**
 * Loads what draws a dialog, and opens it. Meanwhile nothing else opens: the second click of a double click would open
 * the same dialog once more.
 * @template T
 * @param {() => Promise<T>} load
 * @param {(loaded: T) => unknown} open
 * @returns {Promise<void>} fulfilled when `open` is done; rejected when that fails, or the loading
 */
export async function openOne(load, open) {
  if (opening) return;
  opening = true;
  const loaded = await loader(load)().finally(() => (opening = false));
  await open(loaded);
}
