/** A sheet to pick one of the 27 kinds: the likely ones first, then all by category. */

import { badge, CATEGORIES, categoryName } from "../categories.js";
import { categoryOf, kindName, kinds } from "../catalogue.js";
import { h } from "../dom.js";
import { t } from "../i18n.js";
import { openSheet } from "../sheet.js";

/**
 * Returns the kind picked, or null.
 * @param {{likely?: string[], now?: string | null, heading?: string}} [wish] @returns {Promise<string | null>}
 */
export function pickKind({ likely = [], now = null, heading = t("kinds.heading") } = {}) {
  return openSheet(heading, (done) => {
    const choice = (/** @type {string} */ kind) =>
      h("button", { type: "button", class: `kind cat-${categoryOf(kind)}`, "aria-pressed": String(kind === now), "data-kind": kind, on: { click: () => done(kind) } },
        badge(categoryOf(kind)), h("span", {}, kindName(kind)));
    const first = [...new Set(likely)];
    return [
      first.length > 0 && h("section", {}, h("h3", {}, t("kinds.likely")), h("div", { class: "kinds likely" }, ...first.map(choice))),
      ...CATEGORIES.map((category) =>
        h("section", {}, h("h3", {}, categoryName(category)), h("div", { class: "kinds" }, ...kinds().filter((kind) => kind.category === category).map((kind) => choice(kind.id))))),
    ];
  });
}
