// Not a module: it runs before the first paint, so that a chosen theme does not flash in the other one.
try {
  document.documentElement.dataset.theme = localStorage.getItem("paliadin.theme") || "auto";
} catch {
  // No storage: the system's theme.
}
