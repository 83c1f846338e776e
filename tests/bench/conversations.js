/* In each page that `make bench-conversations` opens: says when something that was waited for had been painted. */
window.bench = {
  /** Milliseconds of the last click or input, on the clock of `performance.now()`. */
  acted: 0,

  /** Milliseconds once `test` is true and a frame with it has been painted. */
  painted: (test) =>
    new Promise((resolve) => {
      const look = () => {
        if (!test()) return;
        observer.disconnect();
        const after = new MessageChannel();
        after.port1.onmessage = () => resolve(performance.now());
        requestAnimationFrame(() => after.port2.postMessage(0));
      };
      const observer = new MutationObserver(look);
      observer.observe(document, { subtree: true, childList: true, attributes: true });
      look();
    }),

  /** All of these turns are drawn, none of them as a blank. */
  drawn: (ids) =>
    bench.painted(() => {
      const shown = document.querySelectorAll(".turn:not(.turn-blank)[data-turn]");
      return shown.length >= ids.length && ids.every((id, i) => shown[i + shown.length - ids.length].dataset.turn === id);
    }),

  /** When the first request for this path was sent and answered. */
  asked: (path) => {
    const [first] = performance.getEntriesByType("resource").filter(({ name }) => name.includes(path));
    return [first.startTime, first.responseEnd];
  },

  /** The longest tasks and events from now on. */
  watch: () => {
    bench.tasks = [];
    bench.events = [];
    const collect = (to) => (list) => to.push(...list.getEntries().map(({ duration }) => duration));
    new PerformanceObserver(collect(bench.tasks)).observe({ type: "longtask" });
    new PerformanceObserver(collect(bench.events)).observe({ type: "event", durationThreshold: 16 });
  },
};
/** When the first items of the list were painted, and all `conversations`, which the benchmark has set. */
bench.listed = Promise.all(
  [1, conversations].map((count) => bench.painted(() => document.querySelectorAll(".item").length >= count)),
);
for (const kind of ["click", "input"])
  addEventListener(kind, ({ timeStamp }) => (bench.acted = timeStamp), { capture: true });
