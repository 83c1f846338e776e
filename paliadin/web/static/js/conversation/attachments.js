/**
 * The files that go with the question that is being written: sent to the daemon as soon as they are chosen, kept over
 * a reload until the question has them.
 *
 * @typedef {import("../types.js").Attachment} Attachment
 * @typedef {object} Draft one file
 * @property {string} key
 * @property {string} name
 * @property {number} bytes
 * @property {number} progress the part that has arrived, 0 to 1
 * @property {Attachment|null} attachment once the daemon has it
 * @property {import("../types.js").Failure|null} failure
 * @property {File|null} file null after a reload
 * @typedef {ReturnType<typeof createAttachments>} Attachments
 */
import { ApiError } from "../daemon/api.js";
import { createStore } from "../state/store.js";

export const MAX_FILES = 10;
const MAX_BYTES = 20 * 1024 * 1024;
/** Uploads at once. */
const AT_ONCE = 2;

/**
 * @param {object} options
 * @param {import("../daemon/api.js").Api} options.api
 * @param {string} options.session
 * @param {import("../browser/settings.js").Settings} options.settings
 */
export function createAttachments({ api, session, settings }) {
  const storageKey = `files.${session}`;
  const store = createStore({ files: restored(settings.get(storageKey)), refused: /** @type {string[]} */ ([]) });
  /** @type {Map<string, AbortController>} */
  const sending = new Map();
  let count = 0;

  /** @param {Draft[]} files */
  function set(files) {
    store.set({ files });
    const known = files.flatMap(({ attachment }) => attachment ?? []);
    settings.set(storageKey, known.length ? JSON.stringify(known) : "");
  }

  /**
   * @param {string} key
   * @param {Partial<Draft>} change
   */
  const update = (key, change) =>
    set(store.get().files.map((each) => (each.key === key ? { ...each, ...change } : each)));

  /** @param {Draft} draft */
  const isWaiting = ({ key, file, attachment, failure }) => file && !attachment && !failure && !sending.has(key);

  function sendNext() {
    for (const draft of store.get().files) if (sending.size < AT_ONCE && isWaiting(draft)) send(draft);
  }

  /** @param {Draft} draft */
  async function send({ key, file }) {
    if (!file) return;
    const controller = new AbortController();
    sending.set(key, controller);
    try {
      const onProgress = (/** @type {number} */ progress) => update(key, { progress });
      update(key, { attachment: await api.attach(session, file, onProgress, controller.signal), progress: 1 });
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      update(key, { failure: error.failure });
    } finally {
      sending.delete(key);
      sendNext();
    }
  }

  return {
    listen: store.listen,
    get: store.get,
    /**
     * Takes files, as far as they can be taken; the others are named in `refused`.
     * @param {File[]} files
     * @param {string[]} [folders] names of folders that were dropped
     */
    add(files, folders = []) {
      const { files: before } = store.get();
      const room = MAX_FILES - before.length;
      const drafts = files.slice(0, Math.max(room, 0)).map((file) => ({
        key: `new-${(count += 1)}`,
        name: file.name,
        bytes: file.size,
        progress: 0,
        attachment: null,
        failure: refusal(file),
        file,
      }));
      const refused = [...folders.map((name) => `folder:${name}`), ...(files.length > room ? ["many"] : [])];
      set([...before, ...drafts]);
      store.set({ refused });
      sendNext();
    },
    /** @param {string} key */
    remove(key) {
      const draft = store.get().files.find((each) => each.key === key);
      sending.get(key)?.abort();
      if (draft?.attachment) api.withdrawAttachment(draft.attachment.id).catch(() => {}); // else it goes within a day
      set(store.get().files.filter((each) => each.key !== key));
      store.set({ refused: [] });
    },
    /** Whether a file is on its way. */
    isSending: () => store.get().files.some((each) => !each.attachment && !each.failure),
    /** @returns {Attachment[]} those that the next question takes along */
    ready: () => store.get().files.flatMap(({ attachment }) => attachment ?? []),
    /** The question has them now. */
    clear() {
      set([]);
      store.set({ refused: [] });
    },
    /**
     * Puts back those of a question that did not arrive.
     * @param {Attachment[]} attachments
     */
    putBack: (attachments) => set([...attachments.map(fromDaemon), ...store.get().files]),
  };
}

/**
 * Why a file is not even sent.
 * @param {File} file
 * @returns {import("../types.js").Failure|null}
 */
function refusal(file) {
  const code = file.size > MAX_BYTES ? "attachment_too_large" : file.size === 0 ? "attachment_empty" : "";
  return code ? { code, message: "", hint: "", retryable: false } : null;
}

/**
 * @param {Attachment} attachment
 * @returns {Draft}
 */
const fromDaemon = (attachment) => ({
  key: attachment.id,
  name: attachment.name,
  bytes: attachment.bytes,
  progress: 1,
  attachment,
  failure: null,
  file: null,
});

/**
 * @param {string} stored
 * @returns {Draft[]}
 */
function restored(stored) {
  try {
    const known = JSON.parse(stored || "[]");
    return known.filter((/** @type {any} */ each) => typeof each?.id === "string").map(fromDaemon);
  } catch {
    return [];
  }
}
