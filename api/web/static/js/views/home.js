/** The start: take a photo, then the last readings, tables, and the helpers. */

import { forgetReading, knownReadings, knownTables } from "../device_store.js";
import { button, h } from "../dom.js";
import { changeLanguage, currentLanguage, dated, LANGUAGES, listed, t } from "../i18n.js";
import { icon } from "../icons.js";
import { go, show } from "../router.js";
import { offers } from "../service.js";
import { pointsText } from "../sentences.js";
import { artChoice, artInUse } from "./art_choice.js";
import { photoButtons, uploadPhoto } from "./upload.js";

/** @param {HTMLElement} place */
export function homeView(place) {
  document.title = "boardsnap";
  place.append(
    h("header", { class: "bar home-bar" }, h("img", { src: "/static/icon.svg", alt: "", width: 36, height: 36 }), h("p", { class: "wordmark" }, "boardsnap"), languageChoice()),
    h("main", { class: "home" },
      h("section", { class: "hero" },
        h("h1", {}, t("home.heading")),
        h("p", {}, t("home.lead")),
        photoButtons((photo) => void uploadPhoto(place, photo, { art: artInUse() })),
        artChoice(),
        h("p", { class: "tip" }, icon("bulb"), t("home.tip"))),
      h("nav", { class: "doors", "aria-label": t("home.more") },
        door("people", t("home.table"), t("home.table_why"), "tables"),
        door("timer", t("home.setup"), t("home.setup_why"), "setup")),
      lastTables(),
      lastReadings()));
  void offers("/v1/enrolments").then((offered) => offered && place.querySelector(".doors")?.append(door("book", t("home.enrol"), t("home.enrol_why"), "enrol")));
}

/** @param {import("../icons.js").IconName} drawn @param {string} name @param {string} why @param {string} address */
function door(drawn, name, why, address) {
  return h("a", { class: "door", href: `#/${address}` }, icon(drawn), h("span", {}, h("b", {}, name), h("small", {}, why)), icon("next"));
}

function languageChoice() {
  const select = h("select", { "aria-label": t("home.language"), class: "language" },
    ...Object.entries(LANGUAGES).map(([id, name]) => h("option", { value: id, selected: id === currentLanguage() }, name)));
  select.addEventListener("change", () => void changeLanguage(select.value).then(show));
  return select;
}

function lastReadings() {
  const readings = knownReadings().slice(0, 8);
  if (readings.length === 0) return null;
  return h("section", { class: "last" }, h("h2", {}, t("home.last")),
    h("ul", { class: "rows" }, ...readings.map((known) => h("li", {},
      h("a", { href: `#/reading/${known.id}` }, icon("picture"), h("span", { class: "grow" }, dated(known.created)), h("b", {}, known.total === null ? "–" : pointsText(known.total))),
      h("button", { type: "button", class: "icon-button small", "aria-label": t("home.forget"), title: t("home.forget"), on: { click: () => void forgetReading(known.id).then(show) } }, icon("close"))))));
}

function lastTables() {
  const tables = knownTables().slice(0, 4);
  if (tables.length === 0) return null;
  return h("section", { class: "last" }, h("h2", {}, t("home.tables")),
    h("ul", { class: "rows" }, ...tables.map((known) => h("li", {},
      h("a", { href: `#/table/${known.id}` }, icon("people"), h("span", { class: "grow" }, listed(known.players)), icon("next"))))));
}

/** Shown for an address that names nothing. @param {HTMLElement} place */
export function lostView(place) {
  place.append(h("main", { class: "empty" }, h("h1", {}, t("lost.heading")), button(t("home"), () => go(""), { class: "button primary" })));
}
