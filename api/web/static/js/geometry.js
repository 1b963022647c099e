/** Plane geometry for the photo: where millimetres of the board lie on the picture, and shapes for new tiles. */

/** @typedef {import("./types.js").Point} Point @typedef {import("./types.js").Board} Board @typedef {import("./types.js").Tile} Tile */
/** @typedef {number[]} Homography nine numbers, row by row */

/** @type {Homography} */
const SAME = [1, 0, 0, 0, 1, 0, 0, 0, 1];

/** Maps a point. @param {Homography} m @param {Point} point @returns {Point} */
export function mapped(m, [x, y]) {
  const w = m[6] * x + m[7] * y + m[8];
  return [(m[0] * x + m[1] * y + m[2]) / w, (m[3] * x + m[4] * y + m[5]) / w];
}

/** Returns the way back. @param {Homography} m @returns {Homography} */
export function inverse(m) {
  const [a, b, c, d, e, f, g, h, i] = m;
  const [A, B, C] = [e * i - f * h, f * g - d * i, d * h - e * g];
  const det = a * A + b * B + c * C;
  return [A, c * h - b * i, b * f - c * e, B, a * i - c * g, c * d - a * f, C, b * g - a * h, a * e - b * d].map((v) => v / det);
}

/**
 * Returns the map from board millimetres to photo pixels that fits all tiles best, or null where no tile has both outlines.
 * The two outlines of a tile have the same points in the same order; every fourth point is enough.
 * @param {Board} board @returns {Homography | null}
 */
export function mmToPx(board) {
  /** @type {[Point, Point][]} */
  const pairs = [];
  for (const { footprint, polygon_px: seen } of board.tiles)
    if (footprint && seen && footprint.length === seen.length)
      for (let i = 0; i < seen.length; i += Math.max(1, Math.floor(seen.length / 8))) pairs.push([footprint[i], seen[i]]);
  if (pairs.length < 4) return null;
  const from = scaling(pairs.map((pair) => pair[0]));
  const to = scaling(pairs.map((pair) => pair[1]));
  const fitted = fitHomography(pairs.map(([mm, px]) => [mapped(from, mm), mapped(to, px)]));
  return fitted && product(inverse(to), product(fitted, from));
}

/** Moves points around the origin at about unit size: least squares is unstable without. @param {Point[]} points @returns {Homography} */
function scaling(points) {
  const [mx, my] = centroid(points);
  const size = points.reduce((sum, [x, y]) => sum + Math.hypot(x - mx, y - my), 0) / points.length || 1;
  return [1 / size, 0, -mx / size, 0, 1 / size, -my / size, 0, 0, 1];
}

/** @param {[Point, Point][]} pairs @returns {Homography | null} */
function fitHomography(pairs) {
  const normal = Array.from({ length: 8 }, () => new Float64Array(9));
  for (const [[x, y], [u, v]] of pairs)
    for (const row of [[x, y, 1, 0, 0, 0, -u * x, -u * y, u], [0, 0, 0, x, y, 1, -v * x, -v * y, v]])
      for (let i = 0; i < 8; i += 1) for (let j = 0; j < 9; j += 1) normal[i][j] += row[i] * row[j];
  const solved = solve(normal);
  return solved && [...solved, 1];
}

/** Gauss with pivoting over an 8 by 9 system. @param {Float64Array[]} rows @returns {number[] | null} */
function solve(rows) {
  const n = rows.length;
  for (let k = 0; k < n; k += 1) {
    let best = k;
    for (let i = k + 1; i < n; i += 1) if (Math.abs(rows[i][k]) > Math.abs(rows[best][k])) best = i;
    if (Math.abs(rows[best][k]) < 1e-12) return null;
    [rows[k], rows[best]] = [rows[best], rows[k]];
    for (let i = 0; i < n; i += 1) {
      const factor = i === k ? 0 : rows[i][k] / rows[k][k];
      if (factor) for (let j = k; j <= n; j += 1) rows[i][j] -= factor * rows[k][j];
    }
  }
  return rows.map((row, i) => row[n] / row[i]);
}

/** @param {Homography} a @param {Homography} b @returns {Homography} */
function product(a, b) {
  return SAME.map((_, i) => [0, 1, 2].reduce((sum, k) => sum + a[3 * Math.floor(i / 3) + k] * b[3 * k + (i % 3)], 0));
}

/** @param {Point[]} points @returns {Point} */
export function centroid(points) {
  return [points.reduce((sum, p) => sum + p[0], 0) / points.length, points.reduce((sum, p) => sum + p[1], 0) / points.length];
}

/** The centroid of the area, about which the service turns a tile. @param {Point[]} ring @returns {Point} */
export function areaCentroid(ring) {
  let [area, cx, cy] = [0, 0, 0];
  ring.forEach(([x, y], i) => {
    const [nx, ny] = ring[(i + 1) % ring.length];
    const cross = x * ny - nx * y;
    area += cross;
    cx += (x + nx) * cross;
    cy += (y + ny) * cross;
  });
  return Math.abs(area) < 1e-9 ? centroid(ring) : [cx / (3 * area), cy / (3 * area)];
}

/** Turns a ring about its area centroid (clockwise as seen, y down), then shifts it. @param {Point[]} ring @param {number} degrees @param {Point} shift @returns {Point[]} */
export function moved(ring, degrees, [dx, dy]) {
  const [cx, cy] = areaCentroid(ring);
  const [cos, sin] = [Math.cos((degrees * Math.PI) / 180), Math.sin((degrees * Math.PI) / 180)];
  return ring.map(([x, y]) => [cx + (x - cx) * cos - (y - cy) * sin + dx, cy + (x - cx) * sin + (y - cy) * cos + dy]);
}

/** @param {Point[]} ring @returns {{x: number, y: number, width: number, height: number}} */
export function boxOf(ring) {
  const xs = ring.map((p) => p[0]);
  const ys = ring.map((p) => p[1]);
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
}

/** @param {Point[]} ring */
export const pathOf = (ring) => `M${ring.map(([x, y]) => `${x.toFixed(1)} ${y.toFixed(1)}`).join("L")}Z`;

/** A plain outline for a shape of which no tile lies on the board, in mm about the origin. @param {string} shape @returns {Point[]} */
function plainShape(shape) {
  if (shape === "square") return [[-17, -17], [17, -17], [17, 17], [-17, 17]];
  if (shape === "wedge") return [[-22, -13], [22, -15], [24, -9], [-14, 22], [-22, 18]];
  return Array.from({ length: 24 }, (_, i) => [19 * Math.cos((i * Math.PI) / 12), 19 * Math.sin((i * Math.PI) / 12)]);
}

/**
 * Returns the footprint of a new tile about `at` (mm): that of a tile of the same kind, else of the same shape.
 * @param {Board} board @param {string} kind @param {(kind: string) => string} shapeOf @param {Point} at @returns {Point[]}
 */
export function newFootprint(board, kind, shapeOf, at) {
  const measured = board.tiles.filter((tile) => tile.footprint);
  const like = measured.find((tile) => tile.kind === kind) ?? measured.find((tile) => shapeOf(tile.kind) === shapeOf(kind));
  const ring = like?.footprint ?? plainShape(shapeOf(kind));
  const [cx, cy] = areaCentroid(ring);
  return ring.map(([x, y]) => [+(x - cx + at[0]).toFixed(2), +(y - cy + at[1]).toFixed(2)]);
}
