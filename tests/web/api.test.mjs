import assert from "node:assert/strict";
import { afterEach, test } from "node:test";
import { ApiError, createApi } from "../../paliadin/web/static/js/daemon/api.js";

const { fetch } = globalThis;
const { timeout } = AbortSignal;
const api = createApi({ base: new URL("http://localhost/") });
const offline = (error) => error instanceof ApiError && error.status === 0 && error.failure.code === "offline";

afterEach(() => {
  globalThis.fetch = fetch;
  AbortSignal.timeout = timeout;
});

test("a response that never comes is no connection", async () => {
  AbortSignal.timeout = () => timeout.call(AbortSignal, 10);
  globalThis.fetch = (_url, { signal }) =>
    new Promise((_resolve, reject) => {
      const alive = setTimeout(reject, 10_000);
      signal.addEventListener("abort", () => [clearTimeout(alive), reject(signal.reason)]);
    });
  await assert.rejects(api.history("main", 5), offline);
  await assert.rejects(api.health("main"), offline);
});

test("a response that breaks off, or is no JSON, is no connection", async () => {
  const broken = new ReadableStream({ start: (stream) => stream.error(new TypeError("network error")) });
  for (const body of [broken, "<title>Sign in to the network</title>"]) {
    globalThis.fetch = async () => new Response(body);
    await assert.rejects(api.history("main", 5), offline);
    globalThis.fetch = async () => new Response(body);
    await assert.rejects(api.post("consent", {}), offline);
  }
});

test("a refusal says what the daemon says, and health is read when something is not well", async () => {
  globalThis.fetch = async () => Response.json({ error: { code: "storage_full", message: "full" } }, { status: 503 });
  await assert.rejects(
    api.history("main", 5),
    (error) => error.status === 503 && error.failure.code === "storage_full",
  );
  globalThis.fetch = async () => Response.json({ ok: false, parts: [] }, { status: 503 });
  assert.deepEqual(await api.health("main"), { ok: false, parts: [] });
});
