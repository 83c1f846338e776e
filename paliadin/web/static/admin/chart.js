/** The values of the dashboard's charts: under the pointer, at a tap, and with the arrow keys, Home and End. */
import { listenToKeys } from "../js/browser/keys.js";

/** @param {number} count @returns {Record<string, (at: number) => number>} key → the column that it leads to */
const moves = (count) => ({
  ArrowRight: (at) => Math.min(at + 1, count - 1),
  ArrowLeft: (at) => (at < 0 ? count - 1 : Math.max(at - 1, 0)),
  Home: () => 0,
  End: () => count - 1,
});

/** @param {Element} chart */
function attach(chart) {
  const columns = [...chart.querySelectorAll("[data-says]")];
  const plot = chart.querySelector(".plot");
  const words = chart.nextElementSibling?.querySelector("[aria-live]");
  const link = chart.nextElementSibling?.querySelector("a");
  if (!plot || !words || !link) return;
  const summary = words.textContent;
  let at = -1;

  /** @param {number} place number of the column to read out, or -1 for none */
  const show = (place) => {
    columns[at]?.classList.remove("at");
    at = place;
    const column = columns[at];
    column?.classList.add("at");
    words.textContent = column ? `${column.getAttribute("data-label")}: ${column.getAttribute("data-says")}` : summary;
    link.hidden = !column;
    link.href = column?.getAttribute("data-href") ?? "";
  };

  /** @param {MouseEvent} event @returns {number} the column at the pointer, which may be beside the plot */
  const under = ({ clientX }) => {
    const { left, width } = plot.getBoundingClientRect();
    return Math.max(0, Math.min(Math.floor(((clientX - left) / width) * columns.length), columns.length - 1));
  };

  chart.addEventListener("pointermove", (event) => {
    const place = event instanceof PointerEvent ? under(event) : at;
    if (place !== at) show(place);
  });
  chart.addEventListener("pointerdown", (event) => event instanceof PointerEvent && show(under(event)));
  listenToKeys(chart, (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const move = moves(columns.length)[event.key];
    if (move) show(move(at));
    else if (event.key === "Escape") show(-1);
    else if (event.key === "Enter" && at >= 0) link.click();
    else return;
    event.preventDefault();
  });
}

for (const chart of document.querySelectorAll("[data-chart]")) attach(chart);
