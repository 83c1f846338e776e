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
