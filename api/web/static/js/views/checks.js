/** What lies against the rules, each in a sentence; a tap shows the tile. */

import { h } from "../dom.js";
import { t } from "../i18n.js";
import { icon } from "../icons.js";
import { checkSentence } from "../sentences.js";

/** @typedef {import("./reading.js").Desk} Desk @typedef {import("../types.js").Check} Check */

/** @param {Desk} desk */
export function checksPanel(desk) {
  const { report } = desk.open;
  const faults = report.checks.filter((check) => check.status === "violation");
  const byHand = report.checks.filter((check) => check.status !== "violation");
  return [
    h("h2", {}, t("checks.heading")),
    report.checks.length === 0 && h("p", { class: "all-well" }, icon("check"), t("checks.none")),
    faults.length > 0 && h("ul", { class: "checks" }, ...faults.map((check) => checkItem(desk, check))),
    faults.length > 0 && report.total_without_illegal !== report.total && h("p", { class: "hint" }, icon("bulb"), t("checks.legal", { total: report.total_without_illegal })),
    byHand.length > 0 && h("h3", {}, t("checks.by_hand")),
    byHand.length > 0 && h("ul", { class: "checks" }, ...byHand.map((check) => checkItem(desk, check))),
    report.unchecked.length > 0 && h("details", {}, h("summary", {}, t("checks.unchecked", { n: report.unchecked.length })),
      h("ul", { class: "notes" }, ...report.unchecked.map((item) => h("li", {}, `${t(`check.${item.id}.name`)}: ${item.why}`)))),
  ];
}

/** @param {Desk} desk @param {Check} check */
function checkItem(desk, check) {
  const { open } = desk;
  const key = `check-${check.id}-${check.tiles.join("-")}`;
  const press = () => {
    open.light(key, check.tiles);
    if (open.lit) desk.pane.bringIn(check.tiles, 0.3);
    else desk.pane.viewer.whole();
  };
  const sign = check.status === "violation" ? "faulty" : "asked";
  return h("li", {}, h("button", { type: "button", class: `check ${sign}`, key, disabled: check.tiles.length === 0, "aria-pressed": String(open.lit?.key === key), on: { click: press } },
    h("span", { class: `sign ${sign}` }, sign === "faulty" ? "!" : "?"), h("span", {}, checkSentence(check, open.board))));
}
