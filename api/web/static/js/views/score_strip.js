/** The total, big, with its range, markers and what the last change brought. */

import { h, redraw } from "../dom.js";
import { t } from "../i18n.js";
import { pointsText, signed } from "../sentences.js";

/** @typedef {import("../open_reading.js").OpenReading} OpenReading */

/** Draws the total; screen readers hear it when it changes. @param {HTMLElement} place @param {OpenReading} open */
export function scoreStrip(place, open) {
  const { report } = open;
  const [low, high] = report.total_range;
  const gained = open.gained;
  const facts = [
    low !== high && h("span", { class: "fact" }, h("b", {}, `${low}–${high}`), ` ${t("score.range")}`),
    report.total_without_illegal !== report.total && h("span", { class: "fact fault" }, h("b", {}, report.total_without_illegal), ` ${t("score.legal")}`),
  ];
  redraw(place,
    h("p", { class: "total", role: "status", "aria-live": "polite", "aria-atomic": "true" },
      h("b", { class: gained ? "number changed" : "number", "data-total": report.total }, report.total),
      gained ? h("span", { class: gained > 0 ? "gained" : "gained lost" }, signed(gained)) : null,
      h("span", { class: "heard" }, low === high ? "" : t("score.range_heard", { low, high }))),
    h("p", { class: "facts" }, h("span", { class: "unit" }, t("score.points", { n: report.total }), ...report.markers.map((marker) => h("span", { class: "marker" }, marker))), ...facts, low === high && h("span", { class: "fact" }, t("score.sure"))));
  if (gained) open.gained = null;
  document.title = t("reading.title", { total: pointsText(report.total) });
}
