/** Points, findings and questions in sentences. */

import { cardRule, categoryOf, kindName, kindOf } from "./catalogue.js";
import { has, listed, percent, t } from "./i18n.js";

/** @typedef {import("./types.js").ScoreLine} ScoreLine @typedef {import("./types.js").ScoreSet} ScoreSet @typedef {import("./types.js").Board} Board
 *  @typedef {import("./types.js").Check} Check @typedef {import("./types.js").Question} Question @typedef {import("./types.js").Correction} Correction @typedef {import("./types.js").OtherReading} OtherReading */

/** How the sets of a card are told. @type {Record<string, string>} */
const TOLD = {
  bread_pairs: "pair", fruit_matching_pairs: "pair", fruit_veggie_pairs: "pair", veggie_cheese_pairs: "touching_pair", meat_cheese_pairs: "touching_pair",
  cheese_unique: "different_in_group", fruit_unique: "different_in_group", dip_unique: "different", cheese_matching: "same_in_group", bread_same_shape: "same_shape",
  meat_sandwich: "companions", dip_companions: "companions", veggie_dip: "companions", bread_cheese_fruit_trio: "only_group", meat_cheese_bread_trio: "only_group",
  dip_bread_spread: "only_group", cheese_neighbors: "neighbor", veggie_neighbors: "neighbor",
};

/** @param {number} n */
export const pointsText = (n) => t("points", { n });
/** @param {number} n */
export const signed = (n) => (n > 0 ? `+${n}` : n < 0 ? `−${-n}` : "±0");

/** Returns the kinds of tiles as "2 × Gouda and Swiss". @param {Board} board @param {string[]} tiles */
export function tilesText(board, tiles) {
  /** @type {Map<string, number>} */
  const counted = new Map();
  for (const id of tiles) {
    const kind = board.tiles.find((tile) => tile.id === id)?.kind;
    const name = kind ? kindName(kind) : id;
    counted.set(name, (counted.get(name) ?? 0) + 1);
  }
  return listed([...counted].map(([name, n]) => (n > 1 ? `${n} × ${name}` : name)));
}

/** Says why a set of tiles scores. @param {ScoreLine} line @param {ScoreSet} set @param {Board} board */
export function setSentence(line, set, board) {
  const kinds = set.tiles.map((id) => board.tiles.find((tile) => tile.id === id)?.kind ?? "");
  const [first, ...others] = set.tiles;
  return t(`set.${TOLD[line.id] ?? "plain"}`, {
    tiles: tilesText(board, set.tiles),
    first: tilesText(board, first ? [first] : []),
    others: tilesText(board, others),
    n: TOLD[line.id]?.startsWith("different") ? new Set(kinds).size : kinds.length,
    all: kinds.length,
    shape: t(`shape.${kindOf(kinds[0])?.shape ?? "round"}`),
  });
}

/** Says how a card came to its points. @param {ScoreLine} line */
export function lineSummary(line) {
  if (line.points === null) return t("line.needs_table");
  if (line.sets.length === 0) return line.note || t("line.nothing");
  const worth = new Set(line.sets.map((set) => set.points));
  const sum = worth.size === 1 && line.sets.length > 1 ? `${line.sets.length} × ${line.sets[0].points}` : line.sets.map((set) => String(set.points)).join(" + ").replaceAll("+ -", "− ");
  return line.sets.length > 1 ? `${sum} = ${line.points}` : "";
}

/** @param {string} id */
export const ruleText = (id) => cardRule(id);

/** Says what the other reading of a house rule is: [as it is played, the other way]. @param {OtherReading} reading */
export function readingNames(reading) {
  const key = `rule.${reading.house_rule}`;
  const off = has(`${key}.off`) ? t(`${key}.off`) : t("rule.as_printed");
  const on = has(`${key}.on`) ? t(`${key}.on`) : t(key);
  const otherIsOn = typeof reading.value === "number" ? reading.value !== 0 : reading.value;
  return otherIsOn ? [off, on] : [on, off];
}

/** Explains a finding. @param {Check} check @param {Board | null} board */
export function checkSentence(check, board) {
  const tiles = board ? tilesText(board, check.tiles) : "";
  const values = {
    tiles,
    value: check.id === "covered" ? percent(check.value) : check.id === "not_on_board" ? percent(check.value) : String(Math.round(check.value * 10) / 10),
    hidden: percent(1 - check.value),
    limit: check.limit,
    note: check.note ?? "",
    kind: check.kind ? kindName(check.kind) : tiles,
    n: check.value,
  };
  const key = `check.${check.id}`;
  return has(key) ? t(key, values) : `${tiles ? `${tiles}: ` : ""}${check.note || `${check.value} / ${check.limit}`}`;
}

/** @param {Question} question @param {Board} board */
export function questionSentence(question, board) {
  const [a, b] = question.tiles.map((id) => tilesText(board, [id]));
  const key = `question.${question.about}`;
  return has(key) ? t(key, { a: a ?? "", b: b ?? "", why: question.why, n: board.tiles.length }) : question.why;
}

/** The reading's own reason, where it says more than the question. @param {Question} question */
export function whySentence(question) {
  const gap = /gap ([\d.]+) mm/.exec(question.why);
  if (question.about === "contact" && gap) return t("question.gap", { mm: gap[1] });
  const sure = /^(\d+)%/.exec(question.why);
  if (question.about === "tile" && sure) return t("question.sure", { share: `${sure[1]} %` });
  return "";
}

/** The likelihood of a kind in a question, such as "22%". @param {Question} question @param {string} kind */
export function likelihood(question, kind) {
  const found = new RegExp(`(?:^|\\s)${kind} \\((\\d+)%\\)`).exec(question.why);
  return found ? `${found[1]} %` : "";
}

/** Says what a way to correct would do, as a button's text. @param {Correction[]} way */
export function wayText(way) {
  const [first] = way;
  if (!first) return t("way.right");
  if (first.do === "set_kind") return kindName(first.kind);
  if (first.do === "set_contact") return t(first.touching === false ? "way.apart" : "way.touching");
  if (first.do === "remove_tile") return t("way.no_tile");
  return t(`way.${first.do}`);
}

/** @param {string} kind */
export const kindWithCategory = (kind) => `${kindName(kind)} (${t(`category.${categoryOf(kind)}`)})`;
