/** The picture to look around in: pan, pinch, wheel and keys change the view box of one SVG; a tap is handed on. */

import { calm, s } from "./dom.js";

/** @typedef {{x: number, y: number, width: number, height: number}} Box @typedef {import("./types.js").Point} Point */
/**
 * @typedef {object} Hands  what the viewer hands on
 * @property {(target: Element, at: Point) => void} tap
 * @property {(target: Element, at: Point) => boolean} [grab]  true: the drag moves something, not the view
 * @property {(by: Point) => void} [drag]  shift since the last call, in picture units
 * @property {(unitsPerPixel: number) => void} [scaled]
 */

const TAP_PX = 8;
const MAX_ZOOM = 8;
const TOOLS_PX = 52; // the buttons at the foot of the picture, which the whole board stays clear of

export class Viewer {
  /** @param {number} width @param {number} height @param {Hands} hands */
  constructor(width, height, hands) {
    this.size = { width, height };
    this.hands = hands;
    /** @type {Box} what the view opens with */
    this.subject = { x: 0, y: 0, width, height };
    /** @type {Box} */
    this.box = { ...this.subject };
    this.root = s("svg", { class: "viewer" });
    this.moved = false;
    /** @type {Map<number, Point>} */
    this.fingers = new Map();
    this.travelled = 0;
    this.grabbed = false;
    this.#listen();
    this.#show();
  }

  /** Tells what to open with: the board rather than all of the photo. @param {Box} subject */
  open(subject) {
    this.subject = subject;
    if (!this.moved) this.box = this.#wholeBox();
    this.#show();
  }

  /** Changes the size of the picture. @param {number} width @param {number} height */
  resize(width, height) {
    if (width === this.size.width && height === this.size.height) return;
    this.size = { width, height };
    this.whole();
  }

  /** Height over width of the view on the screen. */
  get ratio() {
    const { width, height } = this.root.getBoundingClientRect();
    return width && height ? height / width : this.size.height / this.size.width;
  }

