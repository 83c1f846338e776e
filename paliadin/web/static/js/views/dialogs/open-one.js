/** Whether what draws a dialog is being loaded. */
let loading = false;

/**
 * Loads what draws a dialog, and opens it. Meanwhile nothing else opens: the second click of a double click would open
 * the same dialog once more.
 * @template T
 * @param {() => Promise<T>} load
 * @param {(loaded: T) => unknown} open
 * @returns {Promise<void>} fulfilled when `open` is done; rejected when that fails, or the loading
 */
export async function openOne(load, open) {
  if (loading) return;
  loading = true;
  const loaded = await load().finally(() => (loading = false));
  await open(loaded);
}
