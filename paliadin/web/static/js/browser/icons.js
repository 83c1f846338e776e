/** The path of each icon, drawn in lines on a grid of 24 × 24. */
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
  light:
    "M12 16a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4",
  dark: "M20 14.5A8 8 0 1 1 9.5 4a6.5 6.5 0 0 0 10.5 10.5z",
  assistant: "M4 5h16v11H9l-5 4zM8 9.5l2.5 2L8 13.5M12.5 13.5h3",
  link: "M10 14a4 4 0 0 0 5.7 0l3-3a4 4 0 0 0-5.7-5.7l-1 1M14 10a4 4 0 0 0-5.7 0l-3 3A4 4 0 0 0 11 18.7l1-1",
  key: "M8 18a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9zM11.2 10.3L20 3M16.5 5.8l2.5 3M13.8 8.2l2 2.3",
  pencil: "M4 20l1-4L16 5l3 3L8 19zM13.5 7.5l3 3",
  chart: "M5 20v-7M12 20V5M19 20v-10",
  search: "M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l4.5 4.5",
  bell: "M6 16V11a6 6 0 0 1 12 0v5l1.5 2h-15zM10 21h4",
  sidebar: "M4 5h16v14H4zM10 5v14",
  more: "M5 12h.01M12 12h.01M19 12h.01",
  branch: "M7 5v14M7 14c0-4 10-3 10-7M17 7h.01M7 5h.01M7 19h.01",
  back: "M15 6l-6 6 6 6",
  up: "M7 11v9H4v-9zM7 11l4-7c1.5 0 2.5 1 2.2 2.6L12.6 9H19a1.6 1.6 0 0 1 1.6 2l-1.6 7a2 2 0 0 1-2 2H7",
  thumbdown: "M17 13V4h3v9zM17 13l-4 7c-1.5 0-2.5-1-2.2-2.6l.6-2.4H5a1.6 1.6 0 0 1-1.6-2L5 6a2 2 0 0 1 2-2h10",
  file: "M7 3h7l4 4v14H7zM14 3v4h4",
  folder: "M4 6h5l2 2h9v11H4z",
  clip: "M19 11.5l-7.6 7.6a4.5 4.5 0 0 1-6.4-6.4l8-8a3 3 0 0 1 4.3 4.3l-8 8a1.5 1.5 0 0 1-2.2-2.2l7-7",
  dash: "M6 12h12",
  dot: "M12 12h.01",
};
/** @typedef {keyof typeof PATHS} Icon */

const SVG = "http://www.w3.org/2000/svg";

/**
 * @param {Icon} name
 * @returns {SVGSVGElement} hidden from screen readers: the control that shows it needs a name of its own
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
