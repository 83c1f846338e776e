// Put into every page before anything of its own: keeps every text that was ever in it, and what jumped.
window.shown = [];
window.shifts = [];

window.watching = new MutationObserver(() => {
  const text = document.querySelector(".turns")?.textContent ?? "";
  if (text !== window.shown.at(-1)) window.shown.push(text);
});
window.watching.observe(document, { subtree: true, childList: true, characterData: true });

new PerformanceObserver((list) => {
  for (const { value, hadRecentInput, sources } of list.getEntries()) {
    if (!hadRecentInput)
      window.shifts.push({ value, what: sources.map(({ node }) => node?.className ?? node?.nodeName) });
  }
}).observe({ type: "layout-shift", buffered: true });

// For a test that failed: whether the page was seen and its clock ran, and what became of its long timers.
window.pulse = { born: Math.round(performance.timeOrigin), beats: 0, seen: [], timers: {} };
{
  const now = () => Math.round(performance.now());
  const { setTimeout, clearTimeout } = window;
  setInterval(() => window.pulse.beats++, 1000);
  for (const event of ["visibilitychange", "pagehide", "pageshow", "freeze", "resume"])
    addEventListener(event, () => window.pulse.seen.push([now(), event, document.visibilityState]), true);
  window.setTimeout = (call, ms, ...args) => {
    if (!(ms >= 1000)) return setTimeout(call, ms, ...args);
    const fired = () => {
      window.pulse.timers[id]?.push(now(), "fired");
      call(...args);
    };
    const id = setTimeout(fired, ms);
    window.pulse.timers[id] = [now(), ms];
    return id;
  };
  window.clearTimeout = (id) => {
    if (window.pulse.timers[id]?.length === 2) window.pulse.timers[id].push(now(), "cleared");
    clearTimeout(id);
  };
}
