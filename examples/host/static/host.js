// What this application tells the drawer beyond its address, and what it does with the drawer's links.
const widget = document.querySelector("paliadin-widget");

if (widget) {
  await customElements.whenDefined("paliadin-widget");
  if (location.pathname === "/agenda") {
    const month = new URLSearchParams(location.search).get("month");
    widget.setContext(
      month
        ? { view_mode: "month", filter_summary: `${month}, only mine` }
        : { view_mode: "day", filter_summary: "only mine" },
    );
  }
  // What the page shows may have changed: its main part is read anew, and the drawer stays as it is.
  widget.on("decided", async () => {
    const response = await fetch(location.href);
    if (!response.ok) return;
    const page = new DOMParser().parseFromString(await response.text(), "text/html");
    for (const part of ["header", "main"]) document.querySelector(part).replaceWith(page.querySelector(part));
  });
  widget.on("navigate", ({ href }, event) => {
    // An application with a router of its own would go there without loading the page anew.
    if (!href.startsWith("/")) event.preventDefault();
  });
}
