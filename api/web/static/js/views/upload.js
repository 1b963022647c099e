/** From a photo to its reading: camera or file, upload with progress, the wait, and what to do where it failed. */

import { randomKey, rememberReading } from "../device_store.js";
import { button, h } from "../dom.js";
import { t } from "../i18n.js";
import { icon } from "../icons.js";
import { problemText } from "../notices.js";
import { whenRead } from "../open_reading.js";
import { go, show } from "../router.js";
import { postReading, ServiceProblem } from "../service.js";

/** @typedef {import("../types.js").Reading} Reading @typedef {import("../types.js").Options} Options */

const STAGES = ["find", "look", "name", "lay", "score"];
const STAGE_MS = 1100;

/** Returns the buttons to take or choose a photo. @param {(photo: File) => void} taken */
export function photoButtons(taken) {
  return h("div", { class: "photo-buttons" },
    fileButton(t("home.take"), icon("camera"), "button primary huge", true, (files) => files[0] && taken(files[0])),
    fileButton(t("home.choose"), icon("picture"), "button", false, (files) => files[0] && taken(files[0])));
}

/** A file field that looks like a button; `camera` opens the phone's camera first. @param {string} text @param {Node} drawn @param {string} kind @param {boolean} camera @param {(files: File[]) => void} taken @param {boolean} [several] */
export function fileButton(text, drawn, kind, camera, taken, several = false) {
  const field = h("input", { type: "file", accept: "image/*,.heic,.heif", capture: camera ? "environment" : null, multiple: several, class: "heard" });
  field.addEventListener("change", () => {
    const files = Array.from(field.files ?? []);
    field.value = "";
    taken(files);
  });
  return h("label", { class: kind }, field, drawn, h("span", {}, text));
}

/**
 * Uploads a photo and opens its reading.
 * @param {HTMLElement} place @param {File} photo @param {Options} options @param {(reading: Reading, token: string) => Promise<void>} [ready]
 */
export async function uploadPhoto(place, photo, options, ready) {
  const screen = new Progress(photo);
  place.replaceChildren(screen.root);
  try {
    const reading = await postReading(photo, fields(options), randomKey(), (share) => screen.sent(share), (seconds) => screen.queued(seconds));
    const token = reading.token ?? "";
    rememberReading({ id: reading.id, token, created: reading.created, total: reading.report?.total ?? null });
    const done = await whenRead(reading, token);
    if (done.status === "failed") throw new ServiceProblem({ status: 422, ...(done.problem ?? { title: t("reading.failed") }) });
    await ready?.(done, token);
    if (!ready) go(`reading/${reading.id}`);
  } catch (error) {
    place.replaceChildren(failure(error, () => void uploadPhoto(place, photo, options, ready), (next) => void uploadPhoto(place, next, options, ready)));
  } finally {
    screen.stop();
  }
}

/** @param {Options} options */
function fields(options) {
  const { objectives = "all", house_rules: rules, ...rest } = options;
  const listed = Array.isArray(objectives) ? objectives.join(",") : (objectives ?? "all");
  return { ...rest, objectives: listed, house_rules: rules && Object.keys(rules).length ? JSON.stringify(rules) : null };
}

/** @param {unknown} error @param {() => void} again @param {(photo: File) => void} another */
function failure(error, again, another) {
  const text = problemText(error);
  return h("main", { class: "empty" }, icon("warning"), h("h1", {}, t("upload.failed")), h("p", { role: "alert" }, text),
    h("ul", { class: "tips" }, h("li", {}, t("upload.tip_above")), h("li", {}, t("upload.tip_light")), h("li", {}, t("upload.tip_whole"))),
    h("div", { class: "menu" },
      fileButton(t("upload.another"), icon("camera"), "button primary", true, (files) => files[0] && another(files[0])),
      button(t("upload.again"), again, { icon: icon("undo") }), button(t("home"), () => void show(), { class: "button quiet" })));
}

/** The photo with a bar while it is sent and read. */
class Progress {
  /** @param {File} photo */
  constructor(photo) {
    this.address = URL.createObjectURL(photo);
    this.bar = h("progress", { max: 100, value: 0, "aria-label": t("upload.progress") });
    this.says = h("p", { role: "status", class: "stage" }, t("upload.sending"));
    const picture = h("img", { src: this.address, alt: "" });
    picture.addEventListener("error", () => picture.remove()); // HEIC, which most browsers cannot show
    this.root = h("main", { class: "uploading" }, h("div", { class: "scan" }, picture), h("h1", {}, t("upload.heading")), this.bar, this.says);
  }

  /** @param {number} share */
  sent(share) {
    this.bar.value = 40 * share;
    if (share >= 1 && !this.stages) this.#stage(0);
  }

  /** @param {number} seconds */
  queued(seconds) {
    clearTimeout(this.stages);
    this.stages = undefined;
    this.says.textContent = t("upload.queued", { n: seconds });
  }

  /** @param {number} index */
  #stage(index) {
    this.says.textContent = t(`upload.${STAGES[index]}`);
    this.bar.value = 40 + 11 * (index + 1);
    if (index + 1 < STAGES.length) this.stages = setTimeout(() => this.#stage(index + 1), STAGE_MS);
  }

  stop() {
    clearTimeout(this.stages);
    URL.revokeObjectURL(this.address);
  }
}
