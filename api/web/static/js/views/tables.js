/** The tables of this device, and a new table: names in seating order, cards, variant. */

import { forgetTable, knownTables, rememberTable } from "../device_store.js";
import { button, h, iconButton, redraw } from "../dom.js";
import { dated, listed, t } from "../i18n.js";
import { icon } from "../icons.js";
import { tellProblem } from "../notices.js";
import { go, show } from "../router.js";
import { postTable } from "../service.js";
import { artChoice, artInUse } from "./art_choice.js";
import { optionsForm } from "./options.js";

/** @typedef {{players: string[], variant: string | null, objectives: string[] | "all", house_rules: Record<string, boolean | number>}} NewTable */

export const DRAFT = "boardsnap.table-draft";
const VARIANTS = { 2: "less_random", 3: "less_random", 5: "crunchy", 6: "crunchy" };

/** @returns {NewTable} */
function draft() {
  const kept = JSON.parse(sessionStorage.getItem(DRAFT) ?? "null");
  return { players: ["", "", ""], variant: null, objectives: "all", house_rules: {}, ...kept };
}

/** @param {HTMLElement} place */
export function tablesView(place) {
  const table = draft();
  const form = h("form", { class: "new-table" });
  const draw = () => { sessionStorage.setItem(DRAFT, JSON.stringify(table)); redraw(form, ...formParts(table, draw)); };
  form.addEventListener("submit", (event) => { event.preventDefault(); void create(form, table); });
  draw();
  document.title = `${t("tables.heading")} · boardsnap`;
  place.append(
    h("header", { class: "bar" }, iconButton(t("back"), icon("back"), () => go("")), h("h1", {}, t("tables.heading"))),
    h("main", { class: "page" }, knownOnes(), h("h2", {}, t("tables.new")), h("p", { class: "hint" }, icon("people"), t("tables.why")), form));
}

function knownOnes() {
  const tables = knownTables();
  if (tables.length === 0) return null;
  return h("section", {}, h("h2", {}, t("home.tables")), h("ul", { class: "rows" }, ...tables.map((known) => h("li", {},
    h("a", { href: `#/table/${known.id}` }, icon("people"), h("span", { class: "grow" }, listed(known.players), h("small", {}, dated(known.created))), icon("next")),
    iconButton(t("home.forget"), icon("close"), () => { forgetTable(known.id); void show(); }, { class: "icon-button small" })))));
}

/** @param {NewTable} table @param {() => void} draw */
function formParts(table, draw) {
  const variant = VARIANTS[/** @type {2} */ (table.players.length)];
  return [
    h("fieldset", {}, h("legend", {}, t("tables.seats")), h("p", { class: "hint" }, t("tables.seats_why")),
      h("ol", { class: "names" }, ...table.players.map((name, index) => nameField(table, index, name, draw))),
      table.players.length < 6 && button(t("tables.add_player"), () => { table.players.push(""); table.variant = null; draw(); }, { class: "button quiet", icon: icon("plus"), key: "add-player" })),
    variant && h("label", { class: "tick" }, h("input", { type: "checkbox", key: "variant", checked: table.variant === variant, on: { change: () => { table.variant = table.variant ? null : variant; draw(); } } }),
      h("span", {}, t(`variant.${variant}`), h("small", {}, t(`variant.${variant}.why`)))),
    h("details", { class: "fold", open: sessionStorage.getItem(`${DRAFT}.open`) === "yes", on: { toggle: (/** @type {Event} */ event) => sessionStorage.setItem(`${DRAFT}.open`, /** @type {HTMLDetailsElement} */ (event.target).open ? "yes" : "") } },
      h("summary", {}, t("tables.cards", { n: table.objectives === "all" ? 18 : table.objectives.length })),
      optionsForm({ objectives: table.objectives }, table.house_rules, (changes) => {
        if (changes.objectives) table.objectives = changes.objectives;
        if (changes.house_rules) table.house_rules = changes.house_rules;
        draw();
      }, { recipe: false, players: false })),
    artChoice(),
    h("button", { type: "submit", class: "button primary wide", key: "create" }, icon("people"), h("span", {}, t("tables.create"))),
  ];
}

/** @param {NewTable} table @param {number} index @param {string} name @param {() => void} draw */
function nameField(table, index, name, draw) {
  return h("li", {},
    h("input", { type: "text", maxlength: 40, autocomplete: "off", placeholder: t("tables.player", { n: index + 1 }), "aria-label": t("tables.player", { n: index + 1 }), key: `name-${index}`, value: name,
      on: { input: (/** @type {Event} */ event) => { table.players[index] = /** @type {HTMLInputElement} */ (event.target).value; sessionStorage.setItem(DRAFT, JSON.stringify(table)); } } }),
    table.players.length > 2 && iconButton(t("tables.remove_player", { n: index + 1 }), icon("close"), () => { table.players.splice(index, 1); table.variant = null; draw(); }, { class: "icon-button small" }));
}

/** @param {HTMLFormElement} form @param {NewTable} table */
async function create(form, table) {
  const players = table.players.map((name, index) => name.trim() || t("tables.player", { n: index + 1 }));
  const submit = /** @type {HTMLButtonElement} */ (form.querySelector("[type=submit]"));
  submit.disabled = true;
  try {
    const made = await postTable({ players, variant: table.variant, objectives: table.objectives, house_rules: table.house_rules, art: artInUse() });
    rememberTable({ id: made.id, token: made.host_token, seat: null, players, created: new Date().toISOString(), seats: made.seats, join_url: made.join_url });
    sessionStorage.removeItem(DRAFT);
    go(`table/${made.id}`);
  } catch (error) {
    tellProblem(error);
  } finally {
    submit.disabled = false;
  }
}
