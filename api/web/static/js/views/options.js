/** What is played: players, cards in play, the recipe and the house rules; each change is scored at once. */

import { badge, CATEGORIES, categoryName } from "../categories.js";
import { cardName, houseRuleName, houseRules, objectives, recipes } from "../catalogue.js";
import { button, h } from "../dom.js";
import { has, t } from "../i18n.js";
import { categoryOfCard } from "./cards.js";

/** @typedef {import("./reading.js").Desk} Desk @typedef {import("../types.js").Options} Options @typedef {import("../types.js").HouseRule} HouseRule */

/** @param {Desk} desk */
export function optionsPanel(desk) {
  const { open } = desk;
  const { options } = open.reading;
  return [
    h("h2", {}, t("options.heading")),
    optionsForm(options, open.report.house_rules, (changes) => void open.play(changes)),
  ];
}

/**
 * Returns the fields for what is played; `change` hears each change.
 * @param {Options} options @param {Record<string, boolean | number>} rules @param {(changes: Options) => void} change @param {{recipe?: boolean, players?: boolean}} [shown]
 */
export function optionsForm(options, rules, change, { recipe = true, players = true } = {}) {
  return h("div", { class: "options" },
    players && h("fieldset", {}, h("legend", {}, t("options.players")), playersChoice(options.players ?? null, (n) => change({ players: n }))),
    h("fieldset", {}, h("legend", {}, t("options.cards")), cardsChoice(options.objectives ?? "all", (ids) => change({ objectives: ids }))),
    recipe && h("fieldset", {}, h("legend", {}, t("options.recipe")), recipeChoice(options.recipe ?? null, (value) => change({ recipe: value }))),
    h("fieldset", {}, h("legend", {}, t("options.rules")), h("p", { class: "hint" }, t("options.rules_why")), rulesChoice(rules, (set) => change({ house_rules: set }))));
}

/** @param {number | null} now @param {(players: number | null) => void} pick */
export function playersChoice(now, pick) {
  return h("div", { class: "segments", role: "group", "aria-label": t("options.players") },
    ...[2, 3, 4, 5, 6].map((n) => h("button", { type: "button", key: `players-${n}`, "aria-pressed": String(n === now), on: { click: () => pick(n === now ? null : n) } }, n)));
}

/** @param {string[] | "all"} now @param {(ids: string[] | "all") => void} pick */
function cardsChoice(now, pick) {
  const chosen = new Set(now === "all" ? objectives().map((card) => card.id) : now);
  const toggle = (/** @type {string} */ id) => {
    if (!chosen.delete(id)) chosen.add(id);
    pick(objectives().map((card) => card.id).filter((each) => chosen.has(each)));
  };
  return h("div", { class: "cards-choice" },
    h("div", { class: "row" },
      button(t("options.all"), () => pick("all"), { class: "button quiet", key: "all" }),
      button(t("options.base"), () => pick(objectives().filter((card) => card.base).map((card) => card.id)), { class: "button quiet", key: "base" }),
      button(t("options.no_cards"), () => pick([]), { class: "button quiet", key: "none" })),
    ...CATEGORIES.map((category) => h("div", { class: "card-group" },
      h("p", { class: "card-group-name" }, badge(category), categoryName(category)),
      ...objectives().filter((card) => categoryOfCard(card.id) === category).map((card) =>
        h("label", { class: "tick" }, h("input", { type: "checkbox", key: `card-${card.id}`, checked: chosen.has(card.id), on: { change: () => toggle(card.id) } }),
          h("span", {}, cardName(card.id), card.neighbor && h("small", {}, ` ${t("cards.neighbor")}`)))))));
}

/** @param {any} now @param {(recipe: string | number | null) => void} pick */
export function recipeChoice(now, pick) {
  const byHand = typeof now === "number" || (typeof now === "string" && /^-?\d+$/.test(now));
  const select = h("select", { "aria-label": t("options.recipe"), key: "recipe" },
    h("option", { value: "", selected: now === null }, t("recipe.none")),
    ...recipes().map((card) => h("option", { value: card.id, selected: now === card.id }, cardName(card.id))),
    h("option", { value: "#", selected: byHand }, t("recipe.by_hand")));
  const points = h("input", { type: "number", inputmode: "numeric", class: byHand ? "" : "away", "aria-label": t("recipe.points"), key: "recipe-points", value: byHand ? now : 0, min: -100, max: 200 });
  const change = () => {
    points.classList.toggle("away", select.value !== "#");
    pick(select.value === "" ? null : select.value === "#" ? Number(points.value) || 0 : select.value);
  };
  select.addEventListener("change", change);
  points.addEventListener("change", change);
  return h("div", { class: "row" }, select, points);
}

/** @param {Record<string, boolean | number>} now @param {(rules: Record<string, boolean | number>) => void} pick */
function rulesChoice(now, pick) {
  const set = (/** @type {string} */ id, /** @type {boolean | number} */ value) => pick({ ...now, [id]: value });
  return h("div", {}, ...houseRules().map((rule) => h("label", { class: "tick" }, ruleField(rule, now[rule.id], set),
    h("span", {}, houseRuleName(rule.id), has(`rule.${rule.id}.why`) && h("small", {}, t(`rule.${rule.id}.why`))))));
}

/** @param {HouseRule} rule @param {boolean | number | undefined} value @param {(id: string, value: boolean | number) => void} set */
function ruleField(rule, value, set) {
  if (rule.id === "no_dip_points") return h("input", { type: "checkbox", key: `rule-${rule.id}`, checked: Boolean(value), on: { change: (/** @type {Event} */ event) => set(rule.id, /** @type {HTMLInputElement} */ (event.target).checked ? -3 : 0) } });
  return h("input", { type: "checkbox", key: `rule-${rule.id}`, checked: value === true, on: { change: (/** @type {Event} */ event) => set(rule.id, /** @type {HTMLInputElement} */ (event.target).checked) } });
}

