/** The page's own line icons, 24 by 24. */

import { s } from "./dom.js";

const PATHS = {
  camera: "M4 8h3l2-3h6l2 3h3a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V9a1 1 0 0 1 1-1z M12 10a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7z",
  picture: "M4 5h16v14H4z M4 16l5-5 4 4 3-3 4 4 M15.5 9.5h.01",
  back: "M15 5l-7 7 7 7",
  undo: "M4 9h10a5 5 0 0 1 0 10h-4 M8 5L4 9l4 4",
  redo: "M20 9H10a5 5 0 0 0 0 10h4 M16 5l4 4-4 4",
  star: "M12 4l2.4 5.2 5.6.7-4.2 3.8 1.2 5.6-5-2.9-5 2.9 1.2-5.6L4 9.9l5.6-.7z",
  ask: "M8.5 9a3.5 3.5 0 1 1 5 3.2c-1 .6-1.5 1.2-1.5 2.3 M12 18.5h.01",
  check: "M5 13l4 4L19 7",
  warning: "M12 4l9 16H3z M12 10v4 M12 17h.01",
  more: "M4 7h10 M18 7h2 M14 5v4 M4 17h2 M10 17h10 M10 15v4 M4 12h16",
  people: "M8 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6z M2.5 19a5.5 5.5 0 0 1 11 0 M16 11a2.5 2.5 0 1 0 0-5 M16 14a5 5 0 0 1 5.5 5",
  timer: "M12 21a8 8 0 1 0 0-16 8 8 0 0 0 0 16z M12 9v4l2.5 2 M9.5 2.5h5",
  book: "M5 4h9a4 4 0 0 1 4 4v12H8a3 3 0 0 1-3-3z M5 17a3 3 0 0 1 3-3h10",
  plus: "M12 5v14 M5 12h14",
  minus: "M5 12h14",
  trash: "M5 7h14 M9 7V4h6v3 M7 7l1 13h8l1-13 M10.5 11v5 M13.5 11v5",
  move: "M12 3v18 M3 12h18 M9 6l3-3 3 3 M9 18l3 3 3-3 M6 9l-3 3 3 3 M18 9l3 3-3 3",
  turn: "M19 12a7 7 0 1 1-2.5-5.4 M17 3v4h-4",
  turn_back: "M5 12a7 7 0 1 0 2.5-5.4 M7 3v4h4",
  share: "M12 14V3 M8 7l4-4 4 4 M5 12v8h14v-8",
  print: "M7 9V4h10v5 M7 17H4V9h16v8h-3 M7 14h10v6H7z",
  close: "M6 6l12 12 M18 6L6 18",
  whole: "M4 9V4h5 M20 9V4h-5 M4 15v5h5 M20 15v5h-5",
  up: "M12 19V5 M6 11l6-6 6 6",
  down: "M12 5v14 M6 13l6 6 6-6",
  left: "M19 12H5 M11 6l-6 6 6 6",
  right: "M5 12h14 M13 6l6 6-6 6",
  next: "M9 5l7 7-7 7",
  eye: "M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12z M12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z",
  hidden: "M4 4l16 16 M9.5 5.9A9 9 0 0 1 12 5.5c6 0 9.5 6.5 9.5 6.5a16 16 0 0 1-3 3.7 M6 7.5A16 16 0 0 0 2.5 12S6 18.5 12 18.5a9 9 0 0 0 3.5-.7",
  save: "M12 4v11 M7 11l5 5 5-5 M5 20h14",
  touch: "M8.5 12a4.5 4.5 0 1 0 0-.01z M15.5 7.5a4.5 4.5 0 1 1 0 9",
  bulb: "M9 18h6 M10 21h4 M8.5 14.5a5.5 5.5 0 1 1 7 0c-.5.5-.5 1.5-.5 1.5h-6s0-1-.5-1.5z",
  offline: "M3 3l18 18 M5 12.5a10 10 0 0 1 4-2.3 M2 9a15 15 0 0 1 4.5-3 M12 19h.01 M8.5 15.8a5 5 0 0 1 5-.8 M13 6a15 15 0 0 1 9 3",
};

/** @typedef {keyof typeof PATHS} IconName */

/** Returns an icon, hidden from screen readers: the text beside it says what it means. @param {IconName} name */
export function icon(name) {
  const svg = s("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true", focusable: "false" });
  svg.append(s("path", { d: PATHS[name] }));
  return svg;
}
