/** The six categories and their marks: a colour, a letter and a line pattern each, so that none rests on colour alone. */

import { h } from "./dom.js";
import { t } from "./i18n.js";

export const CATEGORIES = /** @type {const} */ (["bread", "cheese", "meat", "fruit", "veggie", "dip"]);

/** Dashes in CSS pixels; an empty text is a full line. @type {Record<string, string>} */
export const DASHES = { bread: "", cheese: "9 4", meat: "2 4", fruit: "12 3 2 3", veggie: "5 3", dip: "14 5" };

/** @param {string} category */
export const letterOf = (category) => t(`category.${category}.letter`);
/** @param {string} category */
export const categoryName = (category) => t(`category.${category}`);

/** Returns the round badge of a category with its letter. @param {string} category @param {string} [size] */
export const badge = (category, size = "") =>
  h("span", { class: `badge cat-${category} ${size}`, "aria-hidden": "true" }, letterOf(category));