  /** The subject with a margin, above the buttons at the foot. @returns {Box} */
  #wholeBox() {
    const { ratio } = this;
    const foot = Math.min(0.3, TOOLS_PX / Math.max(1, this.root.getBoundingClientRect().height));
    const height = (1.06 * this.subject.height) / (1 - foot);
    const width = Math.max(1.06 * this.subject.width, height / ratio);
    const middle = this.subject.y + this.subject.height / 2;
    return { x: this.subject.x + this.subject.width / 2 - width / 2, y: middle - (width * ratio * (1 - foot)) / 2, width, height: width * ratio };
  }

  #listen() {
    const { root } = this;
    root.addEventListener("pointerdown", (event) => this.#down(event));
    root.addEventListener("pointermove", (event) => this.#move(event));
    for (const name of /** @type {const} */ (["pointerup", "pointercancel"])) root.addEventListener(name, (event) => this.#up(event));
    root.addEventListener("wheel", (event) => {
      event.preventDefault();
      this.zoom(event.deltaY < 0 ? 1.2 : 1 / 1.2, this.at(event));
    }, { passive: false });
    new ResizeObserver(() => {
      if (!this.moved) this.box = this.#wholeBox();
      this.#show();
    }).observe(root);
  }

  /** @param {PointerEvent} event */
  #down(event) {
    if (event.button > 0) return;
    this.root.setPointerCapture(event.pointerId);
    this.fingers.set(event.pointerId, [event.clientX, event.clientY]);
    if (this.fingers.size > 1) this.grabbed = false;
    else {
      this.travelled = 0;
      this.pressed = /** @type {Element} */ (event.target);
      this.grabbed = this.hands.grab?.(this.pressed, this.at(event)) ?? false;
    }
  }

  /** @param {PointerEvent} event */
  #move(event) {
    const before = this.fingers.get(event.pointerId);
    if (!before) return;
    /** @type {Point} */
    const now = [event.clientX, event.clientY];
    this.travelled += Math.hypot(now[0] - before[0], now[1] - before[1]);
    const other = [...this.fingers].find(([id]) => id !== event.pointerId)?.[1];
    const unit = this.unitsPerPixel;
    if (other) {
      const stretch = Math.hypot(now[0] - other[0], now[1] - other[1]) / Math.max(1, Math.hypot(before[0] - other[0], before[1] - other[1]));
      this.zoom(stretch, this.#toPicture([(now[0] + other[0]) / 2, (now[1] + other[1]) / 2]));
    }
    /** @type {Point} */
    const by = [(now[0] - before[0]) * unit, (now[1] - before[1]) * unit];
    if (this.grabbed) this.hands.drag?.(by);
    else if (this.travelled > TAP_PX || other) this.#pan(other ? [by[0] / 2, by[1] / 2] : by);
    this.fingers.set(event.pointerId, now);
  }

  /** @param {PointerEvent} event */
  #up(event) {
    if (!this.fingers.delete(event.pointerId)) return;
    const tapped = event.type === "pointerup" && this.fingers.size === 0 && this.travelled <= TAP_PX && !this.grabbed;
    if (tapped && this.pressed) this.hands.tap(this.pressed, this.at(event));
  }

  /** Where an event lies on the picture. @param {MouseEvent} event @returns {Point} */
  at(event) {
    return this.#toPicture([event.clientX, event.clientY]);
  }

  /** @param {Point} client @returns {Point} */
  #toPicture([x, y]) {
    const matrix = this.root.getScreenCTM();
    if (!matrix) return [0, 0];
    const point = new DOMPoint(x, y).matrixTransform(matrix.inverse());
    return [point.x, point.y];
  }

  /** Picture units in one CSS pixel. */
  get unitsPerPixel() {
    const { width, height } = this.root.getBoundingClientRect();
    return Math.max(this.box.width / Math.max(width, 1), this.box.height / Math.max(height, 1));
  }

  get zoomed() {
    return this.box.width < this.#wholeBox().width * 0.97;
  }

  /** The widest view there is: the whole photo, or the whole board with its margin. */
  get #widest() {
    return Math.max(this.size.width, this.size.height / this.ratio, this.#wholeBox().width);
  }

  /** Zooms by a factor about a point of the picture. @param {number} factor @param {Point} [about] */
  zoom(factor, about = [this.box.x + this.box.width / 2, this.box.y + this.box.height / 2]) {
    const width = Math.min(this.#widest, Math.max(this.size.width / MAX_ZOOM, this.box.width / factor));
    const share = width / this.box.width;
    this.moved = true;
    this.box = {
      x: about[0] - (about[0] - this.box.x) * share,
      y: about[1] - (about[1] - this.box.y) * share,
      width,
      height: this.box.height * share,
    };
    this.#show();
  }

  /** @param {Point} by */
  #pan([dx, dy]) {
    this.moved = true;
    this.box = { ...this.box, x: this.box.x - dx, y: this.box.y - dy };
    this.#show();
  }

  /** Shows the whole board. */
  whole() {
    this.moved = false;
    this.#glide(this.#wholeBox());
  }

  /** Brings a place into view, at most `share` of the view wide. @param {Box} place @param {number} [share] */
  bringIn(place, share = 0.4) {
    const { ratio } = this;
    const wanted = Math.max(place.width, place.height / ratio) / share;
    const width = Math.min(this.#widest, Math.max(wanted, this.size.width / MAX_ZOOM));
    this.moved = true;
    const height = width * ratio;
    this.#glide({ x: place.x + place.width / 2 - width / 2, y: place.y + place.height / 2 - height / 2, width, height });
  }

  /** @param {Box} target */
  #glide(target) {
    cancelAnimationFrame(this.gliding ?? 0);
    const from = { ...this.box };
    const start = performance.now();
    const took = calm() ? 1 : 280;
    /** @param {number} now */
    const step = (now) => {
      const share = Math.min(1, Math.max(0, (now - start) / took));
      const eased = 1 - (1 - share) ** 3;
      for (const side of /** @type {const} */ (["x", "y", "width", "height"])) this.box[side] = from[side] + (target[side] - from[side]) * eased;
      this.#show();
      if (share < 1) this.gliding = requestAnimationFrame(step);
    };
    this.gliding = requestAnimationFrame(step);
  }

  #show() {
    const { box, size } = this;
    box.height = box.width * this.ratio;
    box.x = Math.min(Math.max(box.x, -box.width / 2), size.width - box.width / 2);
    box.y = Math.min(Math.max(box.y, -box.height / 2), size.height - box.height / 2);
    this.root.setAttribute("viewBox", `${box.x} ${box.y} ${box.width} ${box.height}`);
    this.root.classList.toggle("zoomed", this.zoomed);
    this.hands.scaled?.(this.unitsPerPixel);
  }
}
