/** The cards with their points: a tap lights up the tiles, and sentences say why. */

import { badge } from "../categories.js";
import { cardName, objectives, houseRuleName } from "../catalogue.js";
import { h } from "../dom.js";
import { t } from "../i18n.js";
import { icon } from "../icons.js";
import { lineSummary, pointsText, readingNames, ruleText, setSentence } from "../sentences.js";

/** @typedef {import("./reading.js").Desk} Desk @typedef {import("../types.js").ScoreLine} ScoreLine @typedef {import("../types.js").OtherReading} OtherReading @typedef {import("../types.js").ScoreSet} ScoreSet */

/** @param {Desk} desk */
export function cardsPanel(desk) {
  const { report } = desk.open;
  const lines = [...report.objectives, ...(report.recipe ? [report.recipe] : [])];
  if (lines.length === 0) return h("p", { class: "hint" }, icon("bulb"), t("cards.none"));
  const scoring = lines.filter((line) => line.points);
  const others = lines.filter((line) => !line.points);
  return [
    h("h2", {}, t("cards.heading")),
    h("ul", { class: "lines" }, ...scoring.map((line) => lineItem(desk, line))),
    others.length > 0 && h("h3", {}, t("cards.without")),
    others.length > 0 && h("ul", { class: "lines quiet" }, ...others.map((line) => lineItem(desk, line))),
    report.notes.length > 0 && h("ul", { class: "notes" }, ...report.notes.map((note) => h("li", {}, note))),
  ];
}

/** @param {Desk} desk @param {ScoreLine} line */
function lineItem(desk, line) {
  const { open } = desk;
  const openLine = open.lit?.key.split("/")[0] === line.id;
  const category = categoryOfCard(line.id);
  const tiles = line.sets.flatMap((set) => set.tiles);
  return h("li", { class: openLine ? "line open" : "line" },
    h("button", {
      type: "button", class: "line-head", key: `line-${line.id}`, "aria-expanded": String(openLine),
      on: { click: () => { open.light(line.id, tiles); if (open.lit && tiles.length) desk.pane.viewer.whole(); } },
    },
    category ? badge(category, "large") : h("span", { class: "badge large recipe" }, icon("book")),
    h("span", { class: "line-name" }, cardName(line.id), line.readings.length > 0 && h("small", { class: "disputed" }, t("cards.disputed"))),
    h("b", { class: "line-points" }, line.points ?? "–")),
    openLine && explanation(desk, line));
}

/** @param {Desk} desk @param {ScoreLine} line */
function explanation(desk, line) {
  const { open } = desk;
  return h("div", { class: "line-body" },
    ruleText(line.id) && h("p", { class: "rule" }, ruleText(line.id)),
    line.sets.length > 0 && h("ul", { class: "sets" }, ...line.sets.map((set, index) => setItem(desk, line, set, index))),
    h("p", { class: "sum" }, lineSummary(line)),
    ...line.readings.map((reading) => sideBySide(open, line, reading)));
}

/** @param {Desk} desk @param {ScoreLine} line @param {ScoreSet} set @param {number} index */
function setItem(desk, line, set, index) {
  const { open } = desk;
  const key = `${line.id}/${index}`;
  const press = () => {
    open.light(key, set.tiles);
    if (!open.lit) open.light(line.id, line.sets.flatMap((each) => each.tiles));
  };
  return h("li", {}, h("button", { type: "button", class: "set", key, "aria-pressed": String(open.lit?.key === key), on: { click: press } },
    h("span", {}, setSentence(line, set, open.board)), h("b", {}, pointsText(set.points))));
}

/** The two readings of a rule that tables dispute, the one played first. @param {Desk["open"]} open @param {ScoreLine} line @param {OtherReading} reading */
function sideBySide(open, line, reading) {
  const [played, other] = readingNames(reading);
  return h("div", { class: "readings", role: "group", "aria-label": houseRuleName(reading.house_rule) },
    h("p", { class: "readings-title" }, t("cards.two_readings")),
    h("div", { class: "reading-of-rule played" }, h("b", {}, line.points ?? "–"), h("span", {}, played), h("small", {}, t("cards.played"))),
    h("button", {
      type: "button", class: "reading-of-rule", key: `rule-${line.id}-${reading.house_rule}`, disabled: open.busy,
      on: { click: () => void open.play({ house_rules: { ...(open.reading.options.house_rules ?? {}), [reading.house_rule]: reading.value } }) },
    }, h("b", {}, reading.points), h("span", {}, other), h("small", {}, t("cards.play_this"))));
}

/** @param {string} id */
export function categoryOfCard(id) {
  return objectives().find((card) => card.id === id)?.category ?? ["bread", "cheese", "meat", "fruit", "veggie", "dip"].find((category) => id.startsWith(category)) ?? null;
}
