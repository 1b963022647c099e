/** A sheet over the page, at the foot of a phone and in the middle of a wide screen; Escape and a tap beside it close it. */

import { h, iconButton } from "./dom.js";
import { t } from "./i18n.js";
import { icon } from "./icons.js";

/**
 * Opens a sheet and returns what was picked, or null where it was closed.
 * @template T
 * @param {string} heading @param {(done: (picked: T | null) => void) => import("./dom.js").Child[]} content @returns {Promise<T | null>}
 */
export function openSheet(heading, content) {
  return new Promise((resolve) => {
    /** @type {T | null} */
    let picked = null;
    const done = (/** @type {T | null} */ value) => {
      picked = value;
      dialog.close();
    };
    const dialog = h("dialog", { class: "sheet", "aria-label": heading },
      h("header", { class: "sheet-head" }, h("h2", {}, heading), iconButton(t("close"), icon("close"), () => done(null))),
      h("div", { class: "sheet-body" }, content(done)));
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(picked);
    });
    dialog.addEventListener("click", (event) => event.target === dialog && done(null));
    document.body.append(dialog);
    dialog.showModal();
  });
}

/** Asks for a yes. @param {string} question @param {string} yes @returns {Promise<boolean>} */
export async function confirmed(question, yes) {
  const answer = await openSheet(question, (done) => [
    h("div", { class: "row" },
      h("button", { type: "button", class: "button danger", on: { click: () => done(true) } }, yes),
      h("button", { type: "button", class: "button", on: { click: () => done(false) } }, t("cancel"))),
  ]);
  return answer === true;
}
