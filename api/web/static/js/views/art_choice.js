/** Which copy of the game is photographed: one that was learned, or whichever the photo shows. */

import { arts } from "../catalogue.js";
import { chosenArt, rememberArt } from "../device_store.js";
import { h } from "../dom.js";
import { t } from "../i18n.js";

/** The art to read photos with: the one chosen, while the service still has it. */
export function artInUse() {
  const chosen = chosenArt();
  return arts().some((art) => art.name === chosen) ? chosen : null;
}

/** Returns the field to choose it, or null where no copy was learned. */
export function artChoice() {
  if (arts().length === 0) return null;
  const now = artInUse();
  const select = h("select", { key: "art" },
    h("option", { value: "", selected: now === null }, t("art.any")),
    ...arts().map((art) => h("option", { value: art.name, selected: art.name === now }, art.name)));
  select.addEventListener("change", () => rememberArt(select.value || null));
  return h("label", { class: "art-choice" }, h("span", {}, t("art.which")), select);
}
