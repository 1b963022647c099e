/** The reading that is open: its state, what is chosen and lit, and every change sent to the service. */

import { keepOffline, keptOffline, knownReading, rememberReading } from "./device_store.js";
import { fetchFile, getReading, postCorrections, postStep, putOptions, ServiceProblem } from "./service.js";

/** @typedef {import("./types.js").Reading} Reading @typedef {import("./types.js").Report} Report @typedef {import("./types.js").Correction} Correction
 *  @typedef {import("./types.js").Question} Question @typedef {import("./types.js").Board} Board @typedef {import("./types.js").Point} Point */

const POLL_MS = 1200;
const SETTLE_MS = 500; // after the last of several quick changes, the points at stake are weighed anew

/** @param {Question} question */
export const keyOf = (question) => `${question.about}:${[...question.tiles].sort().join("+")}`;

export class OpenReading extends EventTarget {
  /** @param {Reading} reading @param {string | null} token @param {Blob | null} photo */
  constructor(reading, token, photo) {
    super();
    this.reading = reading;
    this.token = token;
    this.photo = photo;
    this.photoUrl = photo && URL.createObjectURL(photo);
    this.offline = false;
    this.busy = false;
    /** @type {{points: number, at: number} | null} what the last change brought, and when (ms) */
    this.gained = null;
    /** @type {string | null} */
    this.chosen = null;
    /** @type {{key: string, tiles: Set<string>} | null} */
    this.lit = null;
    /** @type {{at: number, key: string}[]} answers that needed no change, with the length of the history then */
    this.settled = JSON.parse(sessionStorage.getItem(this.#settledKey) ?? "[]");
  }

  /** Opens a reading by its id: from the service, else the copy kept on this device. @param {string} id */
  static async open(id) {
    const token = knownReading(id)?.token ?? null;
    try {
      if (!token) throw new ServiceProblem({ title: "no token", status: 404 });
      const reading = await getReading(id, token);
      return await OpenReading.withPhoto(reading, token);
    } catch (error) {
      const kept = await keptOffline(id);
      if (!kept || !(error instanceof ServiceProblem) || !error.offline) throw error;
      const open = new OpenReading(kept.reading, token, kept.photo);
      open.offline = true;
      return open;
    }
  }

  /** @param {Reading} reading @param {string} token */
  static async withPhoto(reading, token) {
    const kept = await keptOffline(reading.id);
    const photo = kept?.photo ?? (reading.photo ? await fetchFile(reading.photo.url, token).catch(() => null) : null);
    const open = new OpenReading(reading, token, photo);
    open.#keep();
    return open;
  }

  get #settledKey() {
    return `boardsnap.settled.${this.reading.id}`;
  }

  get report() {
    return /** @type {Report} */ (this.reading.report);
  }

  get board() {
    return /** @type {Board} */ (this.reading.board);
  }

  /** Questions worth an answer: with points at stake, or with nothing to choose, such as a board cut off by the frame. */
  get questionsThatCount() {
    return this.questions.filter((question) => question.points_at_stake > 0 || question.alternatives.length === 0);
  }

  /** @param {string | null} id */
  tile(id) {
    return this.board.tiles.find((tile) => tile.id === id);
  }

  /** Questions without an answer, most points at stake first. */
  get questions() {
    const settled = new Set(this.settled.map((answer) => answer.key));
    return this.report.questions.filter((question) => !settled.has(keyOf(question)));
  }

  /** @param {string | null} tile */
  choose(tile) {
    this.chosen = tile;
    this.lit = null;
    this.changed();
  }

  /** Lights up tiles; the same key again puts them out. @param {string} key @param {string[]} tiles */
  light(key, tiles) {
    this.lit = this.lit?.key === key ? null : { key, tiles: new Set(tiles) };
    this.chosen = null;
    this.changed();
  }

  /** Tells every view to redraw. */
  changed() {
    this.dispatchEvent(new Event("change"));
  }

  /** @param {Correction[]} corrections */
  correct(corrections) {
    return this.#send((id, token) => postCorrections(id, token, corrections));
  }

  /** Notes that a question is answered; the correction is sent too, so that the history holds it. @param {Question} question @param {Correction[]} corrections */
  async answer(question, corrections) {
    const done = corrections.length === 0 || (await this.correct(corrections));
    if (!done) return false;
    this.#settle([...this.settled, { at: this.reading.history.undo, key: keyOf(question) }]);
    this.changed();
    return true;
  }

  /** @param {"undo" | "redo"} step */
  async step(step) {
    const done = await this.#send((id, token) => postStep(id, token, step));
    if (done && step === "undo") this.#settle(this.settled.filter((answer) => answer.at <= this.reading.history.undo));
    this.changed();
    return done;
  }

  /** @param {any} options */
  play(options) {
    return this.#send((id, token) => putOptions(id, token, options));
  }

  /** Asks all questions again. */
  askAgain() {
    this.#settle([]);
    this.changed();
  }

  /** @param {{at: number, key: string}[]} settled */
  #settle(settled) {
    this.settled = settled;
    sessionStorage.setItem(this.#settledKey, JSON.stringify(settled));
  }

  /** @param {(id: string, token: string) => Promise<Reading>} act */
  async #send(act) {
    if (this.busy) return false;
    this.busy = true;
    const before = this.report?.total;
    try {
      if (!this.token) throw new ServiceProblem({ title: "no token", status: 403 });
      const answer = await act(this.reading.id, this.token);
      this.reading = { ...this.reading, ...answer };
      this.offline = false;
      this.gained = before === undefined ? null : { points: this.report.total - before, at: Date.now() };
      if (this.chosen && !this.tile(this.chosen)) this.chosen = null;
      this.lit = null;
      this.#keep();
      if (answer.weighed === false) this.#weighSoon();
      return true;
    } catch (error) {
      if (!(error instanceof ServiceProblem)) throw error;
      this.offline = error.offline;
      this.dispatchEvent(new CustomEvent("problem", { detail: error }));
      return false;
    } finally {
      this.busy = false;
      this.changed();
    }
  }

  /** Fetches the questions with the points at stake on the board as it stands now; a change answers without, as that takes longer. */
  #weighSoon() {
    clearTimeout(this.weighing);
    this.weighing = setTimeout(async () => {
      const { history, total } = { history: JSON.stringify(this.reading.history), total: this.report.total };
      const weighed = this.token && (await getReading(this.reading.id, this.token).catch(() => null));
      if (!weighed || this.busy || JSON.stringify(weighed.history) !== history || weighed.report?.total !== total) return;
      this.reading = { ...this.reading, ...weighed };
      this.#keep();
      this.changed();
    }, SETTLE_MS);
  }

  #keep() {
    const { reading, token } = this;
    if (!token) return;
    const known = knownReading(reading.id);
    rememberReading({ id: reading.id, token, created: reading.created, total: reading.report?.total ?? null, table: known?.table ?? null });
    void keepOffline(reading, this.photo);
  }

  close() {
    clearTimeout(this.weighing);
    if (this.photoUrl) URL.revokeObjectURL(this.photoUrl);
  }
}

/** Waits until a reading is no longer waiting. @param {Reading} reading @param {string} token @returns {Promise<Reading>} */
export async function whenRead(reading, token) {
  let now = reading;
  while (now.status === "waiting") {
    await new Promise((done) => setTimeout(done, POLL_MS));
    now = await getReading(reading.id, token);
  }
  return now;
}
