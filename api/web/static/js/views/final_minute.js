/** The final minute: a countdown with a ring, a tone and a buzz at the end; the screen stays on. */

import { button, h, redraw, s } from "../dom.js";
import { t } from "../i18n.js";
import { icon } from "../icons.js";

const LENGTH = 2 * Math.PI * 54;
const TOLD_AT = [30, 10, 5]; // seconds left that a screen reader says

export class FinalMinute {
  seconds = 60;

  constructor() {
    this.root = h("section", { class: "final-minute", "aria-label": t("minute.heading") });
    /** @type {number | null} when it ends, in ms of performance.now() */
    this.ends = null;
    this.left = this.seconds;
    /** @type {{release: () => Promise<void>} | null} */
    this.awake = null;
    this.#draw();
  }

  #draw() {
    this.ring = s("circle", { class: "ring", cx: 60, cy: 60, r: 54, "stroke-dasharray": LENGTH, transform: "rotate(-90 60 60)" });
    this.digits = h("b", { class: "digits", role: "timer" }, "");
    this.heard = h("p", { class: "heard", role: "status" });
    redraw(this.root,
      h("h2", {}, t("minute.heading")), h("p", { class: "hint" }, t("minute.why")),
      h("div", { class: "dial" }, s("svg", { viewBox: "0 0 120 120", "aria-hidden": "true" }, s("circle", { class: "ring-ground", cx: 60, cy: 60, r: 54 }), this.ring), this.digits),
      this.heard,
      h("div", { class: "row" },
        this.ends === null
          ? button(t("minute.start"), () => this.start(), { class: "button primary", icon: icon("timer"), key: "start" })
          : button(t("minute.stop"), () => this.stop(), { icon: icon("close"), key: "stop" })));
    this.#show();
  }

  start() {
    this.ends = performance.now() + 1000 * this.seconds;
    this.sound = new AudioContext(); // made at a tap: browsers allow no sound before
    void this.#stayAwake();
    this.#draw();
    this.ticking = setInterval(() => this.#tick(), 200);
  }

  async #stayAwake() {
    this.awake = (await navigator.wakeLock?.request("screen").catch(() => null)) ?? null;
  }

  #tick() {
    const before = this.left;
    this.left = Math.max(0, Math.ceil(((this.ends ?? 0) - performance.now()) / 1000));
    if (this.left === before) return;
    this.#show();
    if (this.heard && TOLD_AT.includes(this.left)) this.heard.textContent = t("minute.left", { n: this.left });
    if (this.left <= 5 && this.left > 0) this.#tone(440, 0.08);
    if (this.left === 0) this.#over();
  }

  #over() {
    this.#tone(880, 0.9);
    navigator.vibrate?.([300, 120, 300, 120, 600]);
    this.#end();
    this.left = 0;
    this.#show();
    this.root.classList.add("over");
    if (this.heard) this.heard.textContent = t("minute.over");
  }

  /** @param {number} pitch @param {number} seconds */
  #tone(pitch, seconds) {
    if (!this.sound) return;
    const tone = this.sound.createOscillator();
    const volume = this.sound.createGain();
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.25, this.sound.currentTime);
    volume.gain.exponentialRampToValueAtTime(0.001, this.sound.currentTime + seconds);
    tone.connect(volume).connect(this.sound.destination);
    tone.start();
    tone.stop(this.sound.currentTime + seconds);
  }

  stop() {
    this.#end();
  }

  #end() {
    clearInterval(this.ticking);
    this.ends = null;
    void this.awake?.release();
    this.awake = null;
    this.left = this.seconds;
    this.root.classList.remove("over");
    this.#draw();
  }

  #show() {
    const running = this.ends !== null || this.left === 0;
    const left = running ? this.left : this.seconds;
    if (this.digits) this.digits.textContent = this.left === 0 ? t("minute.over") : `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
    this.ring?.setAttribute("stroke-dashoffset", String(LENGTH * (1 - left / this.seconds)));
    this.root.classList.toggle("hurry", running && left <= 10);
  }
}
