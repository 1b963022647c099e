/** Draws tiles over the picture: outline, badge, what is lit, what is in question, and a tile on the move. */

import { categoryOf, kindName } from "./catalogue.js";
import { categoryName, DASHES, letterOf } from "./categories.js";
import { s } from "./dom.js";
import { areaCentroid, boxOf, pathOf } from "./geometry.js";
import { t } from "./i18n.js";
import { fromBelow } from "./surface.js";

/** @typedef {import("./surface.js").Surface} Surface @typedef {import("./types.js").Board} Board @typedef {import("./types.js").Tile} Tile @typedef {import("./types.js").Point} Point */
/**
 * @typedef {object} Marks
 * @property {Set<string> | null} lit  tiles that light up; null: all alike
 * @property {string | null} chosen
 * @property {Set<string>} faulty  tiles with a violation
 * @property {Set<string>} asked  tiles in a question
 * @property {{tile: string, ring: Point[]} | null} ghost  where a tile is being moved
 */

const BADGE_PX = 9;
const LEAST_BADGE_PX = 5.5;
const BADGE_SHARE = 0.27; // of a tile: the face stays to be seen
let masks = 0;

/** Returns the layer of outlines. @param {Surface} surface @param {Board} board @param {Marks} marks */
export function outlinesLayer(surface, board, marks) {
  const layer = s("g", { class: "outlines", role: "group", "aria-label": t("photo.tiles", { n: board.tiles.length }) });
  if (surface.outline) layer.append(s("path", { class: "board-edge", d: pathOf(surface.outline) }));
  if (marks.lit) layer.append(...dimmed(surface, marks.lit));
  const tiles = fromBelow(board).filter((tile) => surface.rings.has(tile.id));
  const first = marks.chosen ?? tiles[0]?.id;
  layer.append(...tiles.map((tile) => tileOutline(tile, surface, marks, tile.id === first)));
  if (marks.ghost) layer.append(s("path", { class: "ghost", d: pathOf(marks.ghost.ring), "data-ghost": marks.ghost.tile }));
  return layer;
}

/** @param {Tile} tile @param {Surface} surface @param {Marks} marks @param {boolean} reachable */
function tileOutline(tile, surface, marks, reachable) {
  const ring = /** @type {Point[]} */ (surface.rings.get(tile.id));
  const category = categoryOf(tile.kind);
  const states = [
    marks.lit && (marks.lit.has(tile.id) ? "lit" : "dim"),
    marks.chosen === tile.id && "chosen",
    marks.faulty.has(tile.id) && "faulty",
    marks.asked.has(tile.id) && "asked",
    marks.ghost?.tile === tile.id && "leaving",
  ];
  const group = s("g", {
    class: `tile cat-${category} ${states.filter(Boolean).join(" ")}`,
    "data-tile": tile.id,
    key: `tile-${tile.id}`,
    role: "button",
    tabindex: reachable ? 0 : -1,
    "aria-pressed": marks.chosen === tile.id ? "true" : "false",
    "aria-label": spoken(tile, category, marks),
  });
  const d = pathOf(ring);
  group.append(
    s("path", { class: "halo", d, "vector-effect": "non-scaling-stroke" }),
    s("path", { class: "edge", d, "vector-effect": "non-scaling-stroke", "stroke-dasharray": DASHES[category] || null }),
    tileBadge(category, marks.faulty.has(tile.id), marks.asked.has(tile.id), ring),
  );
  return group;
}

/** @param {Tile} tile @param {string} category @param {Marks} marks */
function spoken(tile, category, marks) {
  const words = [kindName(tile.kind), categoryName(category)];
  if (marks.faulty.has(tile.id)) words.push(t("check.violation"));
  if (marks.asked.has(tile.id)) words.push(t("question.asked"));
  return words.join(", ");
}

/** @param {string} category @param {boolean} faulty @param {boolean} asked @param {Point[]} ring */
function tileBadge(category, faulty, asked, ring) {
  const [x, y] = areaCentroid(ring);
  const { width, height } = boxOf(ring);
  const mark = s("g", { class: "mark", "data-x": x, "data-y": y, "data-size": Math.min(width, height), "aria-hidden": "true" });
  mark.append(s("circle", { r: BADGE_PX }), s("text", { dy: "0.36em" }, letterOf(category)));
  if (faulty || asked) mark.append(s("circle", { class: faulty ? "dot faulty" : "dot asked", cx: 8, cy: -8, r: 5.5 }), s("text", { class: "dot-sign", x: 8, y: -8, dy: "0.36em" }, faulty ? "!" : "?"));
  return mark;
}

/** Keeps badges and lines at their size on the screen, however far the picture is zoomed; over small tiles both are finer. @param {SVGGElement} layer @param {number} unitsPerPixel */
export function scaleBadges(layer, unitsPerPixel) {
  for (const mark of layer.querySelectorAll(".mark")) {
    const pixels = Number(mark.getAttribute("data-size")) / unitsPerPixel;
    const radius = Math.min(BADGE_PX, Math.max(LEAST_BADGE_PX, BADGE_SHARE * pixels));
    const scale = (unitsPerPixel * radius) / BADGE_PX;
    mark.setAttribute("transform", `translate(${mark.getAttribute("data-x")} ${mark.getAttribute("data-y")}) scale(${scale.toFixed(4)})`);
    layer.style.setProperty("--fine", String(Math.min(1, Math.max(0.5, pixels / 60)).toFixed(2)));
  }
}

/** Returns a veil over the picture that leaves some tiles bright. @param {Surface} surface @param {Set<string>} lit */
function dimmed(surface, lit) {
  const id = `lit-${(masks += 1)}`;
  const whole = { width: surface.width, height: surface.height };
  const mask = s("mask", { id }, s("rect", { ...whole, fill: "white" }));
  for (const tile of lit) {
    const ring = surface.rings.get(tile);
    if (ring) mask.append(s("path", { d: pathOf(ring), fill: "black" }));
  }
  return [mask, s("rect", { ...whole, class: "veil", mask: `url(#${id})` })];
}

/** Returns the tile nearest in a direction, for arrow keys. @param {Surface} surface @param {string} from @param {Point} direction */
export function nearestTile(surface, from, [dx, dy]) {
  const start = areaCentroid(surface.rings.get(from) ?? [[0, 0]]);
  let [best, found] = [Infinity, from];
  for (const [id, ring] of surface.rings) {
    const [x, y] = areaCentroid(ring);
    const along = (x - start[0]) * dx + (y - start[1]) * dy;
    const across = Math.abs((x - start[0]) * dy - (y - start[1]) * dx);
    if (id !== from && along > 0 && along + 2 * across < best) [best, found] = [along + 2 * across, id];
  }
  return found;
}

/** Returns the photo, or a plain ground, to lie under the outlines. @param {Surface} surface */
export function ground(surface) {
  if (surface.photo) return s("image", { href: surface.photo, width: surface.width, height: surface.height, preserveAspectRatio: "none" });
  const plan = s("g", { class: "plan" }, s("rect", { width: surface.width, height: surface.height }));
  for (const ring of surface.rings.values()) plan.append(s("path", { d: pathOf(ring) }));
  return plan;
}
