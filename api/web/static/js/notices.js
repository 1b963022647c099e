/** Short messages at the foot of the page, read out by screen readers. */

import { h } from "./dom.js";
import { t } from "./i18n.js";
import { ServiceProblem } from "./service.js";

/** @param {string} text @param {"info" | "problem"} [kind] */
export function notice(text, kind = "info") {
  const note = h("p", { class: `notice ${kind}` }, text);
  document.getElementById("notices")?.replaceChildren(note);
  setTimeout(() => note.remove(), kind === "problem" ? 9000 : 4500);
}

/** Says what went wrong and what to do next. @param {unknown} error */
export function problemText(error) {
  if (!(error instanceof ServiceProblem)) throw error;
  if (error.offline) return t("problem.offline");
  const code = `problem.${error.problem.code}`;
  const known = t(code);
  return known === code ? error.message || t("problem.unknown") : known;
}

/** @param {unknown} error */
export const tellProblem = (error) => notice(problemText(error), "problem");
