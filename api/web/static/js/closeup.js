/** A zoomed picture of one place on the board, with the outlines of the tiles in question. */

import { categoryOf } from "./catalogue.js";
import { DASHES } from "./categories.js";
import { s } from "./dom.js";
import { boxOf, pathOf } from "./geometry.js";
import { ground } from "./outlines.js";

/** @typedef {import("./surface.js").Surface} Surface @typedef {import("./types.js").Board} Board @typedef {import("./types.js").Point} Point */

/**
 * Returns the picture around some tiles. Where two tiles are asked about, it looks at the place where they come nearest.
 * @param {Surface} surface @param {Board} board @param {string[]} tiles @param {string} says what a screen reader says
 */
export function closeup(surface, board, tiles, says) {
  const rings = /** @type {Point[][]} */ (tiles.map((id) => surface.rings.get(id)).filter(Boolean));
  const svg = s("svg", { class: "closeup", role: "img", "aria-label": says, preserveAspectRatio: "xMidYMid slice", viewBox: viewBoxOf(surface, rings) });
  svg.append(ground(surface));
  tiles.forEach((id) => {
    const ring = surface.rings.get(id);
    const category = categoryOf(board.tiles.find((tile) => tile.id === id)?.kind ?? "");
    if (!ring) return;
    const d = pathOf(ring);
    svg.append(s("g", { class: `tile cat-${category}` },
      s("path", { class: "halo", d, "vector-effect": "non-scaling-stroke" }),
      s("path", { class: "edge", d, "vector-effect": "non-scaling-stroke", "stroke-dasharray": DASHES[category] || null })));
  });
  return svg;
}

/** @param {Surface} surface @param {Point[][]} rings */
function viewBoxOf(surface, rings) {
  if (rings.length === 0) return `0 0 ${surface.width} ${surface.height}`;
  const box = rings.length === 2 ? aroundGap(rings[0], rings[1]) : boxOf(rings.flat());
  const margin = 0.35 * Math.max(box.width, box.height);
  return `${box.x - margin} ${box.y - margin} ${box.width + 2 * margin} ${box.height + 2 * margin}`;
}

/** A square about the nearest points of two outlines, half as wide as both tiles together. @param {Point[]} a @param {Point[]} b */
function aroundGap(a, b) {
  let [best, x, y] = [Infinity, 0, 0];
  for (const [ax, ay] of a)
    for (const [bx, by] of b) {
      const far = Math.hypot(ax - bx, ay - by);
      if (far < best) [best, x, y] = [far, (ax + bx) / 2, (ay + by) / 2];
    }
  const whole = boxOf([...a, ...b]);
  const side = 0.5 * Math.max(whole.width, whole.height);
  return { x: x - side / 2, y: y - side / 2, width: side, height: side };
}
