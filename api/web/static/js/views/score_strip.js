/** The total, big, with its range, markers and what the last change brought. */

import { h, redraw } from "../dom.js";
import { t } from "../i18n.js";
import { pointsText, signed } from "../sentences.js";

/** @typedef {import("../open_reading.js").OpenReading} OpenReading */

const FLOATS_MS = 2600;

/** Draws the total; `heard` is a live region that tells it to screen readers when it changes. @param {HTMLElement} place @param {HTMLElement} heard @param {OpenReading} open */
export function scoreStrip(place, heard, open) {
  const { report } = open;
  const [low, high] = report.total_range;
  const since = Date.now() - (open.gained?.at ?? 0);
  const gained = since < FLOATS_MS ? (open.gained?.points ?? 0) : 0;
  redraw(place,
    h("p", { class: "total" },
      h("b", { class: gained && since < 100 ? "number changed" : "number", "data-total": report.total }, report.total),
      // The view may be drawn again meanwhile: the animation goes on where it was.
      gained !== 0 && h("span", { class: gained > 0 ? "gained" : "gained lost", css: { "animation-delay": `${-since}ms` } }, signed(gained))),
    h("p", { class: "facts" },
      h("span", { class: "unit" }, t("score.points", { n: report.total }), ...report.markers.map((marker) => h("span", { class: "marker" }, marker))),
      low === high ? h("span", { class: "fact" }, t("score.sure")) : h("span", { class: "fact" }, h("b", {}, `${low}–${high}`), ` ${t("score.range")}`),
      report.total_without_illegal !== report.total && h("span", { class: "fact fault" }, h("b", {}, report.total_without_illegal), ` ${t("score.legal")}`)));
  const says = pointsText(report.total) + (low === high ? "" : t("score.range_heard", { low, high }));
  if (heard.textContent !== says) heard.textContent = says;
  document.title = t("reading.title", { total: pointsText(report.total) });
}
