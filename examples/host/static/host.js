// What this application tells the drawer beyond its address, and what it does with the drawer's links.
const widget = document.querySelector("paliadin-widget");

await customElements.whenDefined("paliadin-widget");
if (location.pathname === "/agenda") widget.setContext({ view_mode: "day", filter_summary: "only mine" });
widget.on("navigate", ({ href }, event) => {
  // An application with a router of its own would go there without loading the page anew.
  if (!href.startsWith("/")) event.preventDefault();
});
