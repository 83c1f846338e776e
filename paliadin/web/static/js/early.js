// Sets the chosen theme before the first paint, so that the other one does not flash. A module would run too late.
try {
  document.documentElement.dataset.theme = localStorage.getItem("paliadin.theme") || "auto";
} catch {
  // Storage is off: the system's theme.
}
