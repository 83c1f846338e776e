/** Sends a file as a form, and tells how much of it has arrived: fetch cannot. */

/**
 * @param {URL} address
 * @param {File} file
 * @param {object} options
 * @param {string} [options.bearer]
 * @param {(part: number) => void} options.onProgress the part that has arrived, 0 to 1
 * @param {AbortSignal} options.signal
 * @returns {Promise<{status: number, body: any}>} status 0 where there was no response; body null if it is no JSON
 */
export function upload(address, file, { bearer, onProgress, signal }) {
  const form = new FormData();
  form.append("file", file, file.name);
  const request = new XMLHttpRequest();
  request.open("POST", address);
  request.responseType = "json";
  if (bearer) request.setRequestHeader("Authorization", `Bearer ${bearer}`);
  request.upload.addEventListener("progress", ({ loaded, total }) => onProgress(total ? loaded / total : 0));
  return new Promise((resolve) => {
    request.addEventListener("loadend", () => resolve({ status: request.status, body: request.response }));
    signal.addEventListener("abort", () => request.abort());
    request.send(form);
  });
}
