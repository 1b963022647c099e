/** Kinds, cards and house rules, loaded once, with their names in the player's language. */

import { getArts, getCards, getKinds } from "./service.js";
import { has, t } from "./i18n.js";

/** @typedef {import("./types.js").Kind} Kind @typedef {import("./types.js").Card} Card @typedef {import("./types.js").HouseRule} HouseRule */

const KEPT = "boardsnap.catalogue";
/** @type {{kinds: Kind[], objectives: Card[], recipes: Card[], rules: HouseRule[], arts: {name: string, kinds: number}[]}} */
let catalogue = { kinds: [], objectives: [], recipes: [], rules: [], arts: [] };
/** @type {Map<string, Kind>} */
let byId = new Map();

/** Loads the catalogue; without the service, the copy kept on this device. */
export async function loadCatalogue() {
  try {
    const [kinds, cards, arts] = await Promise.all([getKinds(), getCards(), getArts().catch(() => [])]);
    const listed = Array.isArray(cards) ? cards : [...(cards.objectives ?? []), ...(cards.recipes ?? []), ...(cards.cards ?? [])];
    catalogue = {
      kinds,
      arts,
      objectives: listed.filter((/** @type {Card} */ card) => card.type === "objective"),
      recipes: listed.filter((/** @type {Card} */ card) => card.type === "recipe"),
      rules: Array.isArray(cards) ? [] : (cards.house_rules ?? []),
    };
    localStorage.setItem(KEPT, JSON.stringify(catalogue));
  } catch {
    catalogue = { ...catalogue, ...JSON.parse(localStorage.getItem(KEPT) ?? "{}") };
  }
  byId = new Map(catalogue.kinds.map((kind) => [kind.id, kind]));
}

export const kinds = () => catalogue.kinds;
export const objectives = () => catalogue.objectives;
export const recipes = () => catalogue.recipes;
export const houseRules = () => catalogue.rules;
export const arts = () => catalogue.arts;

/** @param {string} id */
export const kindOf = (id) => byId.get(id);
/** @param {string} id */
export const categoryOf = (id) => byId.get(id)?.category ?? "bread";

/** @param {string} id */
export const kindName = (id) => named(`kind.${id}`, byId.get(id)?.name ?? id);
/** @param {string} id */
export const cardName = (id) => named(`card.${id}`, [...catalogue.objectives, ...catalogue.recipes].find((card) => card.id === id)?.name ?? words(id));
/** @param {string} id */
export const cardRule = (id) => named(`card.${id}.rule`, [...catalogue.objectives, ...catalogue.recipes].find((card) => card.id === id)?.text ?? "");
/** @param {string} id */
export const houseRuleName = (id) => named(`rule.${id}`, catalogue.rules.find((rule) => rule.id === id)?.name ?? words(id));

/** @param {string} key @param {string} otherwise */
const named = (key, otherwise) => (has(key) ? t(key) : otherwise);
/** @param {string} id */
const words = (id) => id.replaceAll("_", " ");
