/** Teaches the service the art of a copy of the game: photos of the tiles, a name for each crop, an art pack. */

import { categoryOf, kindName, loadCatalogue } from "../catalogue.js";
import { badge } from "../categories.js";
import { rememberArt } from "../device_store.js";
import { button, h, iconButton, redraw } from "../dom.js";
import { t } from "../i18n.js";
import { icon } from "../icons.js";
import { notice, problemText, tellProblem } from "../notices.js";
import { go } from "../router.js";
import { fetchFile, nameCrops, offers, postEnrolment } from "../service.js";
import { pickKind } from "./kind_picker.js";
import { fileButton } from "./upload.js";

/** @typedef {{n: number, row: number, shape: string, image_url: string, suggestions: string[]}} Crop */
/** @typedef {{id: string, token: string, crops: Crop[]}} Enrolment */

/** @param {HTMLElement} place */
export async function enrolView(place) {
  const main = h("main", { class: "page enrol" });
  document.title = `${t("home.enrol")} · boardsnap`;
  place.append(h("header", { class: "bar" }, iconButton(t("back"), icon("back"), () => go("")), h("h1", {}, t("home.enrol"))), main);
  if (!(await offers("/v1/enrolments"))) main.append(h("p", { class: "hint" }, t("enrol.missing")));
  else main.append(...askPhotos(main));
}

/** @param {HTMLElement} main */
function askPhotos(main) {
  return [
    h("p", { class: "step" }, t("enrol.step", { n: 1 })), h("h2", {}, t("enrol.photo")), h("p", {}, t("enrol.how")),
    h("ul", { class: "tips" }, h("li", {}, t("enrol.tip_apart")), h("li", {}, t("enrol.tip_rows")), h("li", {}, t("upload.tip_light"))),
    h("div", { class: "photo-buttons" },
      fileButton(t("home.take"), icon("camera"), "button primary huge", true, (files) => void send(main, files), false),
      fileButton(t("enrol.choose"), icon("picture"), "button", false, (files) => void send(main, files), true)),
  ];
}

/** @param {HTMLElement} main @param {File[]} photos */
async function send(main, photos) {
  if (photos.length === 0) return;
  main.replaceChildren(h("p", { role: "status", class: "stage" }, t("enrol.reading")), h("progress", { "aria-label": t("enrol.reading") }));
  try {
    const enrolment = /** @type {Enrolment} */ (await postEnrolment(photos));
    main.replaceChildren(...(await nameParts(main, enrolment)));
  } catch (error) {
    main.replaceChildren(h("p", { role: "alert", class: "hint" }, icon("warning"), problemText(error)), ...askPhotos(main));
  }
}

/** @param {HTMLElement} main @param {Enrolment} enrolment */
async function nameParts(main, enrolment) {
  /** @type {(string | null)[]} */
  const kinds = enrolment.crops.map((crop) => crop.suggestions[0] ?? null);
  const says = h("p", { role: "status", class: "hint" });
  const tell = () => { says.textContent = t("enrol.named", { n: new Set(kinds.filter(Boolean)).size }); };
  tell();
  const crops = await Promise.all(enrolment.crops.map((crop, index) => cropItem(enrolment, crop, kinds, index, tell)));
  const name = h("input", { type: "text", required: true, maxlength: 40, value: t("enrol.my_copy"), "aria-label": t("enrol.art_name") });
  const form = h("form", { class: "row" }, name, h("button", { type: "submit", class: "button primary" }, icon("check"), h("span", {}, t("enrol.learn"))));
  form.addEventListener("submit", (event) => { event.preventDefault(); void learn(main, enrolment, name.value.trim(), kinds); });
  return [h("p", { class: "step" }, t("enrol.step", { n: 2 })), h("h2", {}, t("enrol.names")), h("p", {}, t("enrol.names_how")), h("ul", { class: "crops" }, ...crops), says,
    h("label", { class: "label" }, t("enrol.art_name")), form];
}

/** @param {Enrolment} enrolment @param {Crop} crop @param {(string | null)[]} kinds @param {number} index @param {() => void} tell */
async function cropItem(enrolment, crop, kinds, index, tell) {
  const picture = await fetchFile(crop.image_url, enrolment.token).then(URL.createObjectURL, () => null);
  const text = h("span", { class: "crop-name" });
  const draw = () => {
    text.replaceChildren(...nameOf(kinds[index]));
    text.setAttribute("data-kind", kinds[index] ?? "");
  };
  const press = async () => {
    const kind = await pickKind({ likely: crop.suggestions, now: kinds[index] });
    if (!kind) return;
    kinds[index] = kind;
    draw();
    tell();
  };
  draw();
  return h("li", { class: "crop" },
    h("button", { type: "button", class: "crop-button", on: { click: () => void press() } }, picture ? h("img", { src: picture, alt: t("enrol.crop", { n: crop.n }) }) : icon("picture"), text),
    iconButton(t("enrol.leave_out", { n: crop.n }), icon("close"), () => { kinds[index] = null; draw(); tell(); }, { class: "icon-button small" }));
}

/** @param {string | null} kind */
const nameOf = (kind) => (kind ? [badge(categoryOf(kind)), kindName(kind)] : [t("enrol.left_out")]);

/** @param {HTMLElement} main @param {Enrolment} enrolment @param {string} name @param {(string | null)[]} kinds */
async function learn(main, enrolment, name, kinds) {
  try {
    const made = await nameCrops(enrolment.id, enrolment.token, name, kinds);
    rememberArt(made.art);
    await loadCatalogue();
    notice(t("enrol.done", { name: made.art }));
    redraw(main,
      h("p", { class: "step" }, t("enrol.step", { n: 3 })), h("h2", {}, t("enrol.done", { name: made.art })),
      h("p", { class: "all-well" }, icon("check"), t("enrol.learned", { n: made.learned.length })),
      made.missing?.length ? h("p", { class: "hint" }, t("enrol.missing_kinds", { kinds: made.missing.map(kindName).join(", ") })) : null,
      made.ask_again?.length ? h("p", { class: "hint" }, t("enrol.ask_again", { kinds: made.ask_again.map(kindName).join(", ") })) : null,
      made.confusions?.length ? h("p", { class: "hint" }, t("enrol.confusions", { n: made.confusions.length })) : null,
      button(t("home.take"), () => go(""), { class: "button primary", icon: icon("camera") }));
  } catch (error) {
    tellProblem(error);
  }
}
