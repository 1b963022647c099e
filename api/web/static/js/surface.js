/** The picture under the outlines: the photo, or a drawn plan in millimetres where a board has no photo. */

import { boxOf, inverse, mapped, mmToPx } from "./geometry.js";

/** @typedef {import("./types.js").Point} Point @typedef {import("./types.js").Board} Board @typedef {import("./types.js").Tile} Tile @typedef {import("./types.js").Reading} Reading */
/**
 * @typedef {object} Surface
 * @property {number} width @property {number} height
 * @property {string | null} photo  an address of the picture, or null for a plan
 * @property {Map<string, Point[]>} rings  each tile's outline on the picture
 * @property {(mm: Point) => Point} toPicture
 * @property {((picture: Point) => Point) | null} toMm
 * @property {Point[] | null} outline  the edge of the board on the picture
 */

/** @param {Reading} reading @param {string | null} photo @returns {Surface} */
export function surfaceOf(reading, photo) {
  const board = /** @type {Board} */ (reading.board);
  if (!photo || !reading.photo) return planOf(board);
  const { width, height } = reading.photo;
  const scale = reading.photo.scale ?? 1;
  const fitted = mmToPx(board);
  /** @type {(mm: Point) => Point} */
  const toPicture = (mm) => scaled(fitted ? mapped(fitted, mm) : mm, scale);
  const back = fitted && inverse(fitted);
  const outline = fitted && board.board?.outline ? board.board.outline.map(toPicture) : null;
  const toMm = back && ((/** @type {Point} */ point) => mapped(back, scaled(point, 1 / scale)));
  return { width, height, photo, rings: ringsOf(board, (tile) => photoRing(tile, scale, fitted ? toPicture : null)), toPicture, toMm, outline };
}

/** @param {Tile} tile @param {number} scale @param {((mm: Point) => Point) | null} toPicture @returns {Point[] | null} */
function photoRing(tile, scale, toPicture) {
  if (tile.polygon_px) return tile.polygon_px.map((point) => scaled(point, scale));
  return toPicture && tile.footprint ? tile.footprint.map(toPicture) : null;
}

/** @param {Board} board @returns {Surface} */
function planOf(board) {
  const all = [...(board.board?.outline ?? []), ...board.tiles.flatMap((tile) => tile.footprint ?? [])];
  const box = all.length ? boxOf(all) : { x: 0, y: 0, width: 330, height: 250 };
  const margin = 12;
  /** @type {(mm: Point) => Point} */
  const toPicture = ([x, y]) => [x - box.x + margin, y - box.y + margin];
  return {
    width: box.width + 2 * margin,
    height: box.height + 2 * margin,
    photo: null,
    rings: ringsOf(board, (tile) => tile.footprint?.map(toPicture) ?? null),
    toPicture,
    toMm: ([x, y]) => [x + box.x - margin, y + box.y - margin],
    outline: board.board?.outline?.map(toPicture) ?? null,
  };
}

/** @param {Board} board @param {(tile: Tile) => Point[] | null} ringOf @returns {Map<string, Point[]>} */
function ringsOf(board, ringOf) {
  const rings = new Map();
  for (const tile of board.tiles) {
    const ring = ringOf(tile);
    if (ring) rings.set(tile.id, ring);
  }
  return rings;
}

/** @param {Point} point @param {number} by @returns {Point} */
const scaled = ([x, y], by) => [x * by, y * by];

/** Returns the tiles from the lowest to the uppermost, so that the upper is drawn, and tapped, first. @param {Board} board @returns {Tile[]} */
export function fromBelow(board) {
  /** @type {Tile[]} */
  const order = [];
  const seen = new Set();
  /** @param {Tile} tile */
  const visit = (tile) => {
    if (seen.has(tile.id)) return;
    seen.add(tile.id);
    for (const [upper, lower] of board.over) {
      const below = upper === tile.id && board.tiles.find((other) => other.id === lower);
      if (below) visit(below);
    }
    order.push(tile);
  };
  board.tiles.forEach(visit);
  return order;
}
