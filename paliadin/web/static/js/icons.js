/** Line drawings on a grid of 24. */
const PATHS = {
  send: "M12 19V5M6 11l6-6 6 6",
  stop: "M7 7h10v10H7z",
  plus: "M12 5v14M5 12h14",
  down: "M12 5v14M6 13l6 6 6-6",
  copy: "M9 9h10v10H9zM5 15V5h10",
  check: "M5 12.5l4.5 4.5L19 7.5",
  cross: "M6 6l12 12M18 6L6 18",
  retry: "M4 12a8 8 0 1 0 2.5-5.8M4 4v4.5h4.5",
  shield: "M12 3l7 3v5c0 4.5-3 8-7 10-4-2-7-5.5-7-10V6z",
  question: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM9.5 9.5a2.5 2.5 0 1 1 3.5 2.3c-.7.3-1 .8-1 1.5v.4M12 17h.01",
  alert: "M12 4L2.8 19.5h18.4zM12 10v4M12 16.8h.01",
  chevron: "M9 6l6 6-6 6",
  arrow: "M7 17L17 7M9 7h8v8",
  auto: "M12 4a8 8 0 0 0 0 16zM12 20a8 8 0 0 0 0-16",
  light: "M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4",
  dark: "M20 14.5A8 8 0 1 1 9.5 4a6.5 6.5 0 0 0 10.5 10.5z",
  dash: "M6 12h12",
  dot: "M12 12h.01",
};
/** @typedef {keyof typeof PATHS} Icon */

const SVG = "http://www.w3.org/2000/svg";

/**
 * @param {Icon} name
 * @returns {SVGSVGElement} for the eye only: what it stands on needs a name of its own
 */
export function icon(name) {
  const svg = document.createElementNS(SVG, "svg");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", PATHS[name]);
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", `icon icon-${name}`);
  svg.setAttribute("aria-hidden", "true");
  svg.append(path);
  return svg;
}
