/** The photo of a reading with its outlines: taps choose tiles, drags move what is being moved. */

import { h, iconButton } from "../dom.js";
import { boxOf, moved } from "../geometry.js";
import { t } from "../i18n.js";
import { icon } from "../icons.js";
import { ground, nearestTile, outlinesLayer, scaleBadges } from "../outlines.js";
import { surfaceOf } from "../surface.js";
import { Viewer } from "../viewer.js";
import { currentQuestion } from "./questions.js";

/** @typedef {import("./reading.js").Desk} Desk @typedef {import("../types.js").Point} Point @typedef {import("../types.js").Board} Board */

/** @type {Record<string, Point>} */
const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

export class PhotoPane {
  /** @param {Desk} desk */
  constructor(desk) {
    this.desk = desk;
    this.surface = surfaceOf(desk.open.reading, desk.open.photoUrl);
    /** @type {SVGGElement | null} */
    this.layer = null;
    this.viewer = new Viewer(this.surface.width, this.surface.height, {
      tap: (target, at) => this.#tap(target, at),
      grab: (target) => desk.mode.name === "move" && target.closest("[data-ghost]") !== null,
      drag: (by) => this.#drag(by),
      scaled: (unit) => this.layer && scaleBadges(this.layer, unit),
    });
    this.viewer.root.append(ground(this.surface));
    this.viewer.root.addEventListener("keydown", (event) => this.#key(/** @type {KeyboardEvent} */ (event)));
    this.root = h("div", { class: "photo-pane" }, this.viewer.root, this.#tools());
    this.root.style.setProperty("--ratio", String(this.surface.width / this.surface.height));
  }

  /** The board, else the tiles, else all of the photo. */
  #subject() {
    const { outline, rings, width, height } = this.surface;
    const points = outline ?? [...rings.values()].flat();
    return points.length ? boxOf(points) : { x: 0, y: 0, width, height };
  }

  #tools() {
    const { viewer, desk } = this;
    return h("div", { class: "photo-tools", role: "group", "aria-label": t("photo.tools") },
      iconButton(t("photo.closer"), icon("plus"), () => viewer.zoom(1.5), { key: "closer" }),
      iconButton(t("photo.farther"), icon("minus"), () => viewer.zoom(1 / 1.5), { key: "farther" }),
      iconButton(t("photo.whole"), icon("whole"), () => viewer.whole(), { key: "whole" }),
      h("button", { type: "button", class: "add-tile", on: { click: () => { desk.open.choose(null); desk.setMode({ name: "add" }); } } }, icon("plus"), h("span", {}, t("tile.add"))));
  }

  /** Draws the outlines again. */
  draw() {
    const { desk } = this;
    const { open, mode } = desk;
    this.surface = surfaceOf(open.reading, open.photoUrl);
    this.viewer.resize(this.surface.width, this.surface.height);
    this.viewer.open(this.#subject());
    const focused = this.layer?.contains(document.activeElement) ? document.activeElement?.getAttribute("data-tile") : null;
    const asked = new Set(desk.tab === "questions" ? currentQuestion(desk)?.tiles : []);
    const layer = outlinesLayer(this.surface, open.board, {
      lit: mode.name === "move" ? null : (open.lit?.tiles ?? null),
      chosen: mode.name === "move" || mode.name === "touch" ? mode.tile : open.chosen,
      faulty: new Set(open.report.checks.filter((check) => check.status === "violation").flatMap((check) => check.tiles)),
      asked,
      ghost: mode.name === "move" ? { tile: mode.tile, ring: this.ghostRing() } : null,
    });
    scaleBadges(layer, this.viewer.unitsPerPixel);
    if (this.layer) this.layer.replaceWith(layer);
    else this.viewer.root.append(layer);
    this.layer = layer;
    this.viewer.root.classList.toggle("picking", mode.name === "add" || mode.name === "touch");
    if (focused) /** @type {SVGElement | null} */ (layer.querySelector(`[data-tile="${CSS.escape(focused)}"]`))?.focus({ preventScroll: true });
  }

  /** Where the tile being moved lies now, on the picture. @returns {Point[]} */
  ghostRing() {
    const { mode, open } = this.desk;
    const footprint = mode.name === "move" ? open.tile(mode.tile)?.footprint : null;
    if (mode.name !== "move" || !footprint) return [];
    return moved(footprint, mode.angle, mode.shift).map(this.surface.toPicture);
  }

  /** Brings tiles into view. @param {string[]} tiles @param {number} [share] */
  bringIn(tiles, share = 0.4) {
    const points = tiles.flatMap((id) => this.surface.rings.get(id) ?? []);
    if (points.length) this.viewer.bringIn(boxOf(points), share);
  }

  /** @param {Element} target @param {Point} at */
  #tap(target, at) {
    const { desk } = this;
    const tile = target.closest("[data-tile]")?.getAttribute("data-tile") ?? null;
    if (desk.mode.name === "add") this.onPlace?.(at);
    else if (desk.mode.name === "touch") this.onTouch?.(tile);
    else if (desk.mode.name === "look") {
      desk.open.choose(tile === desk.open.chosen ? null : tile);
      if (desk.open.chosen && !this.viewer.zoomed) this.bringIn([desk.open.chosen], 0.22);
    }
  }

  /** @type {((at: Point) => void) | undefined} */
  onPlace;
  /** @type {((tile: string | null) => void) | undefined} */
  onTouch;

  /** @param {Point} by */
  #drag([dx, dy]) {
    const { mode, open } = this.desk;
    const footprint = mode.name === "move" ? open.tile(mode.tile)?.footprint : null;
    if (mode.name !== "move" || !footprint || !this.surface.toMm) return;
    const [x, y] = this.surface.toPicture([footprint[0][0] + mode.shift[0], footprint[0][1] + mode.shift[1]]);
    const [mx, my] = this.surface.toMm([x + dx, y + dy]);
    mode.shift = [mx - footprint[0][0], my - footprint[0][1]];
    this.#redrawGhost();
  }

  #redrawGhost() {
    const ghost = this.layer?.querySelector("[data-ghost]");
    ghost?.setAttribute("d", `M${this.ghostRing().map((point) => point.join(" ")).join("L")}Z`);
  }

  /** @param {KeyboardEvent} event */
  #key(event) {
    const tile = /** @type {Element} */ (event.target).closest("[data-tile]")?.getAttribute("data-tile");
    if (!tile) return;
    if (event.key in ARROWS) {
      event.preventDefault();
      const next = nearestTile(this.surface, tile, ARROWS[event.key]);
      /** @type {SVGElement | null} */ (this.layer?.querySelector(`[data-tile="${CSS.escape(next)}"]`))?.focus();
    } else if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.#tap(/** @type {Element} */ (event.target), [0, 0]);
    }
  }
}
